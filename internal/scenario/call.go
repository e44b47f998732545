package scenario

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A call is a method or function with arguments, as source of a test file.
type call struct {
	name      string // "Hub.Publish"
	fn        *types.Func
	text      string   // the call: `hub.Publish("a")`
	results   []result // what is done with its results
	mirror    *call    // the same with the subject and another value like it exchanged; nil: it has no such argument
	callsBack bool     // a function that it is given calls the subject
	touches   bool     // it reaches what the patch changes
	// concerns: it touches, or uses a variable that the patch has to do with.
	concerns bool
	writes   bool // it changes something, as far as its text shows
	runs     bool // it starts goroutines and waits for them, so that it is called once at a time
	waits    bool // it may wait for others
	closes   bool // it ends the life of the subject
}

// A result is what is done with a result of a call.
type result int

// What is done with a result.
const (
	ignore  result = iota // with a value that differs from run to run
	print                 // with plain data
	isNil                 // whether it is nil is printed
	failure               // of an error, the text is printed
	read                  // whether it is nil is printed, and its elements are read
	iterate               // a loop runs over it
	invoke                // a function without parameters is called: it releases something
	release               // a method Close, Release or the like is called
)

// releasers are methods by which a value is given back, in the order in which they are looked for.
var releasers = []string{"Release", "Unlock", "Unsubscribe", "Cancel", "Close", "Stop", "Done"}

// closers are methods that end the life of a value.
var closers = []string{"Close", "Stop", "Shutdown"}

// reserved finds in the documentation of a method that not everybody may call it at any time.
var reserved = regexp.MustCompile(`(?i)not safe|not (be )?(called )?concurren|single goroutine|one goroutine|only (be called )?once|at most once|once at most|once only|exactly once|must only be called|must not be called (concurrently|simultaneously|in parallel|from (several|different|multiple|more)|beside|while|before|until)|may only be called|(called|set|used|configured|registered|installed|call it|set it|call this|set this) (only )?before |not thread|for tests|deprecated|caller (must|holds)|callers must`)

// ofOne finds in the documentation of a type that its values are used by one goroutine at a time.
var ofOne = regexp.MustCompile(`(?i)not (\w+ )?safe (for|to) (\w+ )?(concurrent|parallel|simultaneous|use from|use by|be used|be shared|share)` +
	`|not (be )?(used|called|shared) (concurrently|simultaneously|in parallel|(by|from|between|among|across) (several|different|multiple|more|goroutines))` +
	`|not (goroutine|thread|concurrency)[- ]?safe` +
	`|(by|from|to) (only )?(one|a single) goroutine|(is|are|be|meant|made|intended|only) (used )?for (use by |use in )?(only )?(one|a single) goroutine` +
	`|only \w+ may be called (while|beside|concurrently)`)

// typeDoc is the documentation of a method's type, in one line; "": it has none.
func (m *maker) typeDoc(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	for _, pkg := range m.program.Packages {
		for _, f := range pkg.Files {
			if pkg.Types != named.Obj().Pkg() {
				continue
			}
			for _, d := range f.AST.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range g.Specs {
					spec, ok := s.(*ast.TypeSpec)
					if !ok || pkg.Info.Defs[spec.Name] != types.Object(named.Origin().Obj()) {
						continue
					}
					doc := spec.Doc
					if doc == nil {
						doc = g.Doc
					}
					if doc == nil {
						return ""
					}
					return strings.Join(strings.Fields(doc.Text()), " ")
				}
			}
		}
	}
	return ""
}

// calls are the calls of a subject's exported methods, with arguments, those that reach what
// the patch touches first.
func (m *maker) calls(d *donor) []*call {
	var all []*call
	for _, s := range m.callable(d) {
		if !s.fn.Exported() || m.isReserved(s.fn) || m.harms(s.fn) {
			continue
		}
		c := m.call(d, s, d.name, other)
		if c == nil {
			continue
		}
		if strings.Contains(c.text, other) {
			c.mirror = m.call(d, s, other, d.name)
		}
		all = append(all, c)
		if otherwise := m.otherwise(d, s, c); otherwise != nil {
			all = append(all, otherwise)
		}
		if again := m.callingBack(d, s); again != nil {
			all = append(all, again)
		}
	}
	slices.SortStableFunc(all, func(a, b *call) int {
		return cmp.Compare(a.distance(), b.distance())
	})
	return all
}

// otherwise is a call with other arguments that tests give it, if it has to do with the patch; nil: there are no others.
func (m *maker) otherwise(d *donor, s callable, than *call) *call {
	if !than.concerns || len(m.exampleCalls(d, s.fn)) < 2 {
		return nil
	}
	m.choice = 1
	c := m.call(d, s, d.name, other)
	m.choice = 0
	if c == nil || c.text == than.text || strings.Contains(c.text, other) {
		return nil
	}
	c.name += " with other arguments"
	return c
}

// A callable is a method or function with its signature, in which type arguments are in their places.
type callable struct {
	fn  *types.Func
	sig *types.Signature
}

// callable are the methods of a subject, or the functions of its package.
func (m *maker) callable(d *donor) []callable {
	var all []callable
	if d.name == "" {
		for _, fn := range m.functions(d.file) {
			all = append(all, callable{fn, fn.Signature()})
		}
		return all
	}
	t := d.typ
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if fn, ok := set.At(i).Obj().(*types.Func); ok {
			all = append(all, callable{fn, set.At(i).Type().(*types.Signature)})
		}
	}
	return all
}

// call is a call with one value as receiver, and another one where a value of the subject's type is
// wanted; nil: there are no arguments for it.
func (m *maker) call(d *donor, s callable, receiver, another string) *call {
	callee, name := receiver+"."+s.fn.Name(), s.fn.Name()
	switch {
	case d.named != nil:
		name = d.named.Obj().Name() + "." + name
	case s.fn.Pkg() != d.file.Package.Types:
		callee = m.imported(d, s.fn.Pkg().Path()) + "." + name
	default:
		callee = name
	}
	text, ok := m.callText(d, s.fn, s.sig, callee, another)
	if !ok {
		return nil
	}
	return m.newCall(name, s.fn, s.sig, text)
}

// callingBack is a call whose function arguments call the subject; nil: it has none, or there is
// nothing to call.
func (m *maker) callingBack(d *donor, s callable) *call {
	if d.name == "" {
		return nil
	}
	for _, back := range m.callable(d) {
		sig := back.sig
		if !back.fn.Exported() || sig.Params().Len() > 0 || sig.Results().Len() == 0 || back.fn.Origin() == s.fn.Origin() || !m.concerns(back.fn) || m.isReserved(back.fn) || m.waits(back.fn) {
			continue
		}
		m.callback = d.name + "." + back.fn.Name() + "()"
		c := m.call(d, s, d.name, other)
		m.callback = ""
		if c == nil || !strings.Contains(c.text, "{ "+d.name+"."+back.fn.Name()+"()") {
			return nil // no argument is a function
		}
		c.callsBack = true
		c.name += " with " + d.named.Obj().Name() + "." + back.fn.Name() + " in its function"
		return c
	}
	return nil
}

// other is the name of a second value that is prepared like the subject.
const other = "mendelOther"

func (m *maker) newCall(name string, fn *types.Func, sig *types.Signature, text string) *call {
	c := &call{name: name, fn: fn, text: text, touches: m.reaches(fn), concerns: m.concerns(fn), writes: m.writes(fn), waits: m.waits(fn), runs: m.waits(fn) && m.startsIn(fn), closes: slices.Contains(closers, fn.Name())}
	for i := range sig.Results().Len() {
		c.results = append(c.results, handling(sig.Results().At(i).Type()))
	}
	return c
}

// distance is how far a call is from the patch, to sort by.
func (c *call) distance() int {
	switch {
	case c.touches:
		return 0
	case c.concerns:
		return 1
	}
	return 2
}

// concerns says whether a function reaches what the patch changes, or uses a variable that it has to do with.
func (m *maker) concerns(fn *types.Func) bool {
	r := m.reach(fn)
	for f := range r.functions {
		if m.touch.functions[f] {
			return true
		}
	}
	for v := range r.variables {
		if m.touch.variables[v] {
			return true
		}
	}
	return false
}

// reaches says whether a function reaches one that the patch changes.
func (m *maker) reaches(fn *types.Func) bool {
	for f := range m.reach(fn).functions {
		if m.touch.functions[f] {
			return true
		}
	}
	return false
}

// isReserved says whether a function is not for everybody at any time: its documentation says
// so, or it is a setter without a lock, which is called before a value is shared.
func (m *maker) isReserved(fn *types.Func) bool {
	d := m.bodies[fn.Origin()]
	if d == nil {
		return true // of another module
	}
	if text := m.typeDoc(fn); ofOne.MatchString(text) && !strings.Contains(text, fn.Name()) {
		return true
	}
	if d.decl.Doc != nil && reserved.MatchString(strings.Join(strings.Fields(d.decl.Doc.Text()), " ")) {
		return true
	}
	return isSetter(d.decl)
}

// isSetter says whether a function does nothing but assign to fields, and return.
func isSetter(fd *ast.FuncDecl) bool {
	assigns := false
	for _, s := range fd.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.ASSIGN || !slices.ContainsFunc(s.Lhs, isSelector) {
				return false
			}
			for _, r := range s.Rhs {
				switch r.(type) {
				case *ast.Ident, *ast.FuncLit, *ast.BasicLit:
				default:
					return false
				}
			}
			assigns = true
		case *ast.ReturnStmt, *ast.IfStmt:
		default:
			return false
		}
	}
	return assigns
}

func isSelector(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok
}

// handling says what is done with a result of a type.
func handling(t types.Type) result {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return failure
	}
	if sig, ok := t.Underlying().(*types.Signature); ok {
		if isIterator(sig) {
			return iterate
		}
		if sig.Params().Len() == 0 {
			return invoke
		}
		return isNil
	}
	if releaser(t) != "" {
		return release
	}
	switch {
	case plain(t, 0):
		return print
	case isCollection(t) && readable(t, 0):
		return read
	case nilable(t):
		return isNil
	}
	return ignore
}

// releaser is the method without parameters by which a value is given back; "": it has none.
func releaser(t types.Type) string {
	if _, basic := t.Underlying().(*types.Basic); basic || !nilable(t) {
		return ""
	}
	set := types.NewMethodSet(t)
	for _, name := range releasers {
		for i := range set.Len() {
			o := set.At(i).Obj()
			if sig, ok := o.Type().(*types.Signature); ok && o.Name() == name && sig.Params().Len() == 0 {
				return name
			}
		}
	}
	return ""
}

// isIterator says whether a function is one that a range loop runs over.
func isIterator(sig *types.Signature) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() > 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// isCollection says whether values of a type share elements with their copies.
func isCollection(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// readable is plain, but for times, and for pointers, channels and functions, whose values alone are read.
func readable(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return readable(u.Elem(), depth+1)
	case *types.Map:
		return readable(u.Key(), depth+1) && readable(u.Elem(), depth+1)
	case *types.Pointer, *types.Interface:
		return depth > 0
	case *types.Struct:
		n, ok := types.Unalias(t).(*types.Named)
		if ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
			return true
		}
		for i := range u.NumFields() {
			if !readable(u.Field(i).Type(), depth+1) {
				return false
			}
		}
	}
	return true
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Chan, *types.Map, *types.Slice, *types.Signature:
		return true
	}
	return false
}

// plain says whether values of a type are data that print the same in each run: no addresses, no
// times.
func plain(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Slice:
		return plain(u.Elem(), depth+1)
	case *types.Array:
		return plain(u.Elem(), depth+1)
	case *types.Map:
		return plain(u.Key(), depth+1) && plain(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); !f.Exported() || !plain(f.Type(), depth+1) { // how it is made is its own
				return false
			}
		}
		return true
	}
	return false
}
