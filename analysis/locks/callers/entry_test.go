package callers

import (
	"go/ast"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
)

// Each function says in its comment how it is entered with the lock that it takes.
func TestEntryOf(t *testing.T) {
	p := analysistest.Source(t, `package p

import "sync"

type S struct {
	mu   sync.RWMutex
	once sync.Once
	next *S
	n    int
}

type doer interface{ do() }

func (s *S) lock()           { s.mu.Lock() }
func (s *S) unlock()         { s.mu.Unlock() }
func (s *S) with(f func())   { s.mu.Lock(); defer s.mu.Unlock(); f() }
func (s *S) later(f func())  { s.mu.Lock(); defer s.mu.Unlock(); defer f() }
func (s *S) spawn(f func())  { s.mu.Lock(); defer s.mu.Unlock(); go f() }
func (s *S) inside(f func()) { s.mu.Lock(); defer s.mu.Unlock(); func() { f() }() }

func (s *S) All(d doer) {
	s.lock()
	s.helped()
	s.unlock()
	s.with(func() { s.calledBack() })
	s.later(func() { s.calledLater() })
	s.spawn(func() { s.spawned() })
	s.inside(func() { s.calledInside() })
	s.once.Do(func() { s.onced() })
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.deferred()
	d.do()
	s.twice()
	s.twice()
	s.next.others()
	go s.started()
	s.reads()
	var wg sync.WaitGroup
	wg.Go(s.given)
	run := func() { s.local() }
	run()
	kept := func() { s.kept() }
	keep(kept)
	s.chain()
}

func keep(f func()) { f() }

func Use() { s := new(S); s.All(s) }

func (s *S) Read() {
	s.mu.RLock()
	s.underRead()
	s.reads()
	s.mu.RUnlock()
	s.released()
}

func (s *S) Free(x bool) {
	s.mu.Lock()
	s.between()
	s.mu.Unlock()
	s.between()
	if x {
		s.mu.Lock()
	}
	s.sometimes()
}

func (s *S) chain() { s.end() }

func (s *S) helped()       { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) calledBack()   { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) calledLater()  { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) spawned()      { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) calledInside() { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) onced()        { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) deferred()     { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) do()           { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // alike
func (s *S) twice()        { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) others()       { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // alike
func (s *S) started()      { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) given()        { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) local()        { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) kept()         { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) end()          { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // held
func (s *S) underRead()    { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) reads() int    { s.mu.RLock(); defer s.mu.RUnlock(); return s.n } // held
func (s *S) between()      { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) sometimes()    { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
func (s *S) released()     { s.mu.Lock(); defer s.mu.Unlock(); s.n++ } // unheld
`)
	m := locks.New(p)
	file := p.Packages[0].Files[0]
	words := []string{"unheld", "alike", "held"}
	lines := strings.Split(string(file.Source), "\n")
	for _, d := range file.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		_, want, ok := strings.Cut(lines[p.Fset.Position(fd.Pos()).Line-1], "// ")
		if !ok {
			continue
		}
		l, ok := m.LockAt(m.Of(fd), "s.mu", fd.Body.Lbrace+1)
		if !ok {
			t.Fatalf("%s: no lock", fd.Name.Name)
		}
		if got := words[EntryOf(m, m.Of(fd), l, fd.Name.Name == "reads")]; got != want {
			t.Errorf("%s: got %s, want %s", fd.Name.Name, got, want)
		}
	}
}
