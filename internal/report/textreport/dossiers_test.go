package textreport

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mendel/internal/dossier"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
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

// An Account holds money.
type Account struct {
	amount int
}

// Deposit adds to an account.
func (a *Account) Deposit(n int) {
	a.amount += n
}
`

const bankAfter = `package bank

import "sync"

// An Account holds money.
type Account struct {
	mu     sync.Mutex // guards amount
	amount int
}

// Deposit adds to an account.
func (a *Account) Deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount += n
}
`

const bankOther = `package bank

// An Account holds money.
type Account struct {
	amount int
}

var mu = make(chan struct{}, 1)

// Deposit adds to an account.
func (a *Account) Deposit(n int) {
	mu <- struct{}{}
	a.amount += n
	<-mu
}
`

// bank is a repair of a data race with two fixes.
func bank() *dossier.Dossier {
	accesses := []dossier.Place{
		{What: "write", Func: "(*Account).Deposit", File: "bank/bank.go", Line: 10, Text: "a.amount += n"},
		{What: "read", Func: "(*Account).Deposit", File: "bank/bank.go", Line: 10, Text: "a.amount += n"},
		{What: "created", Func: "TestDeposit", File: "bank/bank_test.go", Line: 9, Text: "go a.Deposit(1)"},
	}
	return &dossier.Dossier{
		Version: dossier.Version, Began: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Seconds: 7.3, Budget: 600,
		Go: "go1.26.0 linux/amd64", Seed: 1, Resumed: 1,
		Module: "example.com/m", Dir: "/src/repo/m", Package: "example.com/m/bank", Run: "TestDeposit", Status: "fixed",
		Failures: []dossier.FailureRecord{{
			Kind: "race", Message: "data race: write in (*Account).Deposit bank.go:10, previous read in (*Account).Deposit bank.go:10",
			Signature: "race: Deposit, Deposit", Test: "TestDeposit", Seen: 9, Runs: 10, Places: accesses,
			Schedule: "failure-1.schedule", Trace: racing(),
		}, {Kind: "test-failure", Message: "amount is 1, want 2", Signature: "TestDeposit", Test: "TestDeposit"}},
		Fixes: []dossier.Fix{{
			Patch: "fix-1.patch", Title: "Fix data race in (*Account).Deposit",
			Message: "Fix data race in (*Account).Deposit\n\n9 of 10 runs of the original failed.\n\n--- this is no diff\nFrom here on it is one commit message.\n",
			Files:   []dossier.File{{Path: "bank/bank.go", Before: bankBefore, After: bankAfter}},
			Edits: []dossier.Edit{{
				Operator: "lockmethod", File: "bank/bank.go", Line: 9, Func: "(*Account).Deposit", Lock: "a.mu",
				Vars: []string{"Account.amount"}, Note: "a.amount is used by several goroutines",
				Words: "lockmethod a.mu (a new field) for Account.amount", Conflicts: accesses[:2],
			}},
			Score: 1000, ChangedLines: 6, Generation: 1, Evidence: supported(), Replays: []*dossier.Trace{replayed(), nil},
		}, {
			Patch: "fix-2.patch", Title: "Fix data race in (*Account).Deposit with a channel", Message: "Fix data race",
			Files: []dossier.File{{Path: "bank/bank.go", Before: bankBefore, After: bankOther}},
			Edits: []dossier.Edit{{Operator: "semaphore", File: "bank/bank.go", Line: 10, Words: "semaphore mu for Account.amount"}},
			Flags: []dossier.Flag{{Name: "nested-lock", Words: "a lock is acquired while another is held"}},
			Score: 1000, ChangedLines: 4, Generation: 2,
			Evidence: dossier.Evidence{FailedBefore: 9, RunsBefore: 10, Limits: []string{"only what the tests execute was looked at"}},
		}},
		Rejected: []dossier.Rejected{{What: "go-inline at bank_test.go:9", Stage: "rules", Rule: "keep-concurrency", Reason: "a | b are no longer concurrent", At: 2.5}},
		Search: dossier.Search{
			Edits: 19, Original: 120, Generations: 2, Evaluations: 40, Builds: 12, Schedules: 3000, Runs: 200, Ended: "a fix that cannot be made smaller",
			History:   []dossier.Generation{{Number: 1, Best: 1000, Mean: 400}, {Number: 2, Best: 1000, Mean: 600}},
			Operators: []dossier.OperatorCount{{Operator: "lockmethod", Tried: 20, Better: 8, Full: 2, Fixes: 1}, {Operator: "semaphore", Tried: 9, Full: 1, Fixes: 1}},
		},
		Phases: []dossier.Phase{{Name: "load", Seconds: 0.4}, {Name: "search", Seconds: 6.9}},
		Notes:  []string{"1 test was left out"},
	}
}

func supported() dossier.Evidence {
	return dossier.Evidence{
		FailedBefore: 9, RunsBefore: 10, RunsAfter: 150, FirstSeed: 1, Race: true, Vet: true,
		OtherTests: "The package's tests: 2 tests passed in 3 plain runs without noise and 3 with -race.",
		Verdict:    "exhausted", Bound: 2, Schedules: 2995, Followed: 1,
		Check:  "Model checker: every schedule with at most 2 preemptions passed (2995 schedules tried in 0.2 s), among them 1 schedule that failed before.",
		Limits: []string{"Only what the tests execute was examined."}, Time: 1.02, TimeInterval: dossier.Interval{Low: 0.97, High: 1.08},
		Switches: 0.83, SwitchesInterval: dossier.Interval{Low: 0.7, High: 0.95}, Parallelism: 0.99,
	}
}

// racing is two deposits at once.
func racing() *dossier.Trace {
	return &dossier.Trace{
		Test: "TestDeposit", Goroutines: []string{"main", "bank_test.go:9#1", "bank_test.go:9#2"},
		Rows: []dossier.Row{
			{G: 0, File: "bank/bank_test.go", Line: 9, Text: "go a.Deposit(1)", Op: "go", Starts: 1},
			{G: 0, File: "bank/bank_test.go", Line: 9, Text: "go a.Deposit(1)", Op: "go", Starts: 2, Folded: 3},
			{G: 1, File: "bank/bank.go", Line: 10, Text: "a.amount += n", Op: "write amount", Mark: dossier.Conflict},
			{G: 2, File: "bank/bank.go", Line: 10, Text: "a.amount += n", Op: "read amount", Mark: dossier.Conflict},
		},
		Conflict: [2]int{2, 3}, Failed: true, Ending: "data race: nothing orders the two accesses",
	}
}

// replayed is the same with a lock.
func replayed() *dossier.Trace {
	return &dossier.Trace{
		Test: "TestDeposit", Goroutines: []string{"main", "bank_test.go:9#1", "bank_test.go:9#2"}, Hidden: 1,
		Rows: []dossier.Row{
			{G: 0, File: "bank/bank_test.go", Line: 9, Text: "go a.Deposit(1)", Op: "go", Starts: 1},
			{G: 0, File: "bank/bank_test.go", Line: 9, Text: "go a.Deposit(1)", Op: "go", Starts: 2},
			{G: 1, File: "bank/bank.go", Line: 13, Text: "a.mu.Lock()", Op: "Lock a.mu", Mark: dossier.Switched},
			{G: 1, File: "bank/bank.go", Line: 16, Text: "}", Op: "Unlock a.mu"},
			{G: 1, Op: "ends"},
			{G: 2, File: "bank/bank.go", Line: 13, Text: "a.mu.Lock()", Op: "Lock a.mu", Mark: dossier.Switched},
			{G: 0, File: "bank/bank_test.go", Line: 11, Text: "wg.Wait()", Op: "waits: WaitGroup.Wait", Mark: dossier.Stuck},
		},
		Bars:     []dossier.Bar{{G: 1, Lock: "a.mu", From: 2, To: 3}, {G: 2, Lock: "a.mu", From: 5, To: -1}},
		Conflict: [2]int{-1, -1}, Ending: "every goroutine is done", Diverged: "goroutine 2 waits for a.mu",
	}
}

// unfixed is a repair of a deadlock that has not led to a fix.
func unfixed() *dossier.Dossier {
	d := bank()
	d.Status, d.Reason, d.Fixes, d.Rejected = "not-fixed", "the search no longer improves after 12 generations", nil, nil
	d.Failures = []dossier.FailureRecord{{Kind: "deadlock", Message: "all goroutines are asleep", Signature: "deadlock: wait", Trace: replayed(), Places: []dossier.Place{{What: "blocked: chan send"}}}}
	d.Partial = []dossier.Partial{{
		What: "swaplocks at bank.go:12", Score: 800, Passes: 4, Runs: 5, Diff: "--- a/bank/bank.go\n+++ b/bank/bank.go\n@@ -1 +1 @@\n-x\n+y\n",
		Remains: []string{"deadlock: 2 goroutines are blocked for ever"}, Trace: replayed(),
	}}
	d.Diagnoses = []dossier.Diagnosis{
		{
			Fault: "lock-order inversion", Certainty: "shown", Says: "bank/bank.go:24 waits for b.mu while it holds a.mu; its owner waits at bank/bank.go:30 for another lock",
			Places:   []dossier.Place{{Func: "(*Account).Transfer", File: "bank/bank.go", Line: 24}},
			Declined: []dossier.Declined{{Operator: "orderlocks", File: "bank/bank.go", Line: 24, Reason: "there is no pair of locks of two values of one type that has a field to order them by"}},
		},
		{Fault: "data race", Certainty: "possible", Says: "no lock guards n"},
	}
	d.Suspects = []dossier.Suspect{
		{
			Fault: "lock-order inversion", Variable: "Account.mu", Suspiciousness: 0.94, Says: "waits for b.mu while it holds a.mu; its owner waits at bank/bank.go:30 for another lock",
			Place:   dossier.Place{What: "lock", Func: "(*Account).Transfer", File: "bank/bank.go", Line: 24, Text: "b.mu.Lock()"},
			Partner: &dossier.Place{What: "lock", Func: "(*Account).Close", File: "bank/bank.go", Line: 30, Text: "a.mu.Lock()"},
		},
		{Fault: "lock-order inversion", Suspiciousness: 0.5, Says: "noise here | fails", Place: dossier.Place{What: "lock", File: "bank/bank.go", Line: 23, Text: "a.mu.Lock()"}},
	}
	return d
}

// fill puts text into every string that v holds.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.String:
		v.SetString(text)
	}
}

// hostile is a dossier with a text in all of its strings.
func hostile(d *dossier.Dossier, text string) *dossier.Dossier {
	fill(reflect.ValueOf(d), text)
	return d
}
