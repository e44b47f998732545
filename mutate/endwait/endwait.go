package endwait

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator has a method that ends a value wait for the value's goroutines.
var Operator = &mutate.Operator{
	Name: "endwait",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 2, evidence.TestFailure: 3, evidence.Panic: 2,
		evidence.Blocked: 0.5, evidence.Deadlock: 0.2, evidence.Timeout: 0.2,
	},
	Faults: []evidence.Fault{evidence.WaitNotForAll},
	Needs:  "method that ends a value whose goroutines a wait group counts",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	returns  = "returns"  // it waits in front of each return
	deferred = "deferred" // it waits behind all deferred releases
	around   = "around"   // it lets its lock go while it waits, before it computes what it returns
	told     = "told"     // it waits behind the statement that tells the goroutines to end, before what they may still use
)

// closers are the names of methods that end a value.
var closers = []string{"Close", "Stop", "Shutdown", "close", "stop", "shutdown"}

// nearEnd is what the wait for goroutines has of their heat. Guessed.
const nearEnd = 0.9

// late is the belief in a wait at the end of a method that could wait as soon as it has told the goroutines to end: what it
// does in between may be what they still use. Guessed.
const late = 0.9

// edits are those of the methods that a function concerns: itself, or those that end the value whose
// goroutines it starts or is, which may be far from the evidence.
func edits(fn *mutate.Function) (all []mutate.Edit) {
	for _, w := range waits(fn) {
		if w.fn != fn && !slices.ContainsFunc(w.goroutines, func(g goroutine) bool { return g.from == fn || g.to == fn }) {
			continue
		}
		e := w.edit()
		if w.toldAt() != nil {
			early := e
			early.Form = told
			all = append(all, early)
			e.Doubt(late)
		}
		all = append(all, e)
	}
	return all
}

// waits are those of all methods of a function's package.
func waits(fn *mutate.Function) []*wait {
	type waitsOf struct{ pkg *analysis.Package }
	return mutate.Once(fn, waitsOf{fn.File.Package}, func() (all []*wait) {
		for _, of := range fn.OfPackage() {
			if w := remembered(of); w != nil {
				all = append(all, w)
			}
		}
		return all
	})
}

// remembered is waitOf, found once.
func remembered(fn *mutate.Function) *wait {
	type waitKey struct{ fn *mutate.Function }
	return mutate.Once(fn, waitKey{fn}, func() *wait { return waitOf(fn) })
}

// edit has the method wait.
func (w *wait) edit() mutate.Edit {
	fn := w.fn
	e := fn.NewEdit("endwait", fn.Body.List[0], fn.Body.List...)
	e.Form, e.Expr, e.Note = w.form, w.value+"."+w.group, w.goroutine()+" may still be at work"
	for _, g := range w.goroutines {
		for _, s := range g.to.Statements() {
			h, _ := g.to.Narrowing.HeatAt(s.Stmt.Pos())
			e.Heat = max(e.Heat, nearEnd*h)
		}
	}
	return e
}

// A wait is what a method needs to wait for the goroutines of its value.
type wait struct {
	fn         *mutate.Function
	decl       *ast.FuncDecl
	owner      *types.TypeName
	fields     *ast.StructType
	file       string // that declares the type
	value      string // the receiver's name
	group      string // the name of the new group
	form       string
	goroutines []goroutine
}

// A goroutine is one of the value's.
type goroutine struct {
	from  *mutate.Function // that starts it
	start *ast.GoStmt
	to    *mutate.Function // what it runs
	owner string           // the value where it is started
	self  string           // the value in what it runs
}

// goroutine names one of the goroutines, for people.
func (w *wait) goroutine() string {
	if d, ok := w.goroutines[0].to.Node.(*ast.FuncDecl); ok {
		return d.Name.Name
	}
	return "a goroutine"
}

// waitOf is the wait that a method can get; nil: none.
func waitOf(fn *mutate.Function) *wait {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) != 1 || fn.Started() || len(fn.Body.List) == 0 || !slices.Contains(closers, decl.Name.Name) {
		return nil
	}
	w := &wait{fn: fn, decl: decl, value: decl.Recv.List[0].Names[0].Name}
	if w.value == "_" || !w.declared() || fn.Program.Copied(w.owner) || !tells(fn) || !w.find() {
		return nil
	}
	w.form = w.place()
	if w.form == "" {
		return nil
	}
	return w
}

// declared finds the struct of the method's receiver, a pointer, and a name for a new field;
// false: it can get none.
func (w *wait) declared() bool {
	info := w.fn.File.Package.Info
	p, ok := info.TypeOf(w.decl.Recv.List[0].Type).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() != w.fn.File.Package.Types {
		return false
	}
	w.owner = named.Obj()
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if isGroup(f.Type()) {
			return false
		}
	}
	for _, f := range w.fn.File.Package.Files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || f.Test || f.Generated {
				continue
			}
			for _, spec := range g.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && info.Defs[s.Name] == w.owner {
					w.fields, _ = s.Type.(*ast.StructType)
					w.file = f.Rel
				}
			}
		}
	}
	w.group = freeField(named, "workers", "running", "goroutines")
	return w.fields != nil && w.group != ""
}

// isGroup says whether a type is a wait group, or what leads to one.
func isGroup(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	text := types.TypeString(t, nil)
	return text == "sync.WaitGroup" || text == "golang.org/x/sync/errgroup.Group"
}

// freeField is the first of some names that is no field or method of a type; "": none is.
func freeField(named *types.Named, names ...string) string {
	for _, name := range names {
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name); obj == nil {
			return name
		}
	}
	return ""
}
