package operations_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/internal/rewrite/operations"
)

var update = flag.Bool("update", false, "write the golden files anew")

// kinds are the words for kinds in golden files.
var kinds = map[operations.Kind]string{
	operations.Read: "read", operations.Write: "write", operations.Update: "update",
	operations.MapRead: "map read", operations.MapWrite: "map write", operations.MapUpdate: "map update",
	operations.AtomicRead: "atomic read", operations.AtomicWrite: "atomic write",
	operations.Lock: "lock", operations.Unlock: "unlock", operations.RLock: "rlock", operations.RUnlock: "runlock",
	operations.TryLock: "trylock", operations.TryRLock: "tryrlock",
	operations.GroupAdd: "add", operations.GroupDone: "done", operations.GroupWait: "wait", operations.GroupGo: "group go",
	operations.CondWait: "cond wait", operations.Signal: "signal", operations.Broadcast: "broadcast", operations.Once: "once",
	operations.Acquire: "acquire", operations.Release: "release",
	operations.Send: "send", operations.Receive: "receive", operations.Range: "range", operations.Close: "close",
	operations.Select: "select", operations.Go: "go", operations.Given: "given", operations.Subtest: "subtest",
}

var forms = map[operations.Form]string{operations.Deferred: " deferred", operations.Started: " started", operations.Value: " value"}

// TestGolden compares the operations of each archive's program with the list in it. Each
// name of an access is that of its variable; those of variables declared in a function are
// left out.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := txtar.Format(&txtar.Archive{Files: []txtar.File{a.Files[0], {Name: "operations", Data: []byte(list(t, a.Files[0].Data))}}})
			if *update {
				if err := os.WriteFile(name, got, 0o666); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(txtar.Format(a)), string(got)); diff != "" {
				t.Errorf("-want +got (write it with -update):\n%s", diff)
			}
		})
	}
}

// list are the operations of a program, a line each.
func list(t *testing.T, source []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "in.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	text := func(n ast.Node) string {
		lines := strings.Split(string(source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset]), "\n")
		return lines[0]
	}
	var b strings.Builder
	w := operations.Walker{Info: info, Package: pkg, Visit: func(op operations.Operation) {
		if op.Kind.IsAccess() && (op.Var == nil || !op.Var.IsField() && op.Var.Parent() != pkg.Scope()) {
			return
		}
		fmt.Fprintf(&b, "%d: %s%s", fset.Position(op.Node.Pos()).Line, kinds[op.Kind], forms[op.Form])
		if op.On != nil {
			fmt.Fprintf(&b, " %s", text(op.On))
		}
		for _, f := range op.Path {
			fmt.Fprintf(&b, ".%s", f.Name())
		}
		if op.By != nil {
			fmt.Fprintf(&b, " by %s", text(op.By))
		}
		if op.Pair {
			b.WriteString(", pair")
		}
		b.WriteByte('\n')
	}}
	w.Walk(file)
	return b.String()
}

// A walk that is shallow has what the function itself does.
func TestShallow(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "in.go", "package p\nfunc f(c chan int) { c <- 1; go func() { c <- 2 }(); func() { <-c }() }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	var got []operations.Kind
	w := operations.Walker{Info: info, Package: pkg, Shallow: true, Visit: func(op operations.Operation) {
		if !op.Kind.IsAccess() {
			got = append(got, op.Kind)
		}
	}}
	w.Walk(file)
	if diff := cmp.Diff([]operations.Kind{operations.Send, operations.Go}, got); diff != "" {
		t.Error(diff)
	}
}
