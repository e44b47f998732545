package result

import (
	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/internal/regress"
	"mendel/mutate"
	"mendel/validate"
	"mendel/validate/rules"
)

// Status is how a repair ended.
type Status string

// Statuses. The command's exit codes are 0, 1, 1, 1, 3 and 2 in this order.
const (
	Fixed Status = "fixed" // at least one validated fix
	// Incomplete: there is a fix, and the repair was stopped before it was validated
	// to the end; see Fix.Incomplete.
	Incomplete Status = "fixed-incomplete"
	// Worked: the best fix is a workaround, see validate.Workaround.
	Worked        Status = "workaround"
	NotFixed      Status = "not-fixed"      // a failure was seen, no fix was found
	NotReproduced Status = "not-reproduced" // no failure was seen, or none that is due to concurrency
	Failed        Status = "error"          // bad usage, does not build, broken environment
)

// Offers reports whether a repair with this status has fixes, validated to the
// end or not.
func (s Status) Offers() bool { return s == Fixed || s == Incomplete || s == Worked }

// Reserved reports whether what a repair with this status offers is applied on demand only.
func (s Status) Reserved() bool { return s == Incomplete || s == Worked }

// A Result is what a repair found; it is what result.json holds.
type Result struct {
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"` // in words, when there is no validated fix
	Target Target `json:"target"`
	// Verified is the patch, as people know it, that was verified: it is the only fix, or
	// the one that was rejected; "": fixes were searched for.
	Verified string    `json:"verified,omitempty"`
	Seed     uint64    `json:"seed"`
	Failures []Failure `json:"failures"`
	Fixes    []Fix     `json:"fixes"` // best first
	// Clusters are, where the failures seem to have several causes, what became
	// of each by itself; PartialFixes, when there is no fix, those that mend some
	// of the failures only, each validated with the tests of its cluster.
	Clusters     []Cluster `json:"faults,omitempty"`
	PartialFixes []Fix     `json:"partialFixes,omitempty"`

	// Regression is a test that fails without the best fix and passes with it, or why there is
	// none; nil: none was asked for.
	Regression *regress.Result `json:"regression,omitempty"`

	Rejected []Rejected `json:"rejected,omitempty"` // candidates that are no fixes, in the order of the search
	Partial  []Partial  `json:"partial,omitempty"`  // when there is no fix: the best mutants, best first
	Narrowed Narrowed   `json:"narrowed"`
	Search   Search     `json:"search"`
	Notes    []string   `json:"notes,omitempty"` // what limited the work, e.g. no race detector
	Seconds  float64    `json:"seconds"`
	Phases   []Phase    `json:"phases"` // where the time went, in order

	live Live
}

// Live is what a result knows in the process that made or restored it, and no
// file has.
type Live struct {
	Out     string            // output directory; "": nothing is written
	Program *analysis.Program // for the report; nil: it did not load, or an earlier process repaired it
	Fixes   []*validate.Fix   // behind Result.Fixes, in their order
	Spent   bool              // the budget ended the repair
	// Seldom says that all failures are assertions of tests that depend on time, which few noised runs fail: noise may be why.
	Seldom bool
	// Restored is set when an earlier process made the result.
	Restored *Restored
}

// Restored is what the store has of a repair that ended in an earlier process.
type Restored struct {
	Text   string            // printed at its end
	Source map[string]string // hashes of the source, by name as seen from the module's directory
}

// Attach gives a result its live part.
func Attach(r *Result, live Live) { r.live = live }

// LiveOf returns the live part of a result.
func LiveOf(r *Result) Live { return r.live }

// BestEdits are those of the best fix; nil if there is none.
func (r *Result) BestEdits() []mutate.Edit {
	if len(r.Fixes) == 0 {
		return nil
	}
	return r.Fixes[0].Edits
}

// A Target is what was repaired.
type Target struct {
	Module  string `json:"module"` // directory of go.mod
	Package string `json:"package"`
	Run     string `json:"run,omitempty"`
	// IncludeTests: code in test files might be changed.
	IncludeTests bool `json:"includeTests,omitempty"`
}

// A Failure is one way in which the original fails.
type Failure struct {
	evidence.Failure
	Seen int `json:"seen"` // noised runs that showed it
	Runs int `json:"runs"` // of so many; 0: only the checker showed it, or forcing an interleaving
	// Schedule names the file in the output directory with a schedule that shows
	// it, "" when the checker did not find it.
	Schedule string `json:"schedule,omitempty"`
	Forced   string `json:"forced,omitempty"` // the interleaving that showed it when it was forced; "": it showed otherwise
}

// A Fix is a validated patch, unless it is Incomplete.
type Fix struct {
	Patch        string        `json:"patch"` // file name in the output directory
	Diff         string        `json:"diff"`  // what the file has: a mail with a unified diff, relative to the module's directory
	Edits        []mutate.Edit `json:"edits"`
	Score        float64       `json:"score"`        // 0 to 1000
	ChangedLines int           `json:"changedLines"` // added and removed lines of code
	Flags        []mutate.Flag `json:"flags"`
	Generation   int           `json:"generation"` // of the search, the first is 1
	Evidence     Evidence      `json:"evidence"`
	Cost         Cost          `json:"cost"`
	Quality      Quality       `json:"quality"`
	// ValidatedSeconds is when all that could reject it was over, since the repair
	// began, in seconds of work; its cost may have been measured later. After a resumption it is no later than the
	// interruption for a fix that was validated before it.
	ValidatedSeconds float64 `json:"validatedSeconds,omitempty"`
	// Mends are the failures that it mends, as indices of Result.Failures, where
	// there is more than one Cluster; else it mends all.
	Mends []int `json:"mends,omitempty"`
	// Incomplete says what is missing of the validation, because the repair was
	// stopped before its end; empty: nothing. Such fixes are behind all others.
	Incomplete []string `json:"incomplete,omitempty"`
}

// A Rejected is a candidate that validation found to be no fix.
type Rejected struct {
	Edits  []mutate.Edit  `json:"edits"`
	Stage  validate.Stage `json:"stage"`          // of the validation, that rejected it
	Rule   rules.Name     `json:"rule,omitempty"` // that it breaks, see docs/rules.md; "": none
	File   string         `json:"file,omitempty"` // where it breaks the rule, module-relative
	Line   int            `json:"line,omitempty"` // of the original
	Reason string         `json:"reason"`
}

// Evidence is what supports a fix.
type Evidence struct {
	FailedBefore int `json:"failedBefore"` // noised runs of the original that failed
	RunsBefore   int `json:"runsBefore"`   // of so many
	RunsAfter    int `json:"runsAfter"`    // noised runs of the fix; all passed
	// Forced are the runs of the fix under interleavings that failed the original, and
	// Saturating those that forced what is predicted around its changes; all passed.
	Forced     int `json:"forced,omitempty"`
	Saturating int `json:"saturating,omitempty"`
	// Chance is that of all these runs passing if the bug were still there, as
	// frequent as it was at least, with 95 % confidence; 0: no noised run failed before.
	Chance     float64  `json:"chance,omitempty"`
	Race       bool     `json:"race"`            // they ran under the race detector
	Vet        bool     `json:"vet"`             // go vet finds nothing
	OtherTests string   `json:"otherTests"`      // in words
	Check      *Checked `json:"check,omitempty"` // nil: the checker was not used
	Limits     []string `json:"limits"`          // what it does not show
}

// Checked is what the checker made of exactly the fix.
type Checked struct {
	Verdict   explore.Verdict `json:"verdict"`          // covered, exhausted, passed or inconclusive
	Bound     int             `json:"bound"`            // with exhausted: preemptions up to which all schedules passed; -1: any number
	Fair      bool            `json:"fair,omitempty"`   // with exhausted: fair schedules only
	Reason    string          `json:"reason,omitempty"` // with inconclusive
	Needed    int             `json:"needed,omitempty"` // preemptions that the simplest known schedule of a failure has; 0: none, or it is not known
	Followed  int             `json:"followed"`         // schedules that failed before and pass now
	Schedules int             `json:"schedules"`        // tried
	Seconds   float64         `json:"seconds"`
}

// Cost compares a fix with the original; 1 is equal, 2 twice as much, 0 not measured.
type Cost struct {
	Time     float64 `json:"time"`     // running time of a passing run
	Switches float64 `json:"switches"` // voluntary context switches
	// Of the medians, with a confidence of 95 %; none: too few runs were compared.
	TimeInterval     validate.Interval `json:"timeInterval,omitzero"`
	SwitchesInterval validate.Interval `json:"switchesInterval,omitzero"`
}

// Quality is what a fix does to the program's critical sections and to how much
// of it goes on side by side.
type Quality = validate.Quality

// Narrowed counts what the search was narrowed to.
type Narrowed struct {
	Before    analysis.Counts `json:"before"`
	Types     int             `json:"types"`
	Functions int             `json:"functions"`
	Variables int             `json:"variables"`
	Edits     int             `json:"edits"` // places and ways to edit
}

// Search counts the work done.
type Search struct {
	Original    float64 `json:"original,omitempty"` // score of the program without edits, 0 to 1000
	Generations int     `json:"generations"`
	Evaluations int     `json:"evaluations"`         // mutants scored, in all processes that took part
	Recalled    int     `json:"recalled,omitempty"`  // scores that were known: from before an interruption, or of earlier repairs
	Candidate   int     `json:"candidate,omitempty"` // how many in the search's order up to the first with a full score and no flag; 0: none has
	// FullScoreSeconds is when the first mutant had a full score, since the repair
	// began, in seconds of work; 0: none had.
	FullScoreSeconds float64 `json:"fullScoreSeconds,omitempty"`

	Builds       int     `json:"builds"`
	Checks       int     `json:"checks"`             // searches of the checker
	Schedules    int     `json:"schedules"`          // it made
	Carried      int     `json:"carried,omitempty"`  // it did not make: those of other programs count for them
	Repeated     int     `json:"repeated,omitempty"` // it did not make: others of the same program came to the same
	Runs         int     `json:"runs"`               // of test binaries
	Ended        string  `json:"ended"`
	Checker      string  `json:"checker,omitempty"` // why it took no part, or was switched off
	Programs     int     `json:"programs"`          // that were built: the original, mutants, steps of validation
	Executables  int     `json:"executables"`       // linked, each of one program or several
	Variants     int     `json:"variants"`          // of Programs, those that are variants of functions in one executable
	BuildSeconds float64 `json:"buildSeconds"`      // wall-clock, in which at least one build was under way
	// By counts Executables by what they are for, Alone programs that could not share one
	// with those that were to be built with them, by why.
	By    map[string]int `json:"executablesBy,omitempty"`
	Alone map[string]int `json:"builtAlone,omitempty"`
}

// A Phase is a part of the work and its share of the time.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	// Programs that were built in it, in so many executables, and for how much of Seconds.
	Programs     int     `json:"programs,omitempty"`
	Executables  int     `json:"executables,omitempty"` // linked, each of one program or several
	Variants     int     `json:"variants,omitempty"`    // of Programs, those that are variants of functions in one executable
	BuildSeconds float64 `json:"buildSeconds,omitempty"`
}

// A Partial is a mutant that does better than the original and is no fix.
type Partial struct {
	Edits   []mutate.Edit `json:"edits"`
	Score   float64       `json:"score"`  // 0 to 1000
	Passes  int           `json:"passes"` // of Runs
	Runs    int           `json:"runs"`   // noised or, with Checked, sampled schedules
	Checked bool          `json:"checked,omitempty"`
	Diff    string        `json:"diff"`    // unified, relative to the module's directory
	Remains []string      `json:"remains"` // what still fails, or speaks against it; positions are those of the patched source
}

// A Cluster is failures of the original that are taken to have one cause,
// because they have a place, a variable or a test in common.
type Cluster struct {
	Failures    []int    `json:"failures"`         // indices of Result.Failures
	Tests       []string `json:"tests"`            // that fail so, top-level, sorted
	Out         string   `json:"out,omitempty"`    // directory of its own repair, below the output directory
	Status      Status   `json:"status,omitempty"` // of its own repair, in which its tests alone run; "": there was none
	Reason      string   `json:"reason,omitempty"`
	Seconds     float64  `json:"seconds"`
	Evaluations int      `json:"evaluations"` // mutants scored for it
}

// Work is what was done on a run, as far as it is counted.
type Work struct {
	Search Search  `json:"search"`
	Phases []Phase `json:"phases"`
}
