package validate

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dave/dst"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// bankSource is the program that the tests validate mutants of. Its lines are
// known to no test: edits are found by the text of their statements.
const bankSource = `
-- go.mod --
module example.com/bank

go 1.25
-- bank.go --
package bank

import "sync"

type Account struct {
	mu     sync.Mutex
	amount int
	last   int
}

func (a *Account) Deposit(n int) {
	trace("begin")
	a.amount += n
	trace("end")
}

func (a *Account) Twice(n int) {
	a.amount += n
	a.last = a.amount
	trace("twice")
}

func (a *Account) Mark(n int) {
	a.last = n
	a.amount += n
}

func (a *Account) Show(n int) int {
	last := a.last
	a.amount += n
	return last
}

func (a *Account) Balance() int {
	a.mu.Lock()
	x := a.amount
	trace("balance")
	a.mu.Unlock()
	return x
}

var all sync.Mutex

func (a *Account) Nested() {
	all.Lock()
	a.mu.Lock()
	a.amount++
	a.mu.Unlock()
	all.Unlock()
}

func (a *Account) Total() {
	all.Lock()
	a.amount++
	all.Unlock()
}

func (a *Account) Notify(n int) {
	a.amount += n
	notices <- n
	a.last = n
}

func (a *Account) Await() {
	all.Lock()
	idle.Wait()
	a.last = 0
	all.Unlock()
}

var (
	notices = make(chan int, 9)
	idle    = sync.NewCond(&all)
)

func trace(string) {}
-- bank_test.go --
package bank

import (
	"testing"
	"time"
)

func TestDeposit(t *testing.T) { new(Account).Deposit(1) }

func TestOther(t *testing.T) { time.Sleep(time.Millisecond) }

func TestThird(t *testing.T) {}
`

// bank loads the program once for all tests; it does not change.
var bank = sync.OnceValues(func() (*world, error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove() // what is loaded stays in memory
	for _, f := range txtar.Parse([]byte(bankSource)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return nil, err
		}
	}
	ctx := context.Background()
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	p, err := analysistest.Load(ctx, tool, analysis.Target{Dir: dir, Package: ".", Run: "TestDeposit"})
	if err != nil {
		return nil, err
	}
	n := analysis.NarrowTo(p, shared)
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{guard, span, open, erase, repeat})
	return &world{program: p, narrowing: n, space: space}, err
})

// shared is what of the bank is used concurrently.
func shared(kind analysis.FindingKind, name string) bool {
	return kind == analysis.FunctionFinding || name == "Account.amount" || name == "Account.last"
}

// A world is a loaded program with its edits.
type world struct {
	program   *analysis.Program
	narrowing *analysis.Narrowing
	space     *mutate.Space

	modelled sync.Once
	locks    *locks.Model
}

// model is the model of the program's locks.
func (w *world) model() *locks.Model {
	w.modelled.Do(func() { w.locks = locks.New(w.program) })
	return w.locks
}

func loadBank(t testing.TB) *world {
	t.Helper()
	w, err := bank()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// guard locks a.mu around one to three statements of a body.
var guard = &mutate.Operator{
	Name: "guard",
	Adds: true,
	Edits: func(fn *mutate.Function) []mutate.Edit {
		var edits []mutate.Edit
		if fn.Name == "(*Account).Balance" || fn.Name == "trace" {
			return nil
		}
		for i, s := range fn.Body.List {
			for n := 1; n <= len(fn.Body.List)-i; n++ {
				e := fn.NewEdit("guard", s, fn.Body.List[i:i+n]...)
				e.Count = n
				e.Lock = &analysis.Lock{Expr: "a.mu", Key: "example.com/bank.Account.mu"}
				edits = append(edits, e)
			}
		}
		return edits
	},
	Apply: func(m *mutate.Mutation, e mutate.Edit) error {
		first, ok := m.Node(e.File, e.Node).(dst.Stmt)
		if !ok {
			return mutate.Refuse(e, "gone")
		}
		list, i, ok := m.ListOf(e.File, first)
		if !ok || i+e.Count > len(*list) {
			return mutate.Refuse(e, "gone")
		}
		last := (*list)[i+e.Count-1]
		if err := m.Insert(e.File, first, false, m.Call(*e.Lock, "Lock", "")); err != nil {
			return err
		}
		return m.Insert(e.File, last, true, m.Call(*e.Lock, "Unlock", ""))
	},
}

// span does what guard does to the two statements of Twice that change the account.
var span = &mutate.Operator{
	Name: "span",
	Adds: true,
	Edits: func(fn *mutate.Function) []mutate.Edit {
		if fn.Name != "(*Account).Twice" {
			return nil
		}
		e := fn.NewEdit("span", fn.Body.List[0], fn.Body.List[:2]...)
		e.Count = 2
		e.Lock = &analysis.Lock{Expr: "a.mu", Key: "example.com/bank.Account.mu"}
		return []mutate.Edit{e}
	},
	Apply: func(m *mutate.Mutation, e mutate.Edit) error { return guard.Apply(m, e) },
}

// open removes the lock call that an edit names; another statement goes to the
// beginning of the function, as the second in Balance does to leave the section.
var open = &mutate.Operator{
	Name:    "open",
	Shrinks: true,
	Edits: func(fn *mutate.Function) []mutate.Edit {
		var edits []mutate.Edit
		for _, s := range fn.Body.List {
			edits = append(edits, fn.NewEdit("open", s, s))
		}
		return edits
	},
	Apply: func(m *mutate.Mutation, e mutate.Edit) error {
		s, ok := m.Node(e.File, e.Node).(dst.Stmt)
		if !ok {
			return mutate.Refuse(e, "gone")
		}
		if m.IsLockCall(s) {
			return m.Remove(e.File, s)
		}
		list, i, ok := m.ListOf(e.File, s)
		if !ok || i == 0 {
			return mutate.Refuse(e, "it is the first")
		}
		first := (*list)[0]
		if err := m.Remove(e.File, s); err != nil {
			return err
		}
		return m.Insert(e.File, first, false, s)
	},
}

// erase removes the statement that an edit names, whatever it does.
var erase = &mutate.Operator{
	Name: "erase",
	Edits: func(fn *mutate.Function) []mutate.Edit {
		var edits []mutate.Edit
		for _, s := range fn.Body.List {
			edits = append(edits, fn.NewEdit("erase", s, s))
		}
		return edits
	},
	Apply: func(m *mutate.Mutation, e mutate.Edit) error {
		s, ok := m.Node(e.File, e.Node).(dst.Stmt)
		if !ok {
			return mutate.Refuse(e, "gone")
		}
		return m.Remove(e.File, s)
	},
}

// repeat repeats the statement that an edit names.
var repeat = &mutate.Operator{
	Name: "repeat",
	Edits: func(fn *mutate.Function) []mutate.Edit {
		var edits []mutate.Edit
		for _, s := range fn.Body.List {
			edits = append(edits, fn.NewEdit("repeat", s, s))
		}
		return edits
	},
	Apply: func(m *mutate.Mutation, e mutate.Edit) error {
		s, ok := m.Node(e.File, e.Node).(dst.Stmt)
		if !ok {
			return mutate.Refuse(e, "gone")
		}
		return m.Insert(e.File, s, true, dst.Clone(s).(dst.Stmt))
	},
}

// edit finds the edit of an operator at the line that holds a text in a function.
func (w *world) edit(t testing.TB, operator, function, text string, count int) mutate.Edit {
	t.Helper()
	src := strings.Split(string(w.program.File("bank.go").Source), "\n")
	for _, e := range w.space.Edits() {
		if e.Operator == operator && e.Func == function && e.Count == count && strings.Contains(src[e.Line-1], text) {
			return e
		}
	}
	t.Fatalf("no edit %s of %d statements at %q in %s", operator, count, text, function)
	return mutate.Edit{}
}

func (w *world) mutant(t testing.TB, edits ...mutate.Edit) *mutate.Mutant {
	t.Helper()
	m, err := w.space.Mutant(t.Context(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// flagged marks an edit with flags.
func flagged(e mutate.Edit, flags ...mutate.Flag) mutate.Edit {
	e.Flags = flags
	return e
}

// A fakeRunner runs nothing: its functions decide by the source of bank.go how
// a run ends. It is safe for concurrent use.
type fakeRunner struct {
	world    *world
	fail     func(src string, run int) bool          // run counts from 0 within a series; nil: none fails
	test     string                                  // whose assertion fails; "": a race does
	elapsed  func(src string) time.Duration          // nil: a millisecond
	switches func(src string) int64                  // nil: 10
	build    func(mode noise.Mode, src string) error // nil: all build
	observe  func(mode noise.Mode, src string)       // nil: nobody; after a series

	mu     sync.Mutex
	series []uint64        // first seeds of noised series
	limits []time.Duration // of runs without noise
	open   int             // binaries not closed
}

func (r *fakeRunner) Build(ctx context.Context, mode noise.Mode, files map[string][]byte) (Binary, error) {
	file := r.world.program.File("bank.go")
	src, ok := files[file.Name]
	if !ok {
		src = file.Source
	}
	if r.build != nil {
		if err := r.build(mode, string(src)); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open++
	return &fakeBinary{r, mode, string(src)}, nil
}

type fakeBinary struct {
	runner *fakeRunner
	mode   noise.Mode
	src    string
}

func (b *fakeBinary) Path() string { return "" }

func (b *fakeBinary) Close() error {
	b.runner.mu.Lock()
	defer b.runner.mu.Unlock()
	b.runner.open--
	return nil
}

func (b *fakeBinary) RunMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	r := b.runner
	r.mu.Lock()
	if b.mode == noise.Noised {
		r.series = append(r.series, o.Seed)
	} else {
		r.limits = append(r.limits, o.Timeout)
	}
	r.mu.Unlock()
	var out []noise.Outcome
	for i := range n {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		outcome := noise.Outcome{Pass: true, Seed: o.Seed + uint64(i), Elapsed: time.Millisecond, Switches: 10}
		if r.elapsed != nil {
			outcome.Elapsed = r.elapsed(b.src)
		}
		if r.switches != nil {
			outcome.Switches = r.switches(b.src)
		}
		if r.fail != nil && r.fail(b.src, i) {
			outcome.Pass = false
			outcome.Failures = []evidence.Failure{{Kind: evidence.Race, Message: "amount"}}
			if r.test != "" {
				outcome.Failures[0] = evidence.Failure{Kind: evidence.TestFailure, Test: r.test, Message: "too late"}
			}
		}
		out = append(out, outcome)
		if stop != nil && stop(outcome) {
			break
		}
	}
	if r.observe != nil {
		r.observe(b.mode, b.src)
	}
	return out, nil
}

// body cuts a function out of a source.
func body(src, function string) string {
	_, rest, _ := strings.Cut(src, ") "+function+"(")
	text, _, _ := strings.Cut(rest, "\n}")
	return text
}

// locked reports whether a lock is taken before a statement of a function, and
// released after it.
func locked(src, function, stmt string) bool {
	text := body(src, function)
	at, lock, unlock := strings.Index(text, stmt), strings.Index(text, ".Lock()"), strings.LastIndex(text, ".Unlock()")
	return 0 <= lock && lock < at && at < unlock
}

// unlockedDeposit fails every run in which Deposit adds without the lock.
func unlockedDeposit(src string, _ int) bool { return !locked(src, "Deposit", "amount +=") }

// validator makes a validator over the fake world; change adapts its options.
func (w *world) validator(t testing.TB, r *fakeRunner, change func(*Options)) *Validator {
	t.Helper()
	r.world = w
	o := Options{
		Space: w.space, Runner: r, Program: w.program, Narrowing: w.narrowing,
		Before: fitness.Result{Runs: 15, Passes: 3}, Seed: 7,
		Runs:         defaultRuns, // how many are enough is a question of its own
		OptimizeTime: time.Hour,   // no test depends on the machine's speed
		Log:          t.Logf,
	}
	if change != nil {
		change(&o)
	}
	v := New(o)
	t.Cleanup(func() {
		if r.open != 0 {
			t.Errorf("%d binaries were left open", r.open)
		}
	})
	return v
}

// validate validates edits that must give a fix.
func validate(t testing.TB, v *Validator, m *mutate.Mutant) *Fix {
	t.Helper()
	fix, err := v.Validate(t.Context(), m, fitness.Result{Score: 1000, Runs: 15, Passes: 15})
	if err != nil {
		t.Fatalf("no fix: %v", err)
	}
	return fix
}

// rejection validates a mutant that must be rejected.
func rejection(t testing.TB, v *Validator, m *mutate.Mutant) *Rejected {
	t.Helper()
	fix, err := v.Validate(t.Context(), m, fitness.Result{})
	var r *Rejected
	if !errors.As(err, &r) || fix != nil {
		t.Fatalf("fix %v, error %v; want a rejection", fix, err)
	}
	return r
}

// operators names a mutant's edits: "guard Deposit 2".
func editNames(m *mutate.Mutant) []string {
	var names []string
	for _, e := range m.Edits {
		names = append(names, describe(e)+strings.Repeat("+", e.Count))
	}
	return names
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
