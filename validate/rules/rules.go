package rules

import "fmt"

// A Name names a rule, in result.json and in logs.
type Name string

// The rules.
const (
	DeletedGoroutine Name = "deleted-goroutine" // fewer goroutines are started
	DeletedWork      Name = "deleted-work"      // a call, an assignment, a send or a close is gone, or done only sometimes
	Sleep            Name = "sleep"             // time is made to pass
	Spin             Name = "spin"              // a loop turns without waiting
	SwallowedPanic   Name = "swallowed-panic"   // a panic is recovered from
	Uncancelled      Name = "uncancelled"       // a function that a context ends waits for more now
	DroppedMessage   Name = "dropped-message"   // what the original delivers is not received
)

// A Rule forbids a kind of fix that hides a failure instead of removing its cause. A new one is a
// row of [Rules].
type Rule struct {
	Name    Name
	Forbids string // what it forbids
	Decided string // how it is decided
	Blind   string // what it cannot see
	// Checker says that the model checker decides, or that it decides where the sources do not.
	Checker bool
	check   func(*sources) *Breach // nil: the sources cannot decide it
}

// Check returns where a change breaks the rule, as far as the sources tell; nil: it does not.
func (r *Rule) Check(c *Change) *Breach {
	if r.check == nil {
		return nil
	}
	return r.check(c.compared())
}

// Rules are all of them, in the order in which a change is asked about them.
var Rules = []*Rule{
	{
		Name: DeletedGoroutine, check: (*sources).goroutines,
		Forbids: "Fewer goroutines: a `go` statement, `WaitGroup.Go`, `errgroup`'s `Go` or `AfterFunc` that is gone, or has become a plain call",
		Decided: "The starts in the changed files are counted, all kinds together",
		Blind:   "A goroutine that ends early. Work that it visibly leaves out is `deleted-work`",
	},
	{
		Name: Sleep, check: (*sources).clocks,
		Forbids: "`time.Sleep`, `After`, `Tick`, timers, contexts with a time-out, `runtime.Gosched` where there were none",
		Decided: "Calls are counted, each function by itself; a timer in the place of a sleep, which can be given up, is none",
		Blind:   "A longer time in a call that was there",
	},
	{
		Name: SwallowedPanic, check: (*sources).panics,
		Forbids: "A `recover` where there was none",
		Decided: "Calls of `recover` are counted",
		Blind:   "A panic that no longer happens because its call is gone: that is `deleted-work`",
	},
	{
		Name: Spin, Checker: true, check: (*sources).spinning,
		Forbids: "A busy wait: a loop that can go round without waiting or working. It polls with a `default` case, a flag, or a variable under a lock",
		Decided: "Paths through the bodies of loops. In the checker: a goroutine that runs up to the bound on steps while nobody ever has to wait, and nobody is kept waiting by the schedule alone, which the original does not do. It does not count where all that the patch does to loops is to let goroutines leave them, by a case of a `select` that returns or breaks",
		Blind:   "A loop that calls a function: the call counts as work. A busy wait that no explored schedule reaches and the source does not show",
	},
	{
		Name: DeletedWork, check: (*sources).work,
		Forbids: "A call, an assignment that others can see, a send or a `close` that is gone, is behind a `return`, or is done only under a condition",
		Decided: "Such effects in the changed files are counted, by what is called, assigned or closed, with the types",
		Blind:   "What the called functions do; an early `return` on a condition; arguments and results. Another way to do the same counts as gone, so a rewrite by hand can be refused. Calls of functions that only synchronise (receives, locks, wait groups, calls of such functions) are no work, as these operations are none, if they return nothing, or what they name is used in their place; nor is a call or send that a `defer` statement of the declaration, or of a caller or callee, makes as well, as it is written. Of a patch that `mendel verify` judges, calls of functions that only read, and change nothing but locks, are no work: what is done with their results is",
	},
	{
		Name: Uncancelled, check: (*sources).uncancelled,
		Forbids: "A function that gives up waiting when a context ends, and waits for something besides now whatever happens",
		Decided: "Receives outside of a `select` with several cases, loops over channels and calls of `WaitGroup.Wait` are counted in each function that has a `select` with `<-ctx.Done()`; goroutines that it starts are left out, and what a case of a `select` receives from a channel of another case on some of its ways only: it was promised",
		Blind:   "A way out by a timer or another channel; a wait in a function that is called; sends",
	},
	{
		Name: DroppedMessage, Checker: true,
		Forbids: "A message that the original delivers in schedules that pass, and the fix does not",
		Decided: "By the checker: see below",
		Blind:   "See below",
	},
}

// A Breach is where a change breaks a rule.
type Breach struct {
	Rule Name
	File string // module-relative
	Line int    // of the original
	What string // "the call of flush is gone"
}

// String words it: "deleted-work: the call of flush is gone (queue.go:12)".
func (b *Breach) String() string {
	return fmt.Sprintf("%s: %s (%s:%d)", b.Rule, b.What, b.File, b.Line)
}
