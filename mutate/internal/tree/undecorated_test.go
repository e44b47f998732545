package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// A tree without decorations is what package decorator makes, but for these.
func TestUndecorated(t *testing.T) {
	files, err := filepath.Glob("../../*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	sources := map[string]any{"rare.go": `package p

import . "fmt"

type (
	a = [3]int
	b[K comparable, V any] struct {
		*c ` + "`tag:\"x\"`" + `
		in  <-chan K
		out chan<- V
	}
	c interface { ~int | string; error }
)

func (*b[K, V]) f(x ...int) (n int, _ error) {
outer:
	for i := range 3 {
		switch y := any(i).(type) {
		case int, string:
			continue outer
		default:
			goto outer
		}
	}
	for {
		select {
		case v, ok := <-make(chan int):
			_, _ = v, ok
		default:
			break
		}
		{ ; }
	}
	_ = func() []int { return x[1:2:3] }
	_ = map[string]c{"a": 1, "b": (2)}
	defer g[int, string](x...)
	go Println(*&n)
	return
}

func g[A, B any](...int)
`}
	for _, f := range files {
		sources[f] = nil
	}
	for name, src := range sources {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			want, err := decorator.NewDecorator(fset).DecorateNode(d)
			if err != nil {
				t.Fatal(err)
			}
			dst.Inspect(want, func(n dst.Node) bool {
				if n != nil {
					reflect.ValueOf(n).Elem().FieldByName("Decs").SetZero()
				}
				return true
			})
			if got := undecorated(d); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the declaration at %v is another one", name, fset.Position(d.Pos()))
			}
		}
	}
}

// All kinds of nodes that a declaration may have are known.
func TestUndecoratedKinds(t *testing.T) {
	for kind := range nodeKinds {
		n := reflect.New(kind).Interface().(ast.Node)
		if got, want := strings.TrimPrefix(reflect.TypeOf(undecorated(n)).String(), "*dst."), kind.Name(); got != want {
			t.Errorf("a %s is made of a %s", got, want)
		}
	}
}
