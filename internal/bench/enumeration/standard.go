package enumeration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mendel/internal/bench/commands"
)

// A standardPackage is a package as the go command lists it.
type standardPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string          // as they are found
	ImportMap  map[string]string // those that are written otherwise, by what is written
}

// copyStandard makes a module of a package of the standard library and of the
// internal and vendored packages that it comes to, under other names.
func (s Source) copyStandard(ctx context.Context, to string) error {
	packages, err := listStandard(ctx, s.Package)
	if err != nil {
		return err
	}
	module := "standard.example/" + s.Package
	names := map[string]string{s.Package: module}
	for work := []string{s.Package}; len(work) > 0; work = work[1:] {
		for _, path := range packages[work[0]].Imports {
			if rest, own := strings.CutPrefix(path, "vendor/"); (own || hidden(path)) && names[path] == "" {
				names[path] = module + "/std/" + strings.ReplaceAll(rest, "internal", "inner")
				work = append(work, path)
			}
		}
	}
	for path, name := range names {
		dir := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(name, module)))
		if err := packages[path].copy(dir, names); err != nil {
			return fmt.Errorf("copy %s: %w", path, err)
		}
	}
	if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte("module "+module+"\n\ngo 1.25\n"), 0o666); err != nil {
		return fmt.Errorf("copy %s: %w", s.Package, err)
	}
	return nil
}

// hidden reports whether other modules may not import a package.
func hidden(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// listStandard lists a package and all that it needs, by path.
func listStandard(ctx context.Context, path string) (map[string]*standardPackage, error) {
	out, err := commands.Go(ctx, ".", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Imports,ImportMap", path)
	if err != nil {
		return nil, err
	}
	packages := make(map[string]*standardPackage)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(standardPackage)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -json %s: %w", path, err)
		}
		packages[p.ImportPath] = p
	}
}

// copy copies a package's files, with imports under new names.
func (p *standardPackage) copy(to string, names map[string]string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, name := range p.GoFiles {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		data, linked, err := p.renamed(data, names)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
			return err
		}
		if linked { // the compiler takes functions without bodies where there is assembly
			if err := os.WriteFile(filepath.Join(to, "linked.s"), nil, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// renamed is a file with its imports under new names; linked says that some
// function of it has no body.
func (p *standardPackage) renamed(data []byte, names map[string]string) (out []byte, linked bool, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, false, err
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			linked = linked || fd.Body == nil
		}
	}
	end := 0
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, false, err
		}
		if found := p.ImportMap[path]; found != "" {
			path = found
		}
		if name := names[path]; name != "" {
			at := fset.Position(spec.Path.Pos()).Offset
			out = append(append(out, data[end:at]...), strconv.Quote(name)...)
			end = at + len(spec.Path.Value)
		}
	}
	return append(out, data[end:]...), linked, nil
}
