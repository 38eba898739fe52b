"""Who does the work: processes on this machine, or actors on a Ray cluster."""
