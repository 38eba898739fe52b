"""What everything stands on: errors, specs, files that are whole, processes."""
