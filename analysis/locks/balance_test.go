package locks

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks/naming"
)

// Each function says in its comment what is wrong with how it holds s.mu; lines are counted from
// the function's own. A release at an exit where it is held mends it.
func TestBalance(t *testing.T) {
	p := analysistest.Source(t, `package p

import "sync"

type S struct {
	mu   sync.RWMutex
	next *S
	n    int
}

func (s *S) lock()     { s.mu.Lock() }
func (s *S) unlock()   { s.mu.Unlock() }
func (s *S) read() int { s.mu.RLock(); defer s.mu.RUnlock(); return s.n }
func (s *S) three() int { s.mu.RLock(); defer s.mu.RUnlock(); return s.read() }

// right:
func (s *S) whole() { s.mu.Lock(); defer s.mu.Unlock(); s.n++ }

// LeftHeld +3:
func (s *S) early(ok bool) {
	s.mu.Lock()
	if ok {
		return
	}
	s.n++
	s.mu.Unlock()
}

// right, by a helper:
func (s *S) helped(ok bool) {
	s.mu.Lock()
	if ok {
		s.unlock()
		return
	}
	s.mu.Unlock()
}

// right, on both values of a flag:
func (s *S) flagged(locked bool) {
	if !locked {
		s.mu.Lock()
	}
	s.n++
	if !locked {
		s.mu.Unlock()
	}
}

// right, though it is held for reading three times:
func (s *S) nested() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.three()
}

// IterationHeld +4
func (s *S) loop(list []int) {
	for _, n := range list {
		s.mu.Lock()
		if n == 0 {
			continue
		}
		s.mu.Unlock()
	}
}

// right, entered with the lock held
func (s *S) pause() {
	s.mu.Unlock()
	s.n++
	s.mu.Lock()
}

// NotHeld +2
func (s *S) other() {
	s.mu.RLock()
	defer s.mu.Unlock()
}

// nothing: renamed while it is held
func (s *S) walk() {
	s.mu.Lock()
	s = s.next
	s.mu.Unlock()
}

// nothing: it is tried
func (s *S) tried() {
	if s.mu.TryLock() {
		s.mu.Unlock()
	}
}

// nothing: a goroutine releases it
func (s *S) handed() {
	s.mu.Lock()
	go func() { s.mu.Unlock() }()
}
`)
	m := New(p)
	kinds := map[Kind]string{TakenTwice: "TakenTwice", NotHeld: "NotHeld", LeftHeld: "LeftHeld", IterationHeld: "IterationHeld"}
	for name, want := range map[string]string{
		"whole": "", "early": "LeftHeld +3 exit +3 Unlock", "helped": "", "flagged": "",
		"nested": "", "loop": "IterationHeld +4 exit +4 Unlock", "pause": "", "other": "NotHeld +2",
		"walk": "nothing", "tried": "nothing", "handed": "nothing",
	} {
		fn := m.Named("(*example.com/p.S)." + name)
		line := func(n ast.Node) int { return p.Fset.Position(n.Pos()).Line - p.Fset.Position(fn.Node.Pos()).Line }
		var l naming.Lock
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && l.Key == "" {
				l, _ = m.LockOf(fn, call)
			}
			return true
		})
		b := m.Balance(fn, l, false)
		if b == nil {
			if want != "nothing" {
				t.Errorf("%s: nothing is known, want %q", name, want)
			}
			continue
		}
		faults, exits := b.Try()
		var got []string
		for _, f := range faults {
			got = append(got, fmt.Sprintf("%s %+d", kinds[f.Kind], line(f.Node)))
		}
		for _, x := range exits {
			if !x.After {
				got = append(got, fmt.Sprintf("exit %+d %s", line(x.Stmt), x.Release))
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: got %q, want %q", name, text, want)
		}
		for _, x := range exits {
			if left, _ := b.Try(Change{Stmt: x.Stmt, Where: Before, Method: x.Release}); !x.After && len(faults) > 0 && len(left) > 0 {
				t.Errorf("%s: %d faults are left with a release at %+d", name, len(left), line(x.Stmt))
			}
		}
	}
}
