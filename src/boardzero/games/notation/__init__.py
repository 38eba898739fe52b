"""Games and moves as text: PDN and move lists."""
