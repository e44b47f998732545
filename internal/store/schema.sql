-- Everything that repairs with one output directory have learnt. Seconds are of
-- work since a run began, interruptions left out; times are wall-clock, for
-- people.

CREATE TABLE runs (
	id          INTEGER PRIMARY KEY,
	started     TEXT NOT NULL,
	ended       TEXT,                       -- of the latest process; NULL while it runs, or was killed
	pid         INTEGER NOT NULL,           -- of the latest process
	status      TEXT NOT NULL,              -- running, done, out-of-budget, interrupted or error
	outcome     TEXT NOT NULL DEFAULT '',   -- as in result.json
	reason      TEXT NOT NULL DEFAULT '',
	fresh       INTEGER NOT NULL DEFAULT 0, -- 1: it ignores what other runs have learnt
	resumed     INTEGER NOT NULL DEFAULT 0, -- times
	budget      REAL NOT NULL,              -- seconds
	seconds     REAL NOT NULL DEFAULT 0,    -- spent so far
	phase       TEXT NOT NULL DEFAULT '',
	generation  INTEGER NOT NULL DEFAULT 0,
	scored      INTEGER NOT NULL DEFAULT 0, -- mutants, in the order of the search
	best        REAL NOT NULL DEFAULT 0,    -- score of these
	module      TEXT NOT NULL,              -- directory of go.mod
	package     TEXT NOT NULL,
	pattern     TEXT NOT NULL DEFAULT '',   -- of the tests
	go          TEXT NOT NULL,
	mendel      TEXT NOT NULL,
	options     TEXT NOT NULL,              -- JSON
	source      TEXT NOT NULL,              -- JSON: hashes of all that was loaded, by name
	work        TEXT NOT NULL DEFAULT '',   -- JSON: builds, schedules, runs, time by phase
	baseline    TEXT NOT NULL DEFAULT '',   -- JSON: how the original behaves; '' before that is known
	result      TEXT NOT NULL DEFAULT '',   -- JSON: result.json
	report      TEXT NOT NULL DEFAULT ''    -- what was printed at the end
);

-- How the original fails.
CREATE TABLE failures (
	run       INTEGER NOT NULL REFERENCES runs (id),
	nth       INTEGER NOT NULL,
	kind      TEXT NOT NULL,
	message   TEXT NOT NULL,
	test      TEXT NOT NULL,
	signature TEXT NOT NULL,
	seen      INTEGER NOT NULL, -- noised runs that showed it
	runs      INTEGER NOT NULL, -- of so many
	PRIMARY KEY (run, nth)
);

-- What is used concurrently.
CREATE TABLE findings (
	run     INTEGER NOT NULL REFERENCES runs (id),
	kind    TEXT NOT NULL, -- type, function or variable
	name    TEXT NOT NULL,
	place   TEXT NOT NULL, -- file:line
	reasons TEXT NOT NULL,
	PRIMARY KEY (run, kind, name, place)
);

CREATE TABLE mutants (
	hash  TEXT PRIMARY KEY, -- of the printed source
	words TEXT NOT NULL,    -- its edits
	edits TEXT NOT NULL     -- JSON
);

-- Scores. They hold for one source, judged in one way.
CREATE TABLE evaluations (
	judging   TEXT NOT NULL, -- fingerprint of the source and of the way of judging
	hash      TEXT NOT NULL REFERENCES mutants (hash),
	run       INTEGER NOT NULL REFERENCES runs (id), -- that made it
	seconds   REAL NOT NULL,
	score     REAL NOT NULL, -- 0 to 1000
	runs      INTEGER NOT NULL, -- noised runs, or executions sampled by the checker
	passes    INTEGER NOT NULL, -- of these
	verdict   TEXT NOT NULL, -- of the checker; '': noise decided
	schedules INTEGER NOT NULL,
	refused   TEXT NOT NULL, -- why it was not run
	record    TEXT NOT NULL, -- JSON: the whole
	PRIMARY KEY (judging, hash)
);

CREATE INDEX evaluations_of_run ON evaluations (run);

-- What became of candidates.
CREATE TABLE validations (
	run     INTEGER NOT NULL REFERENCES runs (id),
	hash    TEXT NOT NULL REFERENCES mutants (hash), -- of the candidate
	seconds REAL NOT NULL,
	stage   TEXT NOT NULL, -- at which it fell; '': it is a fix
	reason  TEXT NOT NULL, -- why it fell, or the edits of the fix
	record  TEXT NOT NULL, -- JSON: the whole
	PRIMARY KEY (run, hash)
);

CREATE TABLE generations (
	run     INTEGER NOT NULL REFERENCES runs (id),
	number  INTEGER NOT NULL, -- from 1; 0: the search begins
	seconds REAL NOT NULL,    -- at its end
	best    REAL NOT NULL,    -- score so far
	mean    REAL NOT NULL,
	scored  INTEGER NOT NULL, -- so far
	PRIMARY KEY (run, number)
);

-- The log.
CREATE TABLE events (
	id      INTEGER PRIMARY KEY,
	run     INTEGER NOT NULL REFERENCES runs (id),
	time    TEXT NOT NULL,
	seconds REAL NOT NULL,
	kind    TEXT NOT NULL, -- begin, phase, generation, best, line or end
	text    TEXT NOT NULL
);

-- Schedules that fail: of the original (mutant '') and of mutants.
CREATE VIEW schedules AS
	SELECT r.id AS run, '' AS mutant, f.value ->> '$.schedule.test' AS test, f.value ->> '$.schedule.choices' AS choices
	FROM runs r, json_each(r.baseline, '$.checked.failures') f
	WHERE r.baseline <> ''
	UNION ALL
	SELECT e.run, e.hash, s.value ->> '$.test', s.value ->> '$.choices'
	FROM evaluations e, json_each(e.record, '$.learnt.schedules') s;
