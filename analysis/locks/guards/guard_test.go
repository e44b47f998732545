package guards_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
	"mendel/analysis/locks/guards"
)

const guarded = `package p

import "sync"

type Account struct {
	mu, other sync.Mutex
	amount    int
	owner     string // guarded by other
	id        int
}

func New() *Account {
	a := &Account{id: 1}
	a.amount = 1
	return a
}

func (a *Account) Add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(n)
}

func (a *Account) add(n int) { a.amount += n }

func (a *Account) Amount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}

func (a *Account) Peek() int { return a.amount + a.id }

func (a *Account) Rename(s string) {
	a.mu.Lock()
	a.owner = s
	a.mu.Unlock()
}
`

// A variable's guard is what a comment says, or what is held at most of its uses; the uses
// without it are exceptions.
func TestGuards(t *testing.T) {
	p := analysistest.Source(t, guarded)
	var got []string
	for _, g := range guards.All(locks.New(p)) {
		text := fmt.Sprintf("%s: %s, held at %d", g.Name, g.Lock, len(g.Held))
		for _, u := range g.Exceptions {
			text += fmt.Sprintf(", not in line %d", p.Fset.Position(u.At.Pos()).Line)
		}
		got = append(got, text)
	}
	want := []string{
		"Account.amount: example.com/p.Account.mu, held at 2, not in line 32",
		"Account.owner: example.com/p.Account.other, held at 0, not in line 36",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("guards (-want +got):\n%s", diff)
	}
}
