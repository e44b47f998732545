package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
	"mendel/validate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: -want +got:\n%s", file, d)
	}
}

const bankBefore = `package bank

import "fmt"

// An Account holds money.
type Account struct {
	amount int
}

// Print prints.
func (a *Account) Print() {
	fmt.Println("amount")
	fmt.Println("of this account")
	fmt.Println("is secret")
}

// Transfer moves money.
func (a *Account) Transfer(to *Account, n int) {
	a.amount -= n
	to.amount += n
}
`

const bankAfter = `package bank

import (
	"fmt"
	"sync"
)

// An Account holds money.
type Account struct {
	mu     sync.Mutex // guards amount
	amount int
}

// Print prints.
func (a *Account) Print() {
	fmt.Println("amount")
	fmt.Println("of this account")
	fmt.Println("is secret")
}

// Transfer moves money.
func (a *Account) Transfer(to *Account, n int) {
	a.amount -= n
	// to.amount is also changed by other goroutines.
	to.mu.Lock()
	to.amount += n
	to.mu.Unlock()
}
`

// bank is a change with the edit that made it.
func bank() ([]Change, []mutate.Edit) {
	change := Change{Path: "bank/bank.go", Before: []byte(bankBefore), After: []byte(bankAfter)}
	edit := mutate.Edit{
		Operator: "lockstatement",
		File:     "bank/bank.go",
		Line:     20,
		Func:     "(*Account).Transfer",
		Count:    1,
		Lock: &analysis.Lock{
			Expr: "to.mu",
			Key:  "example.com/bank.Account.mu",
			New:  &analysis.NewLock{Kind: "field", Name: "mu", File: "bank/bank.go", Offset: 84},
		},
		Vars: []string{"amount", "amount"},
		Note: "to.amount is also changed by other goroutines.",
	}
	return []Change{change}, []mutate.Edit{edit}
}

// story tells of the bank's repair.
func story() Story {
	_, edits := bank()
	race := evidence.Failure{
		Kind:      evidence.Race,
		Signature: "race amount",
		Message:   "data race: write in (*Account).Transfer, previous write in (*Account).Transfer",
		Test:      "TestTransfer",
		Stacks: []evidence.Stack{
			{Role: "write", Frames: []evidence.Frame{
				{Func: "runtime.racewrite", File: "/go/src/runtime/race.go", Line: 1},
				{Func: "example.com/x/bank.(*Account).Transfer", File: "/m/bank/bank.go", Line: 20},
			}},
			{Role: "previous write", Frames: []evidence.Frame{
				{Func: "example.com/x/bank.(*Account).Transfer", File: "/m/bank/bank.go", Line: 19},
			}},
			{Role: "only runtime", Frames: []evidence.Frame{{Func: "runtime.gopark", File: "/go/src/runtime/proc.go", Line: 9}}},
		},
	}
	return Story{
		Program:  &analysis.Program{Module: "/m"},
		Failures: []evidence.Failure{race},
		Fix: &validate.Fix{
			Mutant:    &mutate.Mutant{Edits: edits, Hash: "abc"},
			Confirmed: validate.Confirmation{Runs: 150, FirstSeed: 1 << 63},
			Race:      true,
			Before: fitness.Result{
				Runs: 15, Passes: 13,
				Failures: map[evidence.Kind]int{evidence.Race: 1, evidence.TestFailure: 1},
			},
			Cost: validate.Cost{
				Pairs: 10, Time: 1.34, Switches: 0.98,
				TimeInterval: validate.Interval{Low: 1.2, High: 1.5}, SwitchesInterval: validate.Interval{Low: 0.9, High: 1.1},
			},
			Changed: validate.Lines{Added: 7, Removed: 1, Comments: 1, Realigned: 1},
			Guarded: 1,
			Quality: validate.Quality{
				NewLocks: 1, LongestSection: 4, Parallelism: 0.97,
				Blocking: []string{"bank/bank.go:12: channel receive", "bank/bank.go:14: flush: time.Sleep"},
			},
			Parallel: validate.Parallel{Processors: 2, Before: 1.92, After: 1.86, Rounds: 5, Benchmarks: true},
			Vet:      validate.Check{Verdict: validate.Passed},
			Tests: validate.TestCheck{
				Check: validate.Check{Verdict: validate.Passed},
				Plain: 3, Race: 3, Tests: 7, Ignored: []string{"TestSlow", "TestOld"},
			},
		},
	}
}
