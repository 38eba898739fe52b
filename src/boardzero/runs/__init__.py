"""Training runs as they lie on disk: recipes, folders, replay, events. Needs no torch."""
