package modules

import (
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"mendel/internal/gotool"
)

// A standardPackage is a package of the standard library. Its source in GOROOT is
// copied to a module of its own, so that it is checked like any other. Internal
// packages that it needs are copied with it, or those of standard.txtar stand for them.
type standardPackage struct {
	Path      string
	TestsOnly bool              // the tests use the package itself: it is part of the runtime
	Files     map[string]string // not copied, by reason
	Tests     map[string]string // functions that are no tests in the copy, by reason
}

// standardPackages are packages with tests of many kinds. What is left out of them
// cannot be built elsewhere.
var standardPackages = []standardPackage{
	{Path: "container/list"},
	{Path: "context"},
	{Path: "sync", TestsOnly: true, Files: map[string]string{
		"export_test.go":       "exports what is unexported",
		"runtime_sema_test.go": "tests what is unexported",
		"pool_test.go":         "pins goroutines to processors",
	}, Tests: map[string]string{
		"TestOnceXGC": "calls the runtime",
	}},
	{Path: "errors"},
	{Path: "bufio"},
	{Path: "net/textproto"},
	{Path: "text/template", Files: map[string]string{
		"link_test.go": "builds a program with the package",
	}},
	{Path: "encoding/json"},
	{Path: "sort"},
	{Path: "strings"},
}

// standardModule is the prefix of the modules of copies.
const standardModule = "standard.example/"

// stubs stand for internal packages that are part of the runtime.
//
//go:embed standard.txtar
var stubs []byte

// library makes the copy below a directory, from the source of the go command's version.
func (p standardPackage) library(tool *gotool.Toolchain, version, dir string) (library, error) {
	c := standardCopy{standardPackage: p, source: filepath.Join(tool.GOROOT, "src"), dir: dir}
	if err := c.make(version); err != nil {
		return library{}, fmt.Errorf("copy package %s of the standard library: %w", p.Path, err)
	}
	return library{p.name(), dir, []string{"."}}, nil
}

// name is that of the module, for people.
func (p standardPackage) name() string { return standardModule + p.Path }

// A standardCopy is the copy of a package that is being made.
type standardCopy struct {
	standardPackage
	source, dir string
	internal    map[string]bool // packages, copied or to be copied
}

func (c *standardCopy) make(version string) error {
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	goMod := fmt.Sprintf("module %s\n\ngo %s\n", c.name(), version)
	if err := os.WriteFile(filepath.Join(c.dir, "go.mod"), []byte(goMod), 0o666); err != nil {
		return err
	}
	c.internal = map[string]bool{}
	if err := c.copyTree(c.Path, "."); err != nil {
		return err
	}
	for done := map[string]bool{}; len(done) < len(c.internal); {
		for _, name := range slices.Sorted(maps.Keys(c.internal)) {
			if done[name] {
				continue
			}
			done[name] = true
			if err := c.copyInternal(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyTree copies the package in a directory of GOROOT/src, with those below it that
// it may import and with testdata.
func (c *standardCopy) copyTree(from, to string) error {
	root := filepath.Join(c.source, filepath.FromSlash(from))
	return fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && c.TestsOnly {
				return fs.SkipDir
			}
			return nil
		}
		if c.Files[name] != "" || c.TestsOnly && !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		return c.copyFile(filepath.Join(root, filepath.FromSlash(name)), path.Join(to, name))
	})
}

// copyInternal copies an internal package without its tests, or writes its stub.
func (c *standardCopy) copyInternal(name string) error {
	stubbed := false
	for _, f := range txtar.Parse(stubs).Files {
		if path.Dir(f.Name) != name {
			continue
		}
		stubbed = true
		if err := c.write(f.Name, f.Data); err != nil {
			return err
		}
	}
	if stubbed {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(c.source, filepath.FromSlash(name), "*.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("the files of %s: %d, %w", name, len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if err := c.copyFile(file, path.Join(name, filepath.Base(file))); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file. Of Go source it changes what would not build.
func (c *standardCopy) copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if strings.HasSuffix(to, ".go") && !strings.Contains(to, "testdata/") {
		if data, err = c.rewrite(to, data); err != nil {
			return err
		}
	}
	return c.write(to, data)
}

func (c *standardCopy) write(name string, data []byte) error {
	name = filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}

// rewrite exchanges imports, gives functions of the runtime a body that panics, and
// takes from tests that are left out the name of a test. Lines stay where they are.
func (c *standardCopy) rewrite(name string, source []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type edit struct {
		at, end int
		text    string
	}
	var edits []edit
	replace := func(from, to token.Pos, text string) {
		edits = append(edits, edit{set.Position(from).Offset, set.Position(to).Offset, text})
	}
	for _, spec := range file.Imports {
		old, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if now := c.imported(old); now != old {
			text := strconv.Quote(now)
			if spec.Name == nil && path.Base(now) != path.Base(old) {
				text = path.Base(old) + " " + text
			}
			replace(spec.Path.Pos(), spec.Path.End(), text)
		}
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
		case fn.Body == nil:
			replace(fn.End(), fn.End(), ` { panic("not outside the standard library") }`)
		case fn.Recv == nil && c.Tests[fn.Name.Name] != "":
			replace(fn.Name.Pos(), fn.Name.Pos(), "no")
		}
	}
	for _, e := range slices.Backward(edits) {
		source = slices.Concat(source[:e.at], []byte(e.text), source[e.end:])
	}
	return source, nil
}

// imported is what the copy imports instead of a package, and notes that it needs it.
func (c *standardCopy) imported(name string) string {
	switch {
	case name == "internal/reflectlite":
		return "reflect" // which has all of it
	case name == "internal" || strings.HasPrefix(name, "internal/"):
		c.internal[name] = true
		return c.name() + "/" + name
	case (name == c.Path || strings.HasPrefix(name, c.Path+"/")) && !c.TestsOnly:
		return standardModule + name
	}
	return name
}

// standardLibraries copies packages of the standard library below a directory.
func (o Options) standardLibraries(ctx context.Context, tool *gotool.Toolchain, below string) ([]library, error) {
	var libraries []library
	for _, p := range standardPackages {
		if !o.wanted(p.name()) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := p.library(tool, strings.TrimPrefix(tool.Version, "go"), filepath.Join(below, filepath.FromSlash(p.Path)))
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, l)
	}
	return libraries, nil
}
