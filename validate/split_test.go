package validate

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"mendel/analysis"
)

const keyring = `package p

import "sync"

type ring struct {
	mu   sync.Mutex
	keys []int
	open bool
}

func (r *ring) install(keys []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = keys
}

func (r *ring) setOpen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		return
	}
	r.open = true
}

func (r *ring) get() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys
}

`

func TestSplits(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       string
	}{
		{"by a call", `
	r.mu.Lock()
	keys := append(r.keys, n)
	r.mu.Unlock()
	r.install(keys)`, "ring.keys"},
		{"by way of another variable", `
	r.mu.Lock()
	keys := r.keys
	r.mu.Unlock()
	more := append(keys, n)
	r.mu.Lock()
	r.keys = more
	r.mu.Unlock()`, "ring.keys"},
		{"copied to another", `
	r.mu.Lock()
	keys := append(r.keys, n)
	r.mu.Unlock()
	q.mu.Lock()
	q.keys = keys
	q.mu.Unlock()`, ""},
		{"a check, then an act", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if !open {
		r.mu.Lock()
		r.open = true
		r.mu.Unlock()
	}`, "ring.open"},
		{"an early exit", `
	r.mu.Lock()
	for _, k := range r.keys {
		if k == n {
			r.mu.Unlock()
			return
		}
	}
	r.mu.Unlock()
	r.install([]int{n})`, "ring.keys"},
		{"a check, then a return", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	println(n)
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, "ring.open"},
		{"a return for another reason", `
	r.mu.Lock()
	println(r.open)
	r.mu.Unlock()
	if n == 0 {
		return
	}
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, ""},
		{"checked again", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if !open {
		r.setOpen()
	}`, ""},
		{"one section", `
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, n)`, ""},
		{"nothing follows", `
	r.mu.Lock()
	println(len(r.keys))
	r.mu.Unlock()
	r.install(nil)`, ""},
		{"another variable", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		r.install(nil)
	}`, ""},
		{"in a goroutine", `
	r.mu.Lock()
	keys := r.keys
	r.mu.Unlock()
	go r.install(keys)`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, s := range splitsIn([]*analysis.File{typedFile(t, keyring+"var q ring\n\nfunc (r *ring) add(n int) {"+tt.body+"\n}\n")}) {
				got += s.variable
				if s.function != "(*ring).add" || s.lock != "ring.mu" {
					t.Errorf("found %+v", s)
				}
			}
			if got != tt.want {
				t.Errorf("split %q, want %q", got, tt.want)
			}
		})
	}
}

// A mutant that changes what stands between the two sections leaves them split.
func TestSplitsThatStay(t *testing.T) {
	const body = `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	println(n)
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()
	println("open")`
	before := splitsIn([]*analysis.File{typedFile(t, keyring+"func (r *ring) add(n int) {"+body+"\n}\n")})
	for _, tt := range []struct {
		name, from, to string
		want           int
	}{
		{"nothing changes", "", "", 0},
		{"between", "println(n)", "func() { println(n) }()", 1},
		{"behind", `println("open")`, `println("opened")`, 0},
		{"one section", "r.mu.Unlock()\n\tif open {\n", "defer r.mu.Unlock()\n\tif open {\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(body, tt.from, tt.to, 1)
			if tt.name == "one section" {
				changed = strings.Replace(changed, "r.mu.Lock()\n\tr.open = true\n\tr.mu.Unlock()", "r.open = true", 1)
			}
			file := typedFile(t, keyring+"func (r *ring) add(n int) {"+changed+"\n}\n")
			s := newSources(token.NewFileSet(), token.NewFileSet())
			s.lineOf = func(_ string, line int) int { return line }
			s.rel = func(file string) string { return file }
			if got := s.splits(before, splitsIn([]*analysis.File{file})); len(got) != tt.want {
				t.Errorf("splits %q, want %d", got, tt.want)
			}
		})
	}
}

// typedFile parses and type-checks a file.
func typedFile(t *testing.T, src string) *analysis.File {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("p", fset, []*ast.File{tree}, info); err != nil {
		t.Fatal(err)
	}
	f := &analysis.File{Name: "p.go", AST: tree, Source: []byte(src)}
	f.Package = &analysis.Package{Info: info, Files: []*analysis.File{f}}
	return f
}
