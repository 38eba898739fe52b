"""Learning from self-play: recipes, workers, replay, training and the gate."""
