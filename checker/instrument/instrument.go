package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/checker/incremental"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
	"mendel/internal/rewrite/schema"
)

// Options of an instrumentation.
type Options struct {
	// Narrowing restricts the accesses that are reported to those of its
	// variables. It holds for packages as they were loaded; in replaced ones,
	// and when it is nil, the syntax decides.
	Narrowing *analysis.Narrowing
	// Instrument are the patterns of dependencies of which the accesses to memory
	// are reported too. The program must have been loaded with them: see
	// analysis.Target.
	Instrument []string
	// ModFile is the go.mod file of the build, or go.work if there is one; "" if
	// it cannot be replaced. Without it no dependency in the module cache is
	// rewritten.
	ModFile string
	// Leave are dependencies that are not to be rewritten, and why.
	Leave map[string]string
	// Library says what calls of the standard library do; nil: nothing is told of them.
	Library *effects.Table
	// Points has the program note where its executions come, see package incremental.
	Points bool
}

// Uncontrolled is something in the program that the engine cannot control.
type Uncontrolled struct {
	Pos    token.Position // of a whole package only the directory
	Reason string
}

func (u Uncontrolled) String() string { return fmt.Sprintf("%s: %s", u.Pos, u.Reason) }

// An Instrumenter rewrites a program and mutants of it. It is safe for concurrent use.
type Instrumenter struct {
	program    *analysis.Program
	options    Options
	runtime    gotool.Overlay
	goroot     string
	shims      map[string]*shim
	orders     map[string]bool                 // package order, and copies of it, by import path
	imports    map[string]redirect             // what imports become
	controlled map[string]*analysis.Dependency // those that are rewritten, by import path
	elsewhere  map[analysis.Module]bool        // modules that are replaced, and so in another place
	methods    methods
	facts      map[string]*facts // by import path, of what is rewritten
	files      gotool.Overlay
	added      map[string][]string       // names of the files that were added to a package, by import path
	problems   map[string][]Uncontrolled // by import path
	uncloned   map[string]string         // why there can be no clones of a package, by import path
	network    bool                      // sockets are in memory
	unordered  map[string]bool           // of the packages in ordering, those that are not replaced
	texts      texts

	clonePrefix string // what the names of clones begin with
}

// New rewrites all packages of a program for a toolchain whose GOROOT is
// goroot. Sources has the runtime: what is compiled into the program under
// test, with its import paths below mendel/checker.
func New(p *analysis.Program, goroot string, sources fs.FS, o Options) (*Instrumenter, error) {
	for _, pattern := range o.Instrument {
		if !slices.Contains(p.Target.Instrument, pattern) {
			return nil, fmt.Errorf("instrument %s: the program was loaded without it; name it in the target, too", pattern)
		}
	}
	release, err := releasedBy(goroot, sources)
	if err != nil {
		return nil, err
	}
	overlay, shims, err := runtimeOf(goroot, release, sources)
	if err != nil {
		return nil, err
	}
	methods, err := driverMethods(release, sources)
	if err != nil {
		return nil, fmt.Errorf("read the driver: %w", err)
	}
	in := &Instrumenter{
		program:    p,
		options:    o,
		runtime:    overlay,
		goroot:     goroot,
		controlled: map[string]*analysis.Dependency{},
		elsewhere:  map[analysis.Module]bool{},
		shims:      shims,
		orders:     map[string]bool{},
		methods:    methods,
		facts:      map[string]*facts{},
		files:      gotool.Overlay{},
		added:      map[string][]string{},
		problems:   map[string][]Uncontrolled{},
		uncloned:   uncloned(p.Packages),
		unordered:  map[string]bool{},
		texts:      textsOf(p.Packages),
	}
	in.chooseClonePrefix()
	for _, pkg := range p.Packages {
		in.facts[pkg.Path] = factsOf(pkg)
	}
	refused := in.chooseDependencies()
	if err := in.replaceOrders(release, sources); err != nil {
		return nil, err
	}
	in.keepPipes()
	refused = append(refused, in.unshimmed()...)
	if in.network = p.Network && in.networked(); in.network {
		if err := in.socketsInMemory(release); err != nil {
			in.network = false
			in.leaveNetwork()
			refused = append(refused, Uncontrolled{token.Position{Filename: goroot}, "sockets are not in memory: " + err.Error()})
		}
	}
	in.problems[""] = refused // of no one package
	if o.Library != nil && o.Library.Note != "" {
		in.problems[""] = append(in.problems[""], Uncontrolled{token.Position{Filename: goroot}, o.Library.Note})
	}
	in.runtime[in.libraryFile()] = in.librarySource()
	in.imports = in.redirects()
	if err := in.replaceModules(); err != nil {
		return nil, err
	}
	for _, pkg := range in.rewritten() {
		in.problems[pkg.Path], in.added[pkg.Path], err = in.rewrite(p.Fset, pkg, in.facts[pkg.Path], o.Narrowing, in.files)
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// A Rewritten is the program, or a mutant of it, rewritten.
type Rewritten struct {
	Overlay      gotool.Overlay // with the runtime
	Uncontrolled []Uncontrolled // what in it is not under control, in order of position
	Alone        string         // why it cannot be in a Batch; "" if it can
	// Points are, with Options.Points, those of the program; nil if it cannot be marked.
	Points *incremental.Points

	cloned   []string                     // import paths of what is cloned in a Batch
	packages map[string]*analysis.Package // as they were rewritten, by import path
	added    map[string][]string          // as Instrumenter.added
	facts    map[string]*facts            // of packages with replaced files, by import path

	compared   sync.Once
	comparable *schema.Program // it, as package schema compares it with others
}

// Rewrite rewrites the program with some of its files replaced (absolute name to
// source; nil: none). The error is a *gotool.BuildError if it does not compile.
func (in *Instrumenter) Rewrite(files map[string][]byte) (*Rewritten, error) {
	return in.rewriteWith(files, nil)
}

// rewriteWith is Rewrite with what is known of other programs, which may write variables
// that this one does not.
func (in *Instrumenter) rewriteWith(files map[string][]byte, others []*facts) (*Rewritten, error) {
	r := &Rewritten{
		facts:    map[string]*facts{},
		Overlay:  maps.Clone(in.runtime),
		packages: map[string]*analysis.Package{},
		added:    maps.Clone(in.added),
	}
	maps.Copy(r.Overlay, in.files)
	for _, pkg := range in.program.Packages {
		r.packages[pkg.Path] = pkg
	}
	problems := maps.Clone(in.problems)
	if len(files) > 0 {
		if err := in.replace(r, files, others, problems); err != nil {
			return nil, err
		}
	}
	for _, of := range problems {
		r.Uncontrolled = append(r.Uncontrolled, of...)
	}
	slices.SortFunc(r.Uncontrolled, func(a, b Uncontrolled) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset), strings.Compare(a.Reason, b.Reason))
	})
	r.Uncontrolled = slices.Compact(r.Uncontrolled)
	in.chooseCloned(r)
	if in.options.Points {
		if err := in.mark(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// replace rewrites the packages of replaced files again.
func (in *Instrumenter) replace(r *Rewritten, files map[string][]byte, others []*facts, problems map[string][]Uncontrolled) error {
	fset, pkgs, err := in.program.Recheck(files)
	if err != nil {
		return err
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			delete(r.Overlay, f.Name)
		}
		for _, name := range in.added[pkg.Path] {
			delete(r.Overlay, name)
		}
		r.packages[pkg.Path] = pkg
		own := factsOf(pkg)
		r.facts[pkg.Path] = own
		problems[pkg.Path], r.added[pkg.Path], err = in.rewrite(fset, pkg, own.with(others), nil, r.Overlay)
		if err != nil {
			return err
		}
	}
	for name, text := range files {
		if _, ok := r.Overlay[name]; !ok {
			r.Overlay[name] = text
		}
	}
	return nil
}

// rewrite adds a package's rewritten files to an overlay, and the files that
// register it with the runtime. It returns the names of the latter. Files in which
// nothing changes are left out.
func (in *Instrumenter) rewrite(fset *token.FileSet, pkg *analysis.Package, own *facts, ns *analysis.Narrowing, overlay gotool.Overlay) (problems []Uncontrolled, added []string, err error) {
	report := func(pos token.Pos, reason string) {
		problems = append(problems, Uncontrolled{fset.Position(pos), reason})
	}
	var others []*facts
	for path, f := range in.facts {
		if path != pkg.Path {
			others = append(others, f)
		}
	}
	all := own.with(others)
	silent := in.silent(pkg.Path)
	plan := &reset{}
	if !slices.Contains(resident, pkg.Path) {
		plan = planReset(pkg, pkg.Files, all)
	}
	tests := suiteOf(in.program, pkg)
	free, names := freshNames(pkg), map[types.Object]string{}
	if tests != nil && tests.main != nil {
		names[tests.main] = rewrite.FreeName(pkg, "zzmain")
	}
	for _, f := range pkg.Files {
		in.examine(pkg, f, report)
		r := in.rewriter(fset, pkg, f, all, free)
		r.names, r.report, r.ns = names, report, ns
		r.silent = silent || len(in.unordered) > 0
		text := r.text(f.AST, in.imports, plan)
		name := in.fileName(pkg, f.Name)
		switch {
		case text == string(f.Source):
			continue
		case rewrite.IsOld(pkg.Info, f.AST) && !in.ofLibrary(pkg.Path): // whose language is the toolchain's
			text = rewrite.Raise(f, text)
		case name != f.Name:
			text = rewrite.AtItsPlace(f, text)
		}
		overlay[name] = []byte(text)
	}
	if silent || in.ofLibrary(pkg.Path) || in.orders[pkg.Path] {
		problems = nil // what it does is seen when it does it
	}
	if usesCgo(pkg) {
		problems = append(problems, Uncontrolled{token.Position{Filename: pkg.Dir}, "uses cgo: files that import \"C\" are left as they are"})
	}
	added, err = in.register(pkg, plan, tests, names, overlay)
	return problems, added, err
}

// register adds the files that register a package with the runtime.
func (in *Instrumenter) register(pkg *analysis.Package, plan *reset, tests *suite, names map[types.Object]string, overlay gotool.Overlay) ([]string, error) {
	var added []string
	planted, main := rewrite.FreeName(pkg, "zzplanted"), ""
	if tests != nil && tests.main != nil {
		main = names[tests.main]
	}
	if tests != nil && tests.entry {
		if o := pkg.Types.Scope().Lookup(entryName); o != nil {
			return nil, fmt.Errorf("%s: %s is a name that the checker needs: rename yours", in.program.Fset.Position(o.Pos()), entryName)
		}
		file := generatedName(pkg, "zzplanted")
		text, err := in.plant(pkg, file, planted)
		if err != nil {
			return nil, err
		}
		overlay[file] = []byte(text)
		added = append(added, file)
	}
	if text := generated(pkg, plan, tests, main, planted); text != "" {
		file := generatedName(pkg, "zzmendel")
		in.put(overlay, pkg, file, text)
		added = append(added, file)
	}
	return added, nil
}

// fresh are the names that rewritten files of a package use.
type fresh struct{ rt, driver, temp string }

func freshNames(pkg *analysis.Package) fresh {
	return fresh{rewrite.FreeName(pkg, "zzsched"), rewrite.FreeName(pkg, "zzdriver"), rewrite.FreeName(pkg, "zz")}
}

// rewriter returns the rewriter of a file of a package.
func (in *Instrumenter) rewriter(fset *token.FileSet, pkg *analysis.Package, f *analysis.File, facts *facts, names fresh) *rewriter {
	return &rewriter{
		fset: fset, tokens: fset.File(f.AST.FileStart), src: f.Source, info: pkg.Info, pkg: pkg.Types, facts: facts, table: in.options.Library,
		rt: names.rt, temp: names.temp, driver: names.driver, shims: map[string]bool{}, linked: linkedIn(pkg),
		crosses:    func(call *ast.CallExpr) (string, bool) { return in.crosses(pkg, call) },
		foreign:    func(call *ast.CallExpr) *types.Var { return in.foreign(pkg, call) },
		unseen:     in.unseen,
		controlled: func(path string) bool { return in.facts[path] != nil },
		network:    in.network, ofLibrary: in.ofLibrary(pkg.Path),
		methods: in.methods, tests: concernsTests(f.AST, f.Test) || in.controlled[pkg.Path] != nil,
		loopvar: loopvar(pkg.Info, f.AST) || in.ofLibrary(pkg.Path), header: map[ast.Stmt]bool{},
		calls: map[*ast.SelectorExpr]bool{}, deferred: map[*ast.CallExpr]bool{}, outcomes: map[*ast.FuncType]*outcome{},
	}
}

func usesCgo(pkg *analysis.Package) bool {
	return slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "runtime/cgo" })
}

// text is a whole file. The functions that reset its package's variables are at its
// end.
func (r *rewriter) text(file *ast.File, imports map[string]redirect, plan *reset) string {
	var parts []part
	silent := r.silent
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.silent = silent || analysis.Excluded(d.Doc)
			parts = append(parts, r.declaredName(d, plan)...)
			if d.Body != nil && !analysis.Restricted(d.Doc) {
				parts = append(parts, r.signature(d.Type)...)
				parts = append(parts, part{d.Body.Pos(), d.Body.End(), r.function(d.Type, d.Body)})
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				parts = append(parts, importParts(d, imports)...)
			} else {
				r.silent = silent
				parts = append(parts, part{d.Pos(), d.End(), r.genDecl(d)})
			}
		}
	}
	r.silent = silent
	resets := ""
	if plan != nil {
		resets = r.resets(plan.functions[file])
	}
	added := ""
	if r.used {
		added += fmt.Sprintf("; import %s %q", r.rt, runtimePath+"sched")
	}
	if r.driven {
		added += fmt.Sprintf("; import %s %q", r.driver, runtimePath+"driver")
	}
	for _, shim := range slices.Sorted(maps.Keys(r.shims)) {
		added += fmt.Sprintf("; import %s %q", r.temp+shim, runtimePath+"shim/"+shim)
	}
	at := file.Name.End()
	text := r.splice(file.FileStart, file.FileEnd, append([]part{{at, at, added}}, parts...)...)
	slices.Sort(r.kept)
	for _, name := range slices.Compact(r.kept) {
		text += "\nvar _ = " + name + "\n"
	}
	return text + resets
}

// declaredName gives a function a name by which it can be called again: the body of
// an init function, and TestMain.
func (r *rewriter) declaredName(d *ast.FuncDecl, plan *reset) []part {
	name := r.names[r.info.Defs[d.Name]]
	if plan != nil && plan.inits[d] != "" {
		name = fmt.Sprintf("init() { %[1]s() }; func %[1]s", plan.inits[d])
	}
	if name == "" {
		return nil
	}
	return []part{{d.Name.Pos(), d.Name.End(), name}}
}

// importParts replaces imports by those of shims and copies. The name stays
// what it was.
func importParts(d *ast.GenDecl, imports map[string]redirect) []part {
	var parts []part
	for _, spec := range d.Specs {
		spec := spec.(*ast.ImportSpec)
		old, err := strconv.Unquote(spec.Path.Value)
		to, ok := imports[old]
		if err != nil || !ok || to.name != "" && spec.Name != nil && spec.Name.Name == "_" {
			continue
		}
		text := strconv.Quote(to.path)
		if spec.Name == nil && to.name != "" {
			text = to.name + " " + text
		}
		parts = append(parts, part{spec.Path.Pos(), spec.Path.End(), text})
	}
	return parts
}
