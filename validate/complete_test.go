package validate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/lockread"
)

// boxSource has a variable that a failure names, amount, and one that is
// written beside it, last.
const boxSource = `
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
	a.amount += n
	a.last = n
}

func (a *Account) Show() {
	println(a.amount)
}

func (a *Account) Last() {
	println(a.last)
}
-- bank_test.go --
package bank

import "testing"

func TestDeposit(t *testing.T) { new(Account).Deposit(1) }
`

// closing is what guards amount by another lock.
const closing = `
var other sync.Mutex

func (a *Account) Clear() {
	other.Lock()
	a.amount = 0
	other.Unlock()
}
`

// loadBox loads the program, with more at its end, and a race on amount in Deposit.
func loadBox(t *testing.T, more string) *world {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(boxSource)).Files {
		if f.Name == "bank.go" {
			f.Data = slices.Concat(f.Data, []byte(more))
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: ".", Run: "TestDeposit"})
	if err != nil {
		t.Fatal(err)
	}
	file := p.File("bank.go")
	line := 1 + strings.Count(strings.Split(string(file.Source), "a.amount +=")[0], "\n")
	frame := evidence.Frame{Func: "example.com/bank.(*Account).Deposit", File: file.Name, Line: line}
	n := analysis.NarrowTo(p, shared)
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Race, Signature: "amount", Stacks: []evidence.Stack{
		{Role: "write", Frames: []evidence.Frame{frame}},
		{Role: "previous write", Frames: []evidence.Frame{frame}},
	}})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{guard})
	if err != nil {
		t.Fatal(err)
	}
	return &world{program: p, narrowing: n, space: space}
}

func TestCompletes(t *testing.T) {
	w := loadBox(t, "")
	one := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, tt := range []struct {
		name        string
		fail        func(src string, run int) bool
		locked      []string // functions, with the text of the statement
		flags       []mutate.Flag
		unguarded   int
		unexercised []string
	}{
		{
			name: "with companions", locked: []string{"Deposit amount", "Deposit last", "Show amount", "Last last"},
			unexercised: []string{"Account.last"},
		},
		{
			name: "the companion cannot be guarded", fail: func(src string, _ int) bool { return locked(src, "Last", "last") },
			locked: []string{"Deposit amount", "Show amount"},
		},
		{
			name: "no other use can be guarded", fail: func(src string, _ int) bool { return locked(src, "Show", "amount") },
			locked: []string{"Deposit amount"}, flags: []mutate.Flag{mutate.IncompleteGuard}, unguarded: 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fix := validate(t, w.validator(t, &fakeRunner{fail: tt.fail}, nil), one)
			src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
			for _, use := range []string{"Deposit amount", "Deposit last", "Show amount", "Last last"} {
				function, stmt, _ := strings.Cut(use, " ")
				if got, want := locked(src, function, "a."+stmt), slices.Contains(tt.locked, use); got != want {
					t.Errorf("%s: locked %v, want %v", use, got, want)
				}
			}
			if !slices.Equal(fix.Flags, tt.flags) || len(fix.Quality.Unguarded) != tt.unguarded || !slices.Equal(fix.Quality.Unexercised, tt.unexercised) {
				t.Errorf("flags %v, quality %+v", fix.Flags, fix.Quality)
			}
			if fix.Score.Runs == 0 || fix.Confirmed.Runs != 150 {
				t.Errorf("score %+v, confirmed %+v", fix.Score, fix.Confirmed)
			}
		})
	}
}

// A companion of which a use would run a caller's code under the lock is left as it is, if
// the lock is held at others.
func TestCompanionOfCallback(t *testing.T) {
	w := loadBox(t, `
func (a *Account) Tell(f func(int)) { f(a.last) }

func (a *Account) Reset() {
	a.mu.Lock()
	a.last = 0
	a.mu.Unlock()
}
`)
	one := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	fix := validate(t, w.validator(t, &fakeRunner{}, nil), one)
	src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
	if !locked(src, "Deposit", "a.amount") || !locked(src, "Show", "a.amount") {
		t.Errorf("amount is not guarded:\n%s", src)
	}
	if locked(src, "Tell", "a.last") || locked(src, "Last", "a.last") {
		t.Errorf("last is guarded:\n%s", src)
	}
}

// No step of minimising takes the lock from a use of what the fix guards,
// although no run shows that it is needed.
func TestMinimisingExposesNothing(t *testing.T) {
	w := loadBox(t, "")
	both := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Show", "amount", 1))
	fix := validate(t, w.validator(t, &fakeRunner{fail: func(src string, _ int) bool {
		return !locked(src, "Deposit", "amount") || locked(src, "Last", "last")
	}}, nil), both)
	if fix.Mutant.Hash != both.Hash {
		t.Errorf("left %v", editNames(fix.Mutant))
	}
	if !slices.ContainsFunc(fix.Steps, func(s Step) bool { return !s.Kept && strings.Contains(s.Reason, "read without mu in (*Account).Show") }) {
		t.Errorf("steps do not tell why: %+v", fix.Steps)
	}
}

// A second lock for what another one guards is no guard, and more of it no better.
func TestAnotherLockIsIncomplete(t *testing.T) {
	w := loadBox(t, closing)
	fix := validate(t, w.validator(t, &fakeRunner{}, nil), w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 2)))
	if !slices.Equal(fix.Flags, []mutate.Flag{mutate.IncompleteGuard, mutate.WrongLock}) || len(fix.Mutant.Edits) != 1 {
		t.Errorf("flags %v, edits %v", fix.Flags, editNames(fix.Mutant))
	}
	if !slices.ContainsFunc(fix.Quality.Unguarded, func(s string) bool { return strings.Contains(s, "written without mu in (*Account).Clear") }) {
		t.Errorf("unguarded %q", fix.Quality.Unguarded)
	}
}

// A fix is offered without what the tests do not exercise too, confirmed by as many
// runs, and right behind.
func TestWithoutCompanions(t *testing.T) {
	w := loadBox(t, "")
	one := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	v := w.validator(t, &fakeRunner{}, nil)
	fix := validate(t, v, one)
	less, err := v.WithoutCompanions(t.Context(), fix, one, fitness.Result{})
	if err != nil || less == nil {
		t.Fatalf("fix %v, error %v", less, err)
	}
	src := string(less.Mutant.Files[w.program.File("bank.go").Name])
	for use, want := range map[string]bool{"Deposit amount": true, "Deposit last": false, "Show amount": true, "Last last": false} {
		function, stmt, _ := strings.Cut(use, " ")
		if got := locked(src, function, "a."+stmt); got != want {
			t.Errorf("%s: locked %v, want %v", use, got, want)
		}
	}
	if q := less.Quality; !slices.Equal(q.Omitted, []string{"Account.last"}) || len(q.Unexercised) > 0 || len(less.Flags) > 0 || less.Confirmed.Runs != fix.Confirmed.Runs {
		t.Errorf("fix %+v", less)
	}
	fixes := []*Fix{less, fix}
	if Rank(fixes); fixes[0] != fix {
		t.Error("the fix without what the tests do not exercise ranks first")
	}
	if again, err := v.WithoutCompanions(t.Context(), less, one, fitness.Result{}); again != nil || err != nil {
		t.Errorf("of a fix without companions: %v, error %v", again, err)
	}
}

// What keeps the rest from being a fix is said.
func TestWithoutCompanionsRefuted(t *testing.T) {
	w := loadBox(t, "")
	one := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	v := w.validator(t, &fakeRunner{fail: func(src string, _ int) bool { return !locked(src, "Last", "a.last") }}, nil)
	fix := validate(t, v, one)
	less, err := v.WithoutCompanions(t.Context(), fix, one, fitness.Result{})
	var rejected *Rejected
	if less != nil || !errors.As(err, &rejected) {
		t.Errorf("fix %v, error %v", less, err)
	}
}

// What a candidate guards already beside what the evidence names is not left out as it is
// reduced, although no run shows that it is needed.
func TestGuardedCompanionsStay(t *testing.T) {
	w := loadBox(t, "")
	whole := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Deposit", "last", 1),
		w.edit(t, "guard", "(*Account).Show", "amount", 1), w.edit(t, "guard", "(*Account).Last", "last", 1))
	fix := validate(t, w.validator(t, &fakeRunner{fail: func(src string, _ int) bool {
		return !locked(src, "Deposit", "amount") || !locked(src, "Show", "amount")
	}}, nil), whole)
	src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
	if !locked(src, "Deposit", "a.last") || !locked(src, "Last", "a.last") {
		t.Errorf("last is left out: %v", editNames(fix.Mutant))
	}
	if !slices.Equal(fix.Quality.Unexercised, []string{"Account.last"}) {
		t.Errorf("not exercised: %v", fix.Quality.Unexercised)
	}
}

// A candidate that would wait under the lock is completed otherwise: what it waits for is read under the lock.
func TestWaitsAreRelieved(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/job\n\ngo 1.25\n",
		"job.go": `package job

import "sync"

type Job struct {
	mu   sync.Mutex
	n    int
	done chan bool
}

func (j *Job) Start() {
	j.done = make(chan bool)
}

func (j *Job) Wait() {
	<-j.done
}

func (j *Job) Count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.n
}
`,
		"job_test.go": "package job\n\nimport \"testing\"\n\nfunc TestJob(t *testing.T) { new(Job).Start() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: ".", Run: "TestJob"})
	if err != nil {
		t.Fatal(err)
	}
	at := func(line int) []evidence.Frame { return []evidence.Frame{{File: p.File("job.go").Name, Line: line}} }
	n := analysis.NarrowTo(p, shared)
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Race, Signature: "done", Stacks: []evidence.Stack{
		{Role: "write", Frames: at(12)}, {Role: "previous read", Frames: at(16)},
	}})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, lockread.Operator})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{program: p, narrowing: n, space: space}
	var edits []mutate.Edit
	for _, e := range space.Edits() {
		if e.Operator == "addlock" && e.Form == "statement" && e.Lock.New == nil && (e.Line == 12 || e.Line == 16) {
			edits = append(edits, e)
		}
	}
	all, err := w.validator(t, &fakeRunner{}, nil).completions(t.Context(), w.mutant(t, edits...))
	if err != nil || len(edits) != 2 {
		t.Fatalf("%d edits, %v", len(edits), err)
	}
	if len(all) != 2 { // the candidate itself is the last
		t.Fatalf("%d completions, want 2", len(all))
	}
	for i, want := range []string{"lockread", "addlock"} {
		if in := all[i].mutant.Edits; !slices.ContainsFunc(in, func(e mutate.Edit) bool { return e.Operator == want && e.Line == 16 }) {
			t.Errorf("completion %d: no %s of what is waited for: %v", i, want, in)
		}
	}
}
