-- Players are spec strings, written once.
CREATE TABLE players (
  id   INTEGER PRIMARY KEY,
  spec TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE matches (
  id       INTEGER PRIMARY KEY,
  kind     TEXT NOT NULL CHECK (kind IN ('match', 'tournament', 'gauntlet', 'sprt')),
  game     TEXT NOT NULL,
  settings TEXT NOT NULL,  -- canonical JSON: equal settings are equal text
  created  TEXT NOT NULL   -- all times are ISO 8601 in UTC
) STRICT;

CREATE TABLE games (
  id       INTEGER PRIMARY KEY,
  match    INTEGER REFERENCES matches (id),
  number   INTEGER,
  game     TEXT NOT NULL,
  start    TEXT NOT NULL,  -- FEN, empty for the usual start
  opening  TEXT NOT NULL,  -- JSON array of moves, as is moves
  moves    TEXT NOT NULL,
  plies    INTEGER NOT NULL,
  winner   INTEGER,        -- a seat; NULL is a draw
  reason   TEXT NOT NULL,
  seed     TEXT,           -- text, because SQLite's integers stop at 63 bits
  started  TEXT NOT NULL,
  finished TEXT NOT NULL,
  CHECK ((match IS NULL) = (number IS NULL)),
  UNIQUE (match, number)   -- no game of a match counts twice
) STRICT;

CREATE INDEX games_by_rules ON games (game);

CREATE TABLE seats (
  game    INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  seat    INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
  player  INTEGER NOT NULL REFERENCES players (id),
  value   REAL NOT NULL CHECK (value BETWEEN -1 AND 1),
  seconds REAL NOT NULL,
  turns   INTEGER NOT NULL,
  PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_player ON seats (player, game);

-- The last rating list of each game and method.
CREATE TABLE ratings (
  game     TEXT NOT NULL,
  method   TEXT NOT NULL,
  player   INTEGER NOT NULL REFERENCES players (id),
  value    REAL NOT NULL,
  low      REAL NOT NULL,
  high     REAL NOT NULL,
  games    INTEGER NOT NULL,
  PRIMARY KEY (game, method, player)
) STRICT, WITHOUT ROWID;
