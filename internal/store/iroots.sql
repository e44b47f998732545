-- What covering knows of the interleavings of tests. The table came after the others:
-- it is made where it is missing.

CREATE TABLE IF NOT EXISTS iroots (
	package TEXT NOT NULL,    -- import path, of what is tested
	idiom   INTEGER NOT NULL, -- 1 to 6
	ends    TEXT NOT NULL,    -- JSON: what is done where, without lines
	source  TEXT NOT NULL,    -- fingerprint of the source for which the rest holds
	test    TEXT NOT NULL,    -- that exposed it, or was to
	exposed INTEGER NOT NULL, -- 1: by some run
	tries   INTEGER NOT NULL, -- runs that were to force it
	failed  TEXT NOT NULL,    -- signature of what failed when it was forced last; '': nothing
	seed    TEXT NOT NULL,    -- of that run
	late    INTEGER NOT NULL, -- 1: goroutines began late in it
	text    TEXT NOT NULL,    -- for people
	PRIMARY KEY (package, idiom, ends)
);
