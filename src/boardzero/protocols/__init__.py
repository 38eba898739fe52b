"""Ways to the world outside: other programs' games and players, and ours for other programs."""
