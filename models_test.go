package mendel_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// formerLockModels are types that knew of locks beside the model of analysis/locks. What one
// of them was asked is asked of the model now.
var formerLockModels = []string{
	"pathFlow",                                 // what a function leaves held: locks.Model.Balance
	"splitFinder",                              // sections that are split: splits.All
	"lockOrder", "programOrder", "mutantOrder", // the order of locks: order.NestsMore, order.Nests
	"acquirers", "callHeld", "ancestors", // who takes a lock that an edit has put in: order.NestsMore
}

// One package knows which locks are held where.
func TestOneModelOfLocks(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path == "subjects" || path == filepath.Join("analysis", "locks") || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				if name := spec.(*ast.TypeSpec).Name.Name; slices.Contains(formerLockModels, name) {
					t.Errorf("%s declares the type %s: what it knew package analysis/locks knows", path, name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 1000 {
		t.Fatalf("only %d files are looked at", files)
	}
}
