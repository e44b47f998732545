package evidence

// Kind says what went wrong in one execution.
type Kind string

// The kinds of failure. Their texts are used in result.json, in logs and as
// keys of the operators' weights. The checker's engine calls them the same.
const (
	Race        Kind = "race"         // two unordered accesses, at least one a write
	Deadlock    Kind = "deadlock"     // every goroutine blocked for ever
	Blocked     Kind = "blocked"      // some goroutine blocked for ever, the test went on
	Panic       Kind = "panic"        // a panic or a fatal error of the runtime
	TestFailure Kind = "test-failure" // the test's own assertion
	Timeout     Kind = "timeout"      // the run did not end within its limit
)

// A KindRow is what belongs to a kind of failure, wherever it is shown or weighed. A new kind is
// a constant and a row of [Kinds]; tests name what is missing.
type KindRow struct {
	Kind  Kind
	Words string // in a sentence: "data race"
	Rule  string // the name of its rule in SARIF: "DataRace"
	Doc   string // what has happened, in a sentence
	Help  string // where to look, in a sentence

	// Gravity orders kinds by what they do: what ends or stops a program comes before what makes
	// it wrong, and that before what only a test has noticed. The gravest has the highest.
	Gravity int
	// Hangs says that some goroutine waits in vain. Which of these kinds it is depends on what
	// else the program does.
	Hangs bool
	// Concurrent says that no sequential program fails so. Failures of the other kinds may be
	// ordinary bugs, and what a failure of a more telling kind comes to.
	Concurrent bool
}

// Kinds are the kinds of failure, the most telling first: a race explains a wrong result, a
// deadlock explains a time-out.
var Kinds = []KindRow{
	{
		Kind: Race, Words: "data race", Rule: "DataRace", Gravity: 4, Concurrent: true,
		Doc:  "Two goroutines access a variable at the same time and one of them writes.",
		Help: "Nothing orders the two accesses. Guard both with the same lock, or hand the data over through a channel.",
	},
	{
		Kind: Deadlock, Words: "deadlock", Rule: "Deadlock", Gravity: 5, Hangs: true, Concurrent: true,
		Doc:  "Every goroutine waits for another.",
		Help: "Acquire locks in one order everywhere, or hold fewer of them at a time.",
	},
	{
		Kind: Blocked, Words: "goroutine blocked for ever", Rule: "BlockedForEver", Gravity: 3, Hangs: true, Concurrent: true,
		Doc:  "A goroutine waits for something that never happens.",
		Help: "Make sure that a goroutine that waits on a channel, lock or wait group is woken on every path, also when the other side returns early.",
	},
	{
		Kind: Panic, Words: "panic", Rule: "Panic", Gravity: 6,
		Doc:  "The program panics under some interleavings.",
		Help: "Look for state that another goroutine changes between a check and its use.",
	},
	{
		Kind: TestFailure, Words: "test failure", Rule: "TestFailure", Gravity: 1,
		Doc:  "A test fails under some interleavings.",
		Help: "Look for steps that belong together but are not in one critical section.",
	},
	{
		Kind: Timeout, Words: "time-out", Rule: "Timeout", Gravity: 2, Hangs: true,
		Doc:  "The program does not end under some interleavings.",
		Help: "Look for a goroutine that waits, or loops, for something that no other goroutine does.",
	},
}

// row is what belongs to a kind, and its place in the table. One that is not there has words
// and no more, and is as telling as the last.
func (k Kind) row() (KindRow, int) {
	for i, row := range Kinds {
		if row.Kind == k {
			return row, i
		}
	}
	return KindRow{Kind: k, Words: string(k)}, len(Kinds) - 1
}

// Known reports whether there is such a kind.
func (k Kind) Known() bool {
	row, _ := k.row()
	return row.Doc != ""
}

// Rank orders kinds: the more telling a failure, the lower its rank.
func (k Kind) Rank() int {
	_, i := k.row()
	return i
}

// Words name the kind in a sentence.
func (k Kind) Words() string {
	row, _ := k.row()
	return row.Words
}

// Gravity is that of its row; 0 for a kind that is not known.
func (k Kind) Gravity() int {
	row, _ := k.row()
	return row.Gravity
}

// Hangs reports whether some goroutine waits in vain in a failure of the kind.
func (k Kind) Hangs() bool {
	row, _ := k.row()
	return row.Hangs
}

// Concurrent reports whether no sequential program fails so.
func (k Kind) Concurrent() bool {
	row, _ := k.row()
	return row.Concurrent
}
