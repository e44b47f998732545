package disguise

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"mendel/internal/bench/cases"
	"mendel/internal/gotool"
)

// A Way of writing a program.
type Way string

// The ways.
const (
	Plain     Way = "plain" // as it is
	Generic   Way = "generic"
	Embedded  Way = "embedded"
	Accessors Way = "accessors"
	Wrapped   Way = "wrapped"
	Nested    Way = "nested"
	RWMutex   Way = "rwmutex"
	Names     Way = "names"
)

// ways has what each way changes: the changes of one type each, which are independent of
// each other.
var ways = map[Way]func(m *module) []change{
	Generic:   generic,
	Embedded:  embedded,
	Accessors: accessors,
	Wrapped:   wrapped,
	Nested:    nested,
	RWMutex:   rwMutex,
	Names:     names,
}

// Ways are all ways by name, the plain one first.
func Ways() []Way {
	return append([]Way{Plain}, slices.Sorted(maps.Keys(ways))...)
}

// judgeFile is where the tests of a program's judge stand while it is rewritten.
const judgeFile = "zz_disguised_judge_test.go"

// Apply writes a program in another way. It reports whether anything was changed. What is
// known of the program but for its judge is left out, since patches would not apply.
func Apply(ctx context.Context, p cases.Program, way Way) (_ cases.Program, changed bool, err error) {
	if way == Plain {
		return p, true, nil
	}
	find, known := ways[way]
	if !known {
		return p, false, fmt.Errorf("there is no way %q to write a program", way)
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return p, false, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	files := maps.Clone(p.Files)
	judge := path.Join(p.JudgeDir, judgeFile)
	if p.Judge != "" {
		files[judge] = p.Judge
	}
	m, err := load(ctx, dir, files)
	if err != nil {
		return p, false, fmt.Errorf("load %s: %w", p.Name, err)
	}
	changes := find(m)
	kept := slices.Concat(changes...)
	if !m.holds(ctx, kept) {
		kept = nil
		for _, c := range changes {
			if trial := slices.Concat(kept, c); m.holds(ctx, trial) {
				kept = trial
			}
		}
	}
	if len(kept) == 0 {
		return p, false, nil
	}
	files, _ = m.apply(kept)
	q := p
	q.Truth, q.Judge = nil, files[judge]
	delete(files, judge)
	q.Files = files
	return q, true, nil
}

// A splice replaces a piece of a file.
type splice struct {
	file     string // as a key of the program's files
	from, to int    // offsets of bytes
	text     string
}

// A change is what writes one type or function in another way.
type change []splice

// A module is a program that is being rewritten.
type module struct {
	dir   string
	files map[string]string
	fset  *token.FileSet
	// units are the packages, each file in one of them only: that which has the tests.
	units []unit
}

// A unit is a package with those of its files that no other unit has.
type unit struct {
	types  *types.Package
	info   *types.Info
	syntax []*ast.File
}

// load writes a program to a directory and reads it.
func load(ctx context.Context, dir string, files map[string]string) (*module, error) {
	m := &module{dir: dir, files: files}
	for name, text := range files {
		if err := m.write(name, text); err != nil {
			return nil, err
		}
	}
	loaded, err := m.packages(ctx)
	if err != nil {
		return nil, err
	}
	// Packages with tests come first: their files are also those of the package without.
	slices.SortStableFunc(loaded, func(a, b *packages.Package) int { return len(b.Syntax) - len(a.Syntax) })
	seen := map[string]bool{}
	for _, p := range loaded {
		m.fset = p.Fset
		u := unit{types: p.Types, info: p.TypesInfo}
		for _, f := range p.Syntax {
			name := m.fset.Position(f.Package).Filename
			if _, ours := files[m.name(name)]; ours && !seen[name] {
				seen[name] = true
				u.syntax = append(u.syntax, f)
			}
		}
		if len(u.syntax) > 0 {
			m.units = append(m.units, u)
		}
	}
	return m, nil
}

func (m *module) write(name, text string) error {
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// packages loads the module with its tests. An error is for a module that does not compile.
func (m *module) packages(ctx context.Context) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: m.dir, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Fset: token.NewFileSet(),
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
	}
	return loaded, nil
}

// name is a file's key in files.
func (m *module) name(file string) string {
	rel, err := filepath.Rel(m.dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// holds reports whether the module compiles with these splices.
func (m *module) holds(ctx context.Context, splices []splice) bool {
	files, ok := m.apply(splices)
	if !ok {
		return false
	}
	for name, text := range files {
		if err := m.write(name, text); err != nil {
			return false
		}
	}
	_, err := m.packages(ctx)
	return err == nil
}

// apply makes splices in the files as they were read. It fails where two overlap and are
// not the same, or the result is no Go.
func (m *module) apply(splices []splice) (map[string]string, bool) {
	files := maps.Clone(m.files)
	byFile := map[string][]splice{}
	for _, s := range splices {
		byFile[s.file] = append(byFile[s.file], s)
	}
	for name, of := range byFile {
		slices.SortStableFunc(of, func(a, b splice) int { return a.from - b.from })
		of = slices.Compact(of)
		text := m.files[name]
		var b strings.Builder
		at := 0
		for _, s := range of {
			if s.from < at {
				return nil, false
			}
			b.WriteString(text[at:s.from])
			b.WriteString(s.text)
			at = s.to
		}
		b.WriteString(text[at:])
		formatted, err := format.Source([]byte(b.String()))
		if err != nil {
			return nil, false
		}
		files[name] = string(formatted)
	}
	return files, true
}

// splice replaces the text between two positions of a file.
func (m *module) splice(from, to token.Pos, text string) splice {
	p := m.fset.Position(from)
	return splice{m.name(p.Filename), p.Offset, m.fset.Position(to).Offset, text}
}

// text is what stands at a node.
func (m *module) text(n ast.Node) string {
	p := m.fset.Position(n.Pos())
	return m.files[m.name(p.Filename)][p.Offset:m.fset.Position(n.End()).Offset]
}

// place identifies an object in all units: a package with tests has objects of its own.
func (m *module) place(obj types.Object) token.Position {
	if obj == nil || !obj.Pos().IsValid() {
		return token.Position{}
	}
	return m.fset.Position(obj.Pos())
}

// A structure is a struct type of the module, declared by itself in a package.
type structure struct {
	unit unit
	file *ast.File
	spec *ast.TypeSpec
	body *ast.StructType
	name *types.TypeName
}

// structures are the struct types that are declared in the module outside of tests.
func (m *module) structures() (all []structure) {
	for _, u := range m.units {
		for _, f := range u.syntax {
			if m.isTest(f) {
				continue
			}
			for _, d := range f.Decls {
				gen, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range gen.Specs {
					spec, ok := s.(*ast.TypeSpec)
					if !ok || spec.Assign.IsValid() {
						continue
					}
					if body, ok := spec.Type.(*ast.StructType); ok {
						all = append(all, structure{u, f, spec, body, u.info.Defs[spec.Name].(*types.TypeName)})
					}
				}
			}
		}
	}
	return all
}

func (m *module) isTest(f *ast.File) bool {
	return strings.HasSuffix(m.fset.Position(f.Package).Filename, "_test.go")
}

// inspect visits the nodes of all files with the nodes around each, the outermost first.
func (m *module) inspect(visit func(u unit, n ast.Node, around []ast.Node)) {
	for _, u := range m.units {
		for _, f := range u.syntax {
			var around []ast.Node
			ast.Inspect(f, func(n ast.Node) bool {
				if n == nil {
					around = around[:len(around)-1]
					return true
				}
				visit(u, n, around)
				around = append(around, n)
				return true
			})
		}
	}
}

// owner is the named type of a method's receiver, its place, and whether it is a method.
func (m *module) owner(u unit, fn *ast.FuncDecl) (token.Position, bool) {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return token.Position{}, false
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return m.place(u.info.Uses[x]), true
		default:
			return token.Position{}, false
		}
	}
}

// declares reports whether a type has a field or method of a name, or would have a
// promoted one.
func declares(name *types.TypeName, member string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(name.Type()), true, name.Pkg(), member)
	return obj != nil
}

// isSync reports whether a type is one of package sync, by its name.
func isSync(t types.Type, names ...string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && slices.Contains(names, named.Obj().Name())
}
