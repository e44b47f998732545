package validate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// racySource has a race in Deposit; TestLedger fails whatever is done, and
// TestBalance passes.
const racySource = `
-- go.mod --
module example.com/bank

go 1.25
-- bank.go --
package bank

import "sync"

type Account struct {
	mu     sync.Mutex
	amount int
}

func (a *Account) Deposit(n int) {
	trace("begin")
	a.amount += n
	trace("end")
}

func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}

func (a *Account) Twice() {
	trace("twice")
}

func trace(string) {}
-- bank_test.go --
package bank

import (
	"sync"
	"testing"
)

func TestDeposit(t *testing.T) {
	a := new(Account)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { a.Deposit(1) })
	}
	group.Wait()
	if n := a.Balance(); n != 4 {
		t.Errorf("%d of 4 deposits", n)
	}
}

func TestBalance(t *testing.T) {
	if n := new(Account).Balance(); n != 0 {
		t.Errorf("balance %d", n)
	}
}

func TestLedger(t *testing.T) { t.Error("old trouble") }
`

// A real program, built and run with noise: a bloated candidate becomes the
// minimal fix, and one that does not mend the race is rejected by it.
func TestEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	ctx := t.Context()
	tool, p := loadReal(t, racySource, "TestDeposit")
	if tool.RaceErr != nil {
		t.Skipf("the race decides here: %v", tool.RaceErr)
	}
	n := analysis.NarrowTo(p, func(kind analysis.FindingKind, name string) bool {
		return kind == analysis.FunctionFinding || name == "Account.amount"
	})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{guard})
	if err != nil {
		t.Fatal(err)
	}
	harness, err := noise.New(noise.Config{Tool: tool, Program: p, Narrowing: n})
	if err != nil {
		t.Fatal(err)
	}
	defer harness.Close()
	v := New(Options{
		Space: space, Runner: Harness(harness), Tool: tool, Program: p, Narrowing: n,
		Before: fitness.Result{Runs: 15, Passes: 1}, Seed: 3, Runs: 20, CostPairs: 3, TestRuns: 1, Log: t.Logf,
	})
	w := &world{program: p, narrowing: n, space: space}
	needless := w.edit(t, "guard", "(*Account).Twice", "twice", 1)

	fix := validate(t, v, w.mutant(t, needless, w.edit(t, "guard", "(*Account).Deposit", "begin", 3)))
	if fix.Changed.Total() != 2 || fix.Guarded != 1 || len(fix.Mutant.Edits) != 1 {
		t.Errorf("fix %v: changed %+v, guarded %d, steps %+v", editNames(fix.Mutant), fix.Changed, fix.Guarded, fix.Steps)
	}
	if fix.Confirmed.Runs != 20 || fix.Vet.Verdict != Passed || fix.Tests.Verdict != Passed || fix.Tests.Tests != 2 {
		t.Errorf("confirmed %+v, vet %+v, tests %+v", fix.Confirmed, fix.Vet, fix.Tests)
	}
	if strings.Join(fix.Tests.Ignored, " ") != "TestLedger" {
		t.Errorf("ignored %v", fix.Tests.Ignored)
	}

	_, err = v.Validate(ctx, w.mutant(t, needless), fitness.Result{})
	var r *Rejected
	if !errors.As(err, &r) || r.Stage != StageConfirm || r.Failure == nil {
		t.Errorf("a mutant that mends nothing: %v", err)
	}
}

// loadReal writes a module and loads its package, with the tests of a pattern.
func loadReal(t *testing.T, source, run string) (*gotool.Toolchain, *analysis.Program) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(source)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: ".", Run: run})
	if err != nil {
		t.Fatal(err)
	}
	return tool, p
}
