package dossier

import (
	"time"

	"mendel/analysis/evidence"
)

// Name of the file in the output directory.
const Name = "dossier.json"

// Version of the format. Read refuses what is newer.
const Version = 1

// A Dossier is one repair. Files are module-relative with slashes; times of
// the search are in seconds since its beginning.
type Dossier struct {
	Version int       `json:"version"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`           // of work, interruptions left out
	Budget  float64   `json:"budget"`            // seconds
	Resumed int       `json:"resumed,omitempty"` // times
	Go      string    `json:"go"`                // version of the toolchain, "go1.26.8 linux/amd64"
	Seed    uint64    `json:"seed"`

	Module  string `json:"module"`  // path
	Dir     string `json:"dir"`     // directory of go.mod, absolute
	Package string `json:"package"` // import path
	Run     string `json:"run,omitempty"`

	// Verified is the patch, as people know it, that was verified; "": fixes were searched for.
	Verified string `json:"verified,omitempty"`

	Status string `json:"status"`           // as in result.json
	Reason string `json:"reason,omitempty"` // in words, when there is no fix

	// Diagnoses say what is wrong, the likeliest first.
	Diagnoses []Diagnosis `json:"diagnoses,omitempty"`

	Failures []FailureRecord `json:"failures"`
	Suspects []Suspect       `json:"suspects,omitempty"` // where the fault may be, most suspicious first; none: no schedule is known
	Fixes    []Fix           `json:"fixes"`              // best first
	// PartialFixes mend some of the failures only; there are none if there are Fixes.
	PartialFixes []Fix `json:"partialFixes,omitempty"`
	// Regression is a test that fails without the best fix and passes with it; nil: none was asked for.
	Regression *Regression `json:"regression,omitempty"`
	Rejected   []Rejected  `json:"rejected,omitempty"`
	Partial    []Partial   `json:"partial,omitempty"` // best mutants that are no fix, best first, when there is no fix
	Search     Search      `json:"search"`
	Phases     []Phase     `json:"phases"`
	Notes      []string    `json:"notes,omitempty"`
}

// A Regression is a regression test, or why there is none.
type Regression struct {
	Name  string   `json:"name,omitempty"`  // "": there is none
	Means string   `json:"means,omitempty"` // in a word
	Words []string `json:"words"`           // sentences without a full stop
	Files []File   `json:"files,omitempty"` // that come with the fix; none: the test is there already
}

// A Diagnosis is a fault that was found in the original.
type Diagnosis struct {
	Fault     evidence.Fault `json:"fault"`
	Certainty string         `json:"certainty"` // "shown", "likely" or "possible"
	Says      string         `json:"says"`      // one sentence, without a full stop
	Places    []Place        `json:"places"`    // where it may be mended, the likeliest first
	// Declined are operators that mend such a fault and make no edit at the places.
	Declined []Declined `json:"declined,omitempty"`
}

// A Declined is why an operator makes no edit at a place.
type Declined struct {
	Operator string `json:"operator"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Reason   string `json:"reason"` // one clause
}

// A FailureRecord is one way in which the original fails, with what the reports
// show of it.
type FailureRecord struct {
	Kind      evidence.Kind `json:"kind"`
	Message   string        `json:"message"`
	Signature string        `json:"signature"`
	Test      string        `json:"test,omitempty"`
	Seen      int           `json:"seen"` // runs under noise that showed it
	Runs      int           `json:"runs"` // of so many
	Places    []Place       `json:"places"`
	Schedule  string        `json:"schedule,omitempty"` // file in the output directory
	Forced    string        `json:"forced,omitempty"`   // the interleaving that showed it when it was forced; "": it showed otherwise
	Trace     *Trace        `json:"trace,omitempty"`    // nil: no schedule is known
	// Diagnosed says what is wrong where this failure alone was looked at; "": the dossier's
	// diagnoses are of all.
	Diagnosed string `json:"diagnosed,omitempty"`
}

// A Place is a position that a failure names.
type Place struct {
	What string `json:"what"` // "read", "write", "blocked: chan send", ...
	Func string `json:"func,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"` // of the line, trimmed
}

// A Suspect is a place where the fault may be, by the schedules that fail and those
// that pass.
type Suspect struct {
	Fault          evidence.Fault `json:"fault"`              // of all places that belong together
	Suggests       evidence.Fault `json:"suggests,omitempty"` // what the place itself suggests, if it is another one
	Variable       string         `json:"variable,omitempty"` // or lock, or channel, that it is about
	Suspiciousness float64        `json:"suspiciousness"`     // 0 to 1
	Place          Place          `json:"place"`              // What: "read", "write", "lock", ...
	Partner        *Place         `json:"partner,omitempty"`  // the operation of another goroutine that takes part
	Says           string         `json:"says"`               // one sentence, without a full stop
	Compared       bool           `json:"compared,omitempty"` // by how often executions that fail have it, and others: the failure itself does not show it
}

// A Trace is an execution, prepared for drawing.
type Trace struct {
	Test       string   `json:"test"`
	Goroutines []string `json:"goroutines"` // names of the columns, "main", "bank.go:49#1"; main is the first
	// IDs are the numbers of these goroutines in the order of their creation, of
	// which an execution of the fixed program has mostly the same. They rise.
	IDs    []int `json:"ids,omitempty"`
	Hidden int   `json:"hidden,omitempty"` // goroutines that have no column
	Rows   []Row `json:"rows"`
	Bars   []Bar `json:"bars,omitempty"`
	// Conflict are the rows of the two accesses that a race is between, -1 each
	// if it is none, or a row is unknown.
	Conflict [2]int `json:"conflict"`
	// Cause are the rows of what makes a later one fail, and of that one: of the close
	// of a channel, and of the panic of a send. Zero: there are none.
	Cause  [2]int `json:"cause,omitzero"`
	Failed bool   `json:"failed"`
	Ending string `json:"ending"` // in words: "every goroutine is done", "2 goroutines are blocked for ever"
	// Diverged says how an execution that was to follow a schedule had to differ
	// from it; "" if it did not.
	Diverged string `json:"diverged,omitempty"`
}

// A Row is one step of one goroutine.
type Row struct {
	G      int    `json:"g"` // index in Goroutines
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Text   string `json:"text,omitempty"` // of the source, trimmed
	Op     string `json:"op,omitempty"`   // what is done, "Lock a.mu", "chan send", "write amount"
	Mark   Mark   `json:"mark,omitempty"`
	Starts int    `json:"starts,omitempty"` // index of the goroutine started; 0: none, for main is not started
	Folded int    `json:"folded,omitempty"` // steps left out after this one
}

// A Mark says what a row has to do with the failure.
type Mark string

// Marks.
const (
	Switched Mark = "switch"  // first after another goroutine's step
	Conflict Mark = "access"  // one of the accesses of a race, the panic, the failed assertion
	Stuck    Mark = "blocked" // blocked for ever
)

// A Bar is the time during which a goroutine holds a lock.
type Bar struct {
	G    int    `json:"g"`
	Lock string `json:"lock"` // as the source names it, with a number where several have the name
	Read bool   `json:"read,omitempty"`
	From int    `json:"from"` // row
	To   int    `json:"to"`   // row of the release; -1: held to the end
}

// A Fix is a validated patch, unless it is Incomplete.
type Fix struct {
	Patch        string  `json:"patch"`           // file in the output directory
	Mends        []int   `json:"mends,omitempty"` // of a partial fix: indices of Failures
	Title        string  `json:"title"`           // first line of its commit message
	Message      string  `json:"message"`
	Diff         string  `json:"diff"` // unified
	Files        []File  `json:"files"`
	Edits        []Edit  `json:"edits"`
	Score        float64 `json:"score"` // 0 to 1000
	ChangedLines int     `json:"changedLines"`
	Flags        []Flag  `json:"flags,omitempty"`
	// Incomplete says what is missing of the validation; empty: nothing.
	Incomplete []string `json:"incomplete,omitempty"`
	Generation int      `json:"generation"`
	Evidence   Evidence `json:"evidence"`
	// Replays are, by index of Failures, the schedules that failed before,
	// replayed under the fix as far as they fit; nil where there is none.
	Replays []*Trace `json:"replays,omitempty"`
}

// A File that a fix changes.
type File struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// An Edit is one operator applied at one place, and why.
type Edit struct {
	Operator  string   `json:"operator"`
	File      string   `json:"file"`
	Line      int      `json:"line"` // of the original
	Func      string   `json:"func,omitempty"`
	Lock      string   `json:"lock,omitempty"`
	Vars      []string `json:"vars,omitempty"`
	Note      string   `json:"note,omitempty"`      // what it guards against
	Words     string   `json:"words"`               // "addlock a.mu for account.amount"
	Conflicts []Place  `json:"conflicts,omitempty"` // the accesses, or waits, of failures that it concerns
}

// A Flag is a reason to prefer another fix.
type Flag struct {
	Name  string `json:"name"`
	Words string `json:"words"`
}

// Evidence is what supports a fix.
type Evidence struct {
	FailedBefore int      `json:"failedBefore"` // runs under noise of the original that failed
	RunsBefore   int      `json:"runsBefore"`
	RunsAfter    int      `json:"runsAfter"`         // runs under noise of the fix; all passed
	Delayed      []string `json:"delayed,omitempty"` // tests that depend on time and failed in some of them
	FirstSeed    uint64   `json:"firstSeed"`         // of these; they follow one another
	Race         bool     `json:"race"`
	Vet          bool     `json:"vet"`
	OtherTests   string   `json:"otherTests"`
	// Of the checker; Verdict "": it was not used.
	Verdict   string   `json:"verdict,omitempty"`
	Bound     int      `json:"bound"` // with "exhausted": preemptions; -1: any number
	Fair      bool     `json:"fair,omitempty"`
	Schedules int      `json:"schedules,omitempty"`
	Followed  int      `json:"followed,omitempty"` // schedules that failed before and pass now
	Check     string   `json:"check,omitempty"`    // the verdict in words
	Limits    []string `json:"limits"`             // what all this does not show
	// Of the costs, after divided by before; 0: not measured. The intervals are those
	// of the first two, with a confidence of 95 %; none: too few runs were compared.
	Time             float64  `json:"time,omitempty"`
	TimeInterval     Interval `json:"timeInterval,omitzero"`
	Switches         float64  `json:"switches,omitempty"`
	SwitchesInterval Interval `json:"switchesInterval,omitzero"`
	Parallelism      float64  `json:"parallelism,omitempty"`
}

// An Interval of a figure.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Rejected is a candidate that is no fix.
type Rejected struct {
	What   string  `json:"what"` // its edits, in words
	Stage  string  `json:"stage"`
	Rule   string  `json:"rule,omitempty"`
	Reason string  `json:"reason"`
	At     float64 `json:"at"`
}

// A Partial is a mutant that is better than the original and no fix.
type Partial struct {
	What    string   `json:"what"`
	Score   float64  `json:"score"`
	Passes  int      `json:"passes"` // of Runs runs under noise or sampled schedules
	Runs    int      `json:"runs"`
	Diff    string   `json:"diff"`
	Remains []string `json:"remains"` // what still fails, in words
	Trace   *Trace   `json:"trace,omitempty"`
}

// Search is what was tried.
type Search struct {
	Edits       int             `json:"edits"`    // places and ways to edit
	Original    float64         `json:"original"` // score
	Generations int             `json:"generations"`
	Evaluations int             `json:"evaluations"`
	Builds      int             `json:"builds"`
	Schedules   int             `json:"schedules"`
	Runs        int             `json:"runs"`
	Ended       string          `json:"ended"`
	History     []Generation    `json:"history"`
	Operators   []OperatorCount `json:"operators"` // by how often they were tried, most first
}

// A Generation of the search.
type Generation struct {
	Number      int       `json:"number"`
	Best        float64   `json:"best"` // so far
	Mean        float64   `json:"mean"`
	Evaluations int       `json:"evaluations"` // so far
	At          float64   `json:"at"`
	Scores      []float64 `json:"scores"` // of the mutants new in it, in order
}

// An OperatorCount says what became of the mutants that an operator made, that
// is, those in which an edit of it is the latest; each mutant counts once, and
// one made by a composite edit for that edit's operator, not for its parts'.
type OperatorCount struct {
	Operator string `json:"operator"`
	Tried    int    `json:"tried"`
	Better   int    `json:"better"`  // than the original
	Full     int    `json:"full"`    // score
	Worse    int    `json:"worse"`   // than the original
	Refused  int    `json:"refused"` // did not build
	Fixes    int    `json:"fixes"`   // became, reduced or not
}

// A Phase is a part of the work and its share of the time.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}
