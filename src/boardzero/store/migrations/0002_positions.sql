-- Which games pass through which positions. A game is indexed some time after it was stored, by
-- somebody who knows the rules; keys are 64 bits, so as SQLite's integers they may be negative.
CREATE TABLE positions (
  key  INTEGER NOT NULL,
  game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  ply  INTEGER NOT NULL,  -- the first with this position
  PRIMARY KEY (key, game)
) STRICT, WITHOUT ROWID;

ALTER TABLE games ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_to_index ON games (id) WHERE indexed = 0;

-- How many games were asked for when a match was last begun; NULL where nobody noted it.
ALTER TABLE matches ADD COLUMN planned INTEGER;
