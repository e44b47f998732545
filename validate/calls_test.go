package validate

import (
	"bytes"
	"testing"

	"mendel/mutate"
	"mendel/validate/sections"
)

// A caller holds the lock for what its callee uses, wherever the edit takes it away.
func TestCallsAreGuarded(t *testing.T) {
	const more = closing + `
func (a *Account) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for range 2 {
		a.empty(len("one"))
	}
	log()
}

func (a *Account) empty(int) { a.zero() }

func (a *Account) zero() { a.amount = 0 }

func log() {}

func (a *Account) Lend() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lent()
}

func (a *Account) lent() {
	a.mu.Lock()
	a.amount--
	a.mu.Unlock()
}
`
	w := loadBox(t, more)
	file := w.program.File("bank.go")
	for _, tt := range []struct {
		name     string
		old, new string
		kept     bool
	}{
		{"nothing released", "log()", "log()", true},
		{"around a call that uses nothing", "\tlog()\n}", "\ta.mu.Unlock()\n\tlog()\n\ta.mu.Lock()\n}", true},
		{"around a call that uses what the lock guards", "\t\ta.empty(len(\"one\"))\n", "\t\ta.mu.Unlock()\n\t\ta.empty(len(\"one\"))\n\t\ta.mu.Lock()\n", false},
		{"its argument stays", "\t\ta.empty(len(\"one\"))\n", "\t\tn := len(\"one\")\n\t\ta.mu.Unlock()\n\t\ta.empty(n)\n\t\ta.mu.Lock()\n", false},
		{"another lock in its place", "\t\ta.empty(len(\"one\"))\n", "\t\ta.mu.Unlock()\n\t\tother.Lock()\n\t\ta.empty(len(\"one\"))\n\t\tother.Unlock()\n\t\ta.mu.Lock()\n", true},
		{"around a call that locks itself", "\ta.lent()\n}", "\ta.mu.Unlock()\n\ta.lent()\n\ta.mu.Lock()\n}", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := bytes.Replace(file.Source, []byte(tt.old), []byte(tt.new), 1)
			m, err := mutate.Given(w.program, map[string][]byte{file.Name: source})
			if err != nil {
				t.Fatal(err)
			}
			kept, err := sections.New(w.program, w.narrowing, w.model).KeepsGuards(m)
			if err != nil || kept != tt.kept {
				t.Errorf("kept %t, want %t (%v)", kept, tt.kept, err)
			}
		})
	}
}
