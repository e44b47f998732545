package mutate_test

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// flagsOf enumerates the edits of sections in a package and lists, by operator
// and function, whether each is flagged for dropping a guard.
func flagsOf(t *testing.T, src []byte, shared ...string) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in.go"), src)
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/guards\n\ngo 1.25\n"))
	p, n := mutatetest.Load(t, dir, shared, []string{"*"})
	space, err := mutate.NewSpace(p, n, sectionOperators)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]bool{}
	for _, e := range space.Edits() {
		drops := slices.Contains(e.Flags, mutate.DropsGuard)
		flags[e.Operator+" "+e.Func], flags[e.Operator+"/"+e.Form+" "+e.Func] = drops, drops
	}
	return flags
}

func checkFlags(t *testing.T, got, want map[string]bool) {
	t.Helper()
	for edit, drops := range want {
		have, ok := got[edit]
		switch {
		case !ok:
			t.Errorf("%s: no such edit among %v", edit, got)
		case have != drops:
			t.Errorf("%s: drops a guard: got %v, want %v", edit, have, drops)
		}
	}
}

// Of the ways to mend the deadlock between two locks, those that leave data
// without its lock are flagged, although no race detector would miss that lock:
// nothing writes the pending beats while they are read.
func TestGuardsOfUnnamedStruct(t *testing.T) {
	ar, err := txtar.ParseFile(filepath.Join("releasearound", "testdata", "callee.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	checkFlags(t, flagsOf(t, ar.Files[0].Data, "replica.n"), map[string]bool{
		"removelock/method (*store).flush":         true,
		"releasearound (*store).flush":             false,
		"releasearound (*replica).tick":            false,
		"removelock/statement (*replica).coalesce": true,
	})
}

func TestGuards(t *testing.T) {
	const src = `package guards

import "sync"

type account struct {
	mu     sync.Mutex
	amount int
	name   string
}

var (
	totalMu sync.Mutex
	total   int
	onceMu  sync.Mutex
	once    int
)

// The receiver's lock guards its own amount alone.
func (a *account) to(b *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.amount++
}

func (a *account) add() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount++
}

// What is never written needs no lock.
func (a *account) title() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.name
}

// A callee uses what the lock guards; another locks for itself.
func (a *account) calls() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.addLocked()
}

func (a *account) addLocked() { a.addTwice() }
func (a *account) addTwice()  { a.amount += 2 }

func (a *account) callsLocking(b *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.add()
}

// The inner section's lock guards the inner account.
func outer(a, b *account) {
	a.mu.Lock()
	b.mu.Lock()
	b.amount++
	b.mu.Unlock()
	a.mu.Unlock()
}

// Two sections of a package's lock use its total, one section its own variable.
func addTotal() {
	totalMu.Lock()
	defer totalMu.Unlock()
	total++
}

func readTotal() int {
	totalMu.Lock()
	defer totalMu.Unlock()
	return total
}

func addOnce() {
	onceMu.Lock()
	defer onceMu.Unlock()
	once++
}
`
	got := flagsOf(t, []byte(src), "account.amount", "total", "once")
	checkFlags(t, got, map[string]bool{
		"removelock/method (*account).to":           false,
		"removelock/method (*account).add":          true,
		"removelock/method (*account).title":        false,
		"removelock/method (*account).calls":        true,
		"removelock/method (*account).callsLocking": false,
		"removelock/body outer":                     false,
		"removelock/inner outer":                    true,
		"removelock/body addTotal":                  true,
		"removelock/body readTotal":                 true,
		"removelock/body addOnce":                   false,
	})
}

// Promoted fields are fields of the value that embeds them: p.mu guards
// p.amount, however it is written, and not other.amount.
func TestGuardsPromoted(t *testing.T) {
	const src = `package bank

import "sync"

type ledger struct {
	mu     sync.Mutex
	amount int
}

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.amount += n
}

type personal struct{ ledger }

func (p *personal) give(other *ledger, n int) {
	p.mu.Lock()
	p.ledger.amount -= n
	other.amount += n
	p.mu.Unlock()
}

func (p *personal) get(n int) {
	p.mu.Lock()
	n++
	p.amount += n
	p.mu.Unlock()
}

func (p *personal) fetch(n int) {
	p.mu.Lock()
	n++
	p.ledger.amount += n
	p.mu.Unlock()
}
`
	got := flagsOf(t, []byte(src), "ledger.amount")
	checkFlags(t, got, map[string]bool{
		"shrinkend (*personal).give":  false,
		"shrinkend (*personal).get":   true,
		"shrinkend (*personal).fetch": true,
	})
}
