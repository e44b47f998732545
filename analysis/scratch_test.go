package analysis

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	t0 := time.Now()
	pk := os.Getenv("PKG")
	if pk == "" {
		pk = "."
	}
	p, err := Load(context.Background(), nil, Target{Dir: os.Getenv("DIR"), Package: pk})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(t0))
	t0 = time.Now()
	n, err := Narrow(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(t0))
	if w, ok := any(n).(interface {
		Table(interface{ Write([]byte) (int, error) })
	}); ok {
		w.Table(os.Stdout)
	}
	m := map[string][]byte{}
	for _, pkg := range p.Packages {
		t.Log(pkg.Path, len(pkg.Files))
		for _, f := range pkg.Files {
			if !f.Test {
				m[f.Name] = append([]byte("package "+f.AST.Name.Name+"\nimport _ \"sync\"\n"), f.Source[len("package "+f.AST.Name.Name):]...)
			}
			if os.Getenv("V") == "" {
				continue
			}
			ast.Inspect(f.AST, func(x ast.Node) bool {
				if s, ok := x.(ast.Stmt); ok {
					if _, b := s.(*ast.BlockStmt); b {
						return true
					}
					acc := n.Accesses(f, s)
					fmt.Println(p.Fset.Position(s.Pos()))
					for _, a := range acc {
						fmt.Println("   acc", a.Var.Name(), a.Write)
					}
					for _, l := range p.Locks(f, s) {
						fmt.Println("   lock", l)
					}
					for _, l := range p.NewLocks(f, s, acc) {
						fmt.Println("   new", l, *l.New)
					}
				}
				if c, ok := x.(*ast.CallExpr); ok {
					if l, m, ok := p.LockOf(f, c); ok {
						fmt.Println("   LockOf", l, m)
					}
				}
				return true
			})
		}
	}
	t0 = time.Now()
	t.Log(p.Check(m), time.Since(t0))
	t0 = time.Now()
	t.Log(p.Check(m), time.Since(t0))
}
