package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/internal/rewrite"
)

// A reset restores a package's variables to their initial values. Those without an
// initialiser are zeroed, those with one are assigned anew in the order of
// initialisation, then the init functions are called again. Variables that nobody
// changes are left out.
//
// Assignments need the imports of the file in which the variable is declared,
// so each stretch of the order that stays in one file is a function at its end.
// An init function cannot be called; its body gets a name that can.
type reset struct {
	zeroed    []string                  // names of variables
	functions map[*ast.File][]resetFunc // at the end of files
	inits     map[*ast.FuncDecl]string  // names of init functions' bodies
	calls     []resetCall               // of functions and bodies, in order
	holders   []string                  // names of variables, see holders
}

// A resetFunc assigns variables of one file.
type resetFunc struct {
	name    string
	assigns []*types.Initializer
}

// A resetCall calls a function that resets a part of a package.
type resetCall struct {
	name     string
	flags    bool // it defines flags, which must not be defined twice
	handlers bool // it registers handlers, which must not be registered twice
}

// empty reports whether there is nothing to register.
func (p *reset) empty() bool { return len(p.zeroed)+len(p.calls)+len(p.holders) == 0 }

// planReset finds what must be reset in a package, of which only some files are
// rewritten.
func planReset(pkg *analysis.Package, files []*analysis.File, f *facts) *reset {
	p := &reset{functions: map[*ast.File][]resetFunc{}, inits: map[*ast.FuncDecl]string{}, holders: holders(pkg)}
	assign, initName := rewrite.FreeName(pkg, "zzreset"), rewrite.FreeName(pkg, "zzinit")
	keep := kept(pkg)
	initialised, again := map[*types.Var]bool{}, map[types.Object]bool{}
	untested := untested(pkg, f)
	var last *ast.File
	for _, i := range pkg.Info.InitOrder {
		for _, v := range i.Lhs {
			initialised[v] = true
		}
		file := fileOf(files, i.Rhs.Pos())
		if file == nil || untested[i.Lhs[0]] || p.leftOut(pkg, i, f, keep, again) {
			continue
		}
		for _, v := range i.Lhs {
			again[v] = true
		}
		if file != last {
			name := fmt.Sprint(assign, len(p.calls)+1)
			p.functions[file] = append(p.functions[file], resetFunc{name: name})
			p.calls = append(p.calls, resetCall{name: name})
			last = file
		}
		of := p.functions[file]
		of[len(of)-1].assigns = append(of[len(of)-1].assigns, i)
	}
	for _, file := range files {
		for _, d := range file.AST.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				p.zero(pkg, d, f, initialised, keep)
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" && d.Body != nil && !onlyRegisters(pkg.Info, d.Body) {
					name := fmt.Sprint(initName, len(p.inits)+1)
					p.inits[d] = name
					p.calls = append(p.calls, resetCall{name, uses(pkg.Info, d.Body, flags), uses(pkg.Info, d.Body, handlers)})
				}
			}
		}
	}
	return p
}

func fileOf(files []*analysis.File, pos token.Pos) *ast.File {
	for _, f := range files {
		if f.AST.FileStart <= pos && pos < f.AST.FileEnd {
			return f.AST
		}
	}
	return nil
}

// zero notes the variables of a declaration that have no initialiser and are written.
func (p *reset) zero(pkg *analysis.Package, d *ast.GenDecl, f *facts, initialised map[*types.Var]bool, keep map[string]bool) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			v, ok := pkg.Info.Defs[id].(*types.Var)
			if ok && id.Name != "_" && !initialised[v] && !keep[id.Name] && f.globals[global(v)] {
				p.zeroed = append(p.zeroed, id.Name)
			}
		}
	}
}

// kept are the variables that must not be changed: embedded or linked ones, whose
// values come from elsewhere, and resident ones.
func kept(pkg *analysis.Package) map[string]bool {
	keep := map[string]bool{}
	for _, name := range residentVariables[pkg.Path] {
		keep[name] = true
	}
	for _, file := range pkg.Files {
		for _, group := range file.AST.Comments {
			for _, c := range group.List {
				if rest, ok := strings.CutPrefix(c.Text, "//go:linkname "); ok {
					keep[strings.Fields(rest + " _")[0]] = true
				}
			}
		}
		for _, d := range file.AST.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				spec := spec.(*ast.ValueSpec)
				if embeds(d.Doc) || embeds(spec.Doc) {
					for _, id := range spec.Names {
						keep[id.Name] = true
					}
				}
			}
		}
	}
	return keep
}

func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// leftOut reports whether an initialiser need not or must not be evaluated again,
// when some variables are assigned again.
func (p *reset) leftOut(pkg *analysis.Package, i *types.Initializer, f *facts, keep map[string]bool, again map[types.Object]bool) bool {
	if uses(pkg.Info, i.Rhs, slices.Concat(registries, flags)) {
		return true
	}
	constant := repeats(pkg.Info, i.Rhs, again)
	for _, v := range i.Lhs {
		switch {
		case keep[v.Name()]:
			return true
		case v.Name() == "_":
		case f.globals[global(v)] || !f.unchanging(pkg.Info, v, i.Rhs):
			constant = false
		}
	}
	return constant
}

// residentVariables are those of packages that are rewritten that do so, by package.
var residentVariables = map[string][]string{"net/http": {"DefaultServeMux", "defaultServeMux"}}

// resident are packages that are rewritten and whose variables keep what others have
// registered with them when the process began.
var resident = []string{"database/sql"}

// registries are functions that add to state that is not reset. Mostly they panic
// when something is added twice. Functions that define flags are not among them: a
// variable may have its first value from the definition of a flag.
var registries = []string{
	"database/sql.Register", "encoding/gob.Register*", "expvar.New*", "expvar.Publish", "image.RegisterFormat",
	"net/http.Handle", "net/http.HandleFunc",
	"github.com/prometheus/client_golang/prometheus.MustRegister", "github.com/prometheus/client_golang/prometheus/promauto.New*",
}

// flags are the functions that define flags, which must not be defined twice,
// and others of their package.
var flags = []string{"flag.*"}

// handlers are the functions that register handlers of HTTP requests for the process.
var handlers = []string{"net/http.Handle", "net/http.HandleFunc"}

// onlyRegisters reports whether a body does nothing but call such functions.
func onlyRegisters(info *types.Info, body *ast.BlockStmt) bool {
	return !slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := ast.Unparen(e.X).(*ast.CallExpr)
		fn := (*types.Func)(nil)
		if ok {
			fn = callee(info, call)
		}
		return fn == nil || !oneOf(fn, registries)
	})
}

// uses reports whether functions of a list are used.
func uses(info *types.Info, n ast.Node, functions []string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fn, ok := info.Uses[id].(*types.Func)
			found = found || ok && fn.Pkg() != nil && oneOf(fn, functions)
		}
		return !found
	})
	return found
}

// harmless are functions whose result is the same each time and cannot be changed.
var harmless = map[string]bool{
	"errors.New": true, "fmt.Errorf": true, "fmt.Sprint": true, "fmt.Sprintf": true,
	"regexp.MustCompile": true, "strings.NewReplacer": true, "reflect.TypeOf": true, "reflect.TypeFor": true,
}

// repeats reports whether an expression has no effect and gives the same each
// time: it calls nothing but harmless functions, receives nothing, and uses
// nothing that is assigned again.
func repeats(info *types.Info, e ast.Expr, again map[types.Object]bool) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			ok = ok && (tv.IsType() || tv.IsBuiltin() || isHarmless(info, n))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.Ident:
			ok = ok && !again[info.Uses[n]]
		}
		return ok
	})
	return ok
}

func isHarmless(info *types.Info, call *ast.CallExpr) bool {
	fn := callee(info, call)
	return fn != nil && harmless[qualifiedName(fn)]
}

// unchanging reports whether a variable that nobody writes keeps the value of its
// initialiser: nothing that changes can be reached through it.
func (f *facts) unchanging(info *types.Info, v *types.Var, rhs ast.Expr) bool {
	if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && isHarmless(info, call) {
		return true
	}
	t := info.TypeOf(rhs)
	if t == nil {
		return false
	}
	if !f.escaped[global(v)] {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			return fixed(u.Elem())
		case *types.Map:
			return fixed(u.Key()) && fixed(u.Elem())
		}
	}
	return fixed(t)
}

// fixed reports whether values of a type refer to nothing else.
func fixed(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return fixed(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !fixed(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// resets are the functions at the end of a file that assign its variables anew.
func (r *rewriter) resets(functions []resetFunc) string {
	var b strings.Builder
	for _, f := range functions {
		fmt.Fprintf(&b, "\nfunc %s() {\n", f.name)
		for _, i := range f.assigns {
			var names []string
			for _, v := range i.Lhs {
				names = append(names, v.Name())
			}
			value := r.value
			if len(names) == 2 {
				value = r.pair
			}
			fmt.Fprintf(&b, "%s = %s%s\n", strings.Join(names, ", "), r.at(i.Rhs.Pos()), value(i.Rhs))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// registration is the statement that registers a reset.
func (p *reset) registration(path, clone, state, flag, http string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s.Register(%s, %q, func() {\n", state, clone, path)
	for _, name := range p.zeroed {
		fmt.Fprintf(&b, "\t\t%s.Zero(&%s)\n", state, name)
	}
	for _, c := range p.calls {
		if !c.flags && !c.handlers {
			fmt.Fprintf(&b, "\t\t%s()\n", c.name)
			continue
		}
		b.WriteString("\t\tfunc() {\n")
		if c.flags {
			b.WriteString(elsewhere(flag+".FlagSet", flag+".CommandLine", flag+".NewFlagSet(\"\", "+flag+".ContinueOnError)"))
		}
		if c.handlers {
			b.WriteString(elsewhere(http+".ServeMux", http+".DefaultServeMux", http+".NewServeMux()"))
		}
		fmt.Fprintf(&b, "\t\t\t%s()\n\t\t}()\n", c.name)
	}
	b.WriteString("\t}")
	for _, name := range p.holders {
		b.WriteString(", &" + name)
	}
	b.WriteString(")\n")
	return b.String()
}

// elsewhere is the text that gives a variable of the library, a pointer to a type, another
// value until the function returns.
func elsewhere(typ, variable, value string) string {
	return fmt.Sprintf("\t\t\tdefer func(old *%[1]s) { %[2]s = old }(%[2]s)\n\t\t\t%[2]s = %[3]s\n", typ, variable, value)
}
