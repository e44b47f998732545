package cases

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"mendel/analysis"
	"mendel/internal/bench/programs"
	"mendel/internal/gotool"
)

// Edited are the functions of the program that a right patch changes or removes, as
// "cache.go (*Cache).Get": there the bug is mended.
func Edited(ctx context.Context, p Program) (edited map[string]bool, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	source := filepath.Join(dir, "source")
	if err := p.Write(source); err != nil {
		return nil, err
	}
	edited = map[string]bool{}
	for n, patch := range p.Truth {
		if !patch.Right {
			continue
		}
		fixed := filepath.Join(dir, fmt.Sprint(n))
		said, err := programs.PatchedCopy(ctx, fixed, source, patch.Text)
		if err != nil {
			return nil, err
		}
		if said != "" {
			return nil, fmt.Errorf("apply %s: %s", patch.Name, said)
		}
		if err := p.edited(fixed, edited); err != nil {
			return nil, fmt.Errorf("compare with %s: %w", patch.Name, err)
		}
	}
	return edited, nil
}

// edited adds the functions that are not in a patched copy as they are in the program.
func (p Program) edited(fixed string, edited map[string]bool) error {
	for name, text := range p.Files {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		now, err := os.ReadFile(filepath.Join(fixed, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		before, err := functions(name, text)
		if err != nil {
			return err
		}
		after, err := functions(name, string(now))
		if err != nil {
			return err
		}
		for fn, code := range before {
			if after[fn] != code {
				edited[name+" "+fn] = true
			}
		}
	}
	return nil
}

// functions are the texts of the functions of a file by their names; none if there is no text.
func functions(name, text string) (map[string]string, error) {
	all := map[string]string{}
	if text == "" {
		return all, nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all[analysis.FuncName(fn)] = text[fset.Position(fn.Pos()).Offset:fset.Position(fn.End()).Offset]
		}
	}
	return all, nil
}
