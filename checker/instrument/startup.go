package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
)

// chooseCloned decides which packages of a program are cloned in a batch, and
// whether the program can be in one. A clone must build as the original does. A
// process initialises all clones and uses one; it must not notice the others. So
// packages that are called during initialisation are cloned too.
func (in *Instrumenter) chooseCloned(p *Rewritten) {
	own := map[string]bool{}
	for _, path := range in.testPackages() {
		own[path] = true
	}
	for _, pkg := range in.program.Packages {
		if p.packages[pkg.Path] != pkg {
			own[pkg.Path] = true
		}
	}
	functions := functionsOf(p.packages)
	for more := ""; ; own[more] = true {
		addImporters(own, p.packages)
		s := &startup{functions: functions, known: in.texts, cloned: own, seen: map[string]bool{}}
		p.cloned, p.Alone = slices.Sorted(maps.Keys(own)), ""
		for _, path := range p.cloned {
			if why := in.uncloned[path]; why != "" {
				p.Alone = path + " " + why
				return
			}
			s.start(p.packages[path])
		}
		if more = s.shared; more == "" {
			p.Alone = s.why
			return
		}
	}
}

// addImporters adds to a set of import paths all packages that import one of them.
func addImporters(set map[string]bool, packages map[string]*analysis.Package) {
	for grown := true; grown; {
		grown = false
		for path, pkg := range packages {
			if !set[path] && slices.ContainsFunc(importsOf(pkg), func(i string) bool { return set[i] }) {
				set[path], grown = true, true
			}
		}
	}
}

func importsOf(pkg *analysis.Package) []string {
	var paths []string
	for _, f := range pkg.Files {
		for _, spec := range f.AST.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// uncloned says of each package why there can be no clone of it.
func uncloned(pkgs []*analysis.Package) map[string]string {
	why := map[string]string{}
	for _, pkg := range pkgs {
		last := path.Base(pkg.Path)
		switch {
		case pkg.Types.Name() == "main":
			why[pkg.Path] = "cannot be imported: it is a command"
		case last == "internal" || last == "vendor":
			why[pkg.Path] = "cannot be imported under another path"
		case usesCgo(pkg):
			why[pkg.Path] = "uses cgo"
		case otherFile(pkg.Dir) != "":
			why[pkg.Path] = "has files that are not plain Go: " + otherFile(pkg.Dir)
		case startsItself(pkg):
			why[pkg.Path] = "may start its own binary, in which it has no test"
		}
		for _, f := range pkg.Files {
			if d := boundTo(f.AST); d != "" {
				why[pkg.Path] = "is bound to its place by " + d
			}
		}
	}
	return why
}

// startsItself reports whether a package asks for the executable, as tests do that
// run themselves once more in a process of their own.
func startsItself(pkg *analysis.Package) bool {
	for _, obj := range pkg.Info.Uses {
		if obj.Pkg() != nil && obj.Pkg().Path() == "os" && (obj.Name() == "Executable" || obj.Name() == "Args") && obj.Parent() == obj.Pkg().Scope() {
			return true
		}
	}
	return false
}

// otherFile is a file of a directory that the go command would build and that
// is not Go; "" if there is none.
func otherFile(dir string) string {
	entries, _ := os.ReadDir(dir) // what cannot be read does not build
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso":
			return e.Name()
		}
	}
	return ""
}

// boundTo is a directive for which a package's path or directory matters.
func boundTo(file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			directive, _, _ := strings.Cut(c.Text, " ")
			if slices.Contains([]string{"//go:embed", "//go:linkname", "//go:wasmimport", "//go:wasmexport", "//export"}, directive) {
				return directive
			}
		}
	}
	return ""
}

// A startup follows the initialisation of packages, through calls of declared
// functions. It finds effects that others in the process, or their clones, could
// notice.
type startup struct {
	functions map[string]function // declared ones of the module, by full name
	known     texts               // of the original; other functions may do anything, and are not followed
	cloned    map[string]bool     // import paths
	seen      map[string]bool
	shared    string // the import path of a package that has to be cloned too
	why       string // the first thing that was found
}

type function struct {
	pkg  *analysis.Package
	decl *ast.FuncDecl
}

// text is the function's source.
func (f function) text() string {
	for _, file := range f.pkg.Files {
		if start := file.AST.FileStart; start <= f.decl.Pos() && f.decl.End() <= file.AST.FileEnd {
			return string(file.Source[f.decl.Pos()-start : f.decl.End()-start])
		}
	}
	return ""
}

// texts are the sources of packages' functions, by import path.
type texts map[string]map[string]bool

func textsOf(pkgs []*analysis.Package) texts {
	all := texts{}
	for _, pkg := range pkgs {
		all[pkg.Path] = map[string]bool{}
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					all[pkg.Path][function{pkg, d}.text()] = true
				}
			}
		}
	}
	return all
}

// functionsOf are the declared functions of packages by full name, which is the
// same in packages whose types were made at different times.
func functionsOf(packages map[string]*analysis.Package) map[string]function {
	all := map[string]function{}
	for _, pkg := range packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					if fn, ok := pkg.Info.Defs[d.Name].(*types.Func); ok && d.Name.Name != "init" && d.Name.Name != "_" {
						all[fn.FullName()] = function{pkg, d}
					}
				}
			}
		}
	}
	return all
}

// start follows a package's initialisation.
func (s *startup) start(pkg *analysis.Package) {
	for _, f := range pkg.Files {
		for _, d := range f.AST.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					s.look(pkg, d)
				}
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" && d.Body != nil {
					s.run(function{pkg, d})
				}
			}
		}
	}
}

// run follows a function that is executed.
func (s *startup) run(f function) {
	switch {
	case s.known != nil && !s.known[f.pkg.Path][f.text()]:
		s.found(f.pkg, "calls "+f.decl.Name.Name+", which is changed,")
	case f.decl.Body != nil:
		s.look(f.pkg, f.decl.Body)
	}
}

// look follows what is executed when n is. It skips function literals that are
// stored, not called: a call of a stored function is found where it is made.
func (s *startup) look(pkg *analysis.Package, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			s.found(pkg, "starts a goroutine")
		case *ast.CallExpr:
			s.call(pkg, n)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				s.changes(pkg, e)
			}
		case *ast.IncDecStmt:
			s.changes(pkg, n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.changes(pkg, n.X)
			}
		}
		return s.why == "" && s.shared == ""
	})
}

func (s *startup) found(pkg *analysis.Package, what string) {
	if s.why == "" {
		s.why = fmt.Sprintf("%s %s when it is initialised", pkg.Path, what)
	}
}

// call follows a call, and functions among its arguments.
func (s *startup) call(pkg *analysis.Package, call *ast.CallExpr) {
	tv := pkg.Info.Types[call.Fun]
	if tv.IsType() {
		return
	}
	for _, e := range call.Args {
		s.passed(pkg, e)
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		s.look(pkg, fun.Body)
	case *ast.Ident:
		if tv.IsBuiltin() {
			if fun.Name == "print" || fun.Name == "println" {
				s.found(pkg, "prints")
			}
			return
		}
		s.called(pkg, callee(pkg.Info, call))
	default:
		if !tv.IsBuiltin() {
			s.called(pkg, callee(pkg.Info, call))
		}
	}
}

// passed follows an argument: the callee may call a function that it gets.
func (s *startup) passed(pkg *analysis.Package, e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		s.look(pkg, e.Body)
	case *ast.Ident:
		if fn, ok := pkg.Info.Uses[e].(*types.Func); ok {
			s.called(pkg, fn)
		}
	case *ast.SelectorExpr:
		if fn, ok := pkg.Info.Uses[e.Sel].(*types.Func); ok {
			s.called(pkg, fn)
		}
	}
}

// called follows a function that is, or may be, called; nil: it is not known.
func (s *startup) called(pkg *analysis.Package, fn *types.Func) {
	if fn == nil {
		s.found(pkg, "calls a function that only a run tells")
		return
	}
	name := fn.Origin().FullName()
	f, ok := s.functions[name]
	switch {
	case ok && !s.cloned[f.pkg.Path]:
		s.shared = f.pkg.Path
	case ok:
		if !s.seen[name] {
			s.seen[name] = true
			s.run(f)
		}
	case fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) && name != "(error).Error":
		s.found(pkg, "calls a method that only a run tells")
	case !unnoticed(fn):
		s.found(pkg, "calls "+name)
	}
}

// changes finds package-level variables of packages that are not cloned that are
// assigned to, or may be because their address is taken.
func (s *startup) changes(pkg *analysis.Package, e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if v, ok := pkg.Info.Uses[x.Sel].(*types.Var); ok && s.elsewhere(v) {
				s.found(pkg, "changes "+v.Pkg().Path()+"."+v.Name())
				return
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.Ident: // by a dot import
			if v, ok := pkg.Info.Uses[x].(*types.Var); ok && s.elsewhere(v) {
				s.found(pkg, "changes "+v.Pkg().Path()+"."+v.Name())
			}
			return
		default:
			return
		}
	}
}

// elsewhere reports whether a variable is a package-level one that clones share.
func (s *startup) elsewhere(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !s.cloned[v.Pkg().Path()]
}

// unnoticed reports whether a call of a function outside the module, while a
// package is initialised, has no effect that others could notice.
func unnoticed(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	return quiet[fn.Pkg().Path()] && !oneOf(fn, loud) || oneOf(fn, soft)
}

// quiet are packages whose functions only compute, except those in loud; soft are
// such functions of other packages.
var (
	quiet = map[string]bool{
		"errors": true, "strings": true, "strconv": true, "bytes": true, "unicode": true, "unicode/utf8": true, "unicode/utf16": true,
		"math": true, "math/bits": true, "math/cmplx": true, "math/big": true, "math/rand": true, "math/rand/v2": true,
		"sort": true, "slices": true, "maps": true, "cmp": true, "regexp": true, "reflect": true, "path": true, "time": true,
		"container/list": true, "container/heap": true, "container/ring": true, "sync": true, "sync/atomic": true,
		"hash/fnv": true, "hash/crc32": true, "hash/maphash": true, "crypto/sha256": true,
		"encoding/binary": true, "encoding/hex": true, "encoding/base64": true,
	}
	loud = []string{
		"math/rand.Seed", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick", "time.After", "time.Sleep",
		"(*time.Timer).*", "(*time.Ticker).*", "(*sync.WaitGroup).Go",
	}
	soft = []string{
		"fmt.Sprint*", "fmt.Errorf", "fmt.Append*", "os.Getenv", "os.LookupEnv", "runtime.NumCPU",
		"context.Background", "context.TODO", "context.WithCancel", "context.WithValue",
	}
)
