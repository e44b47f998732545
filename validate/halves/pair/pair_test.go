package pair_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

const before = `package p

import "sync"

type Shop struct {
	mu    sync.RWMutex
	stock map[string]int
}

func (s *Shop) Sell(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock[name] == 0 {
		return false
	} else {
		s.stock[name]--
	}
	return true
}

func (s *Shop) Has(name string) bool { return s.stock[name] > 0 }

func Greet() string { return "hello" }
`

const after = `package p

import "sync"

type Shop struct {
	mu    sync.RWMutex
	stock map[string]int
}

func (s *Shop) Sell(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock() // a comment alone

	if s.stock[name] == 0 {
		return false
	} else {
		s.stock[name]--
	}
	return true
}

func (s *Shop) Has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.stock[name] > 0
}

func Greet() string { return "good day" }

func New() *Shop { return &Shop{stock: map[string]int{}} }
`

func change(t *testing.T) *pair.Change {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": before, "p_test.go": "package p\n\nfunc helper() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	name := p.Packages[0].Files[slices.IndexFunc(p.Packages[0].Files, func(f *analysis.File) bool { return f.Rel == "p.go" })].Name
	fset, pkgs, err := p.Recheck(map[string][]byte{name: []byte(after)})
	if err != nil {
		t.Fatal(err)
	}
	return pair.New(p, fset, pkgs)
}

// New functions, and those whose tokens differ, have changed; tests have none.
func TestChanged(t *testing.T) {
	c := change(t)
	var changed []string
	for _, fn := range c.After.Funcs {
		if c.Changed(fn) {
			changed = append(changed, fn.FullName)
		}
	}
	if want := []string{"(*example.com/p.Shop).Has", "example.com/p.New"}; !slices.Equal(changed, want) {
		t.Errorf("changed are %q, want %q", changed, want)
	}
	if len(c.Before.Funcs) != 3 || c.Before.Named["example.com/p.helper"] != nil {
		t.Errorf("%d functions before, want 3: those of tests are none", len(c.Before.Funcs))
	}
}

// What a finder finds is sorted by place, and told once.
func TestFind(t *testing.T) {
	c := change(t)
	has, sell := c.After.Named["(*example.com/p.Shop).Has"], c.After.Named["(*example.com/p.Shop).Sell"]
	found := c.Find(func(c *pair.Change) []pair.Finding {
		at := func(fn *pair.Function) pair.Finding { return c.At(fn, fn.Pos(), "it takes %d", pair.LockCalls(fn)) }
		return []pair.Finding{at(has), at(sell), at(has)}
	})
	want := []pair.Finding{
		{File: "p.go", Line: 10, Func: "(*Shop).Sell", What: "it takes 1", Flag: mutate.LeftElsewhere},
		{File: "p.go", Line: 22, Func: "(*Shop).Has", What: "it takes 1", Flag: mutate.LeftElsewhere},
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %+v, want %+v", found, want)
	}
}

func TestNames(t *testing.T) {
	c := change(t)
	sell := c.After.Named["(*example.com/p.Shop).Sell"]
	if got := pair.ReceiverOf(sell); got != "example.com/p.Shop" {
		t.Errorf("the receiver is %q", got)
	}
	if got := pair.ReceiverOf(c.After.Named["example.com/p.New"]); got != "" {
		t.Errorf("a function has the receiver %q", got)
	}
	fields, roots := map[pair.Field]bool{}, map[string]bool{}
	ast.Inspect(sell.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if f, ok := pair.FieldOf(sell.Info(), sel); ok {
				fields[f] = true
			}
			roots[pair.RootVar(sell, sel).Name()] = true
		}
		return true
	})
	for _, name := range []string{"mu", "stock"} {
		if !fields[pair.Field{Owner: "example.com/p.Shop", Name: name}] {
			t.Errorf("%s is no field: %v", name, fields)
		}
	}
	if len(roots) != 1 || !roots["s"] {
		t.Errorf("the expressions begin with %v, want s", roots)
	}
}

// The lists of a statement are those of its branches.
func TestLists(t *testing.T) {
	sell := change(t).After.Named["(*example.com/p.Shop).Sell"]
	choice := sell.Body.List[2]
	if lists := pair.Lists(choice); len(lists) != 2 || len(lists[0]) != 1 || len(lists[1]) != 1 {
		t.Errorf("the lists of if and else are %v", lists)
	}
	if lists := pair.Lists(sell.Body.List[0]); lists != nil {
		t.Errorf("an expression has the lists %v", lists)
	}
	if !pair.HasReturn(choice.(*ast.IfStmt).Body) || pair.HasReturn(choice.(*ast.IfStmt).Else.(*ast.BlockStmt)) {
		t.Error("the first branch alone returns")
	}
	if got := pair.LockMethod(sell.Info(), sell.Body.List[0].(*ast.ExprStmt).X); got != "Lock" {
		t.Errorf("the first call is %q", got)
	}
}
