package instrument

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/checker/sched/effects"
)

// Calls of the standard library, which is not rewritten. What they do to memory is told
// by functions of package sched around their operands:
//
//	sort.Ints(s)             sort.Ints(sched.WriteElements(s))
//	buf.WriteString(s)       sched.WriteObject(&buf).WriteString(s)
//	fmt.Fprintln(w, x)       fmt.Fprintln(sched.Uses("mWrite", w), sched.Uses("F", x))
//	slices.Contains(s, <-c)  slices.Contains(sched.Keep("r", s), sched.Then(1, "", sched.Recv(c)))
//	os.Setenv(k, v)          os.Setenv(k, sched.Then(0, "$environment:L", v))
//	w.Write(b)               sched.Dyn("Write", w).Write(b), for an interface

// A libraryCall is a call of which something has to be told.
type libraryCall struct {
	call     *ast.CallExpr
	words    string // about the function; "" if the receiver's type decides
	receiver *ast.SelectorExpr
	state    string
}

// librarySays are the words about a function of the standard library, "" if there is
// nothing to tell.
func (r *rewriter) librarySays(fn *types.Func) string {
	if r.silent || fn == nil || fn.Pkg() == nil || r.controlled(fn.Pkg().Path()) {
		return ""
	}
	fn = fn.Origin()
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		named := namedOf(recv.Type())
		if named == nil || types.IsInterface(named) {
			return ""
		}
		name = named.Obj().Name() + "." + name
	}
	return r.table.Of(fn.Pkg().Path(), name)
}

func namedOf(t types.Type) *types.Named {
	if elem, ok := types.Unalias(t).(*types.Pointer); ok {
		t = elem.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// library is a call of the standard library of which something has to be told; "" for
// any other.
func (r *rewriter) library(e *ast.CallExpr) string {
	c := r.libraryCall(e)
	if c == nil {
		return ""
	}
	operands := c.operands(r)
	if !c.oneValueEach(r) {
		c.arrangeReceiver(operands)
	} else {
		c.arrange(r, operands)
	}
	fun := part{e.Fun.Pos(), e.Fun.End(), ""}
	parts := []part{}
	for i, o := range operands {
		if i == 0 && c.receiver != nil {
			fun.text = o.text(r) + r.moved(c.receiver.Sel.Pos(), c.receiver.X.End()) + "." + c.receiver.Sel.Name
			continue
		}
		parts = append(parts, part{o.e.Pos(), o.e.End(), o.text(r)})
	}
	if fun.text == "" {
		fun.text = c.function(r)
	}
	return r.splice(e.Pos(), e.End(), append([]part{fun}, parts...)...)
}

// function is the text of the function, without that of a receiver that is told of.
func (c *libraryCall) function(r *rewriter) string {
	r.called = ast.Unparen(c.call.Fun)
	text := r.noted(c.call, r.value(c.call.Fun))
	if c.state != "" {
		text = r.call("At", strconv.Quote(c.state), text)
	}
	return text
}

// libraryLater is a call of the library in a go or defer statement, of which something
// is to be told when the call is made: the operands go to variables, and the call to a
// function literal. "" for any other call.
//
//	defer buf.Reset()
//	{ z1 := (&buf); defer func() { sched.WriteObject(z1).Reset() }() }
func (r *rewriter) libraryLater(s ast.Stmt, e *ast.CallExpr, before, after string) string {
	c := r.libraryCall(e)
	if c == nil || !c.oneValueEach(r) {
		return ""
	}
	if reason, _ := r.crosses(e); reason != "" {
		return ""
	}
	text, last := "{ ", s.Pos()
	operands := c.operands(r)
	for i := range operands {
		o := &operands[i]
		if o.pure = true; r.fixed(o.e) {
			continue
		}
		if name := r.untyped(o.e); name != "" {
			o.value = name + "(" + o.value + ")"
		}
		z := r.fresh()
		text += z + " := " + r.moved(o.e.Pos(), last) + o.value + "; "
		last, o.value = o.e.End(), z
		if o.how == "Dyn" {
			text += "_ = " + z + "." + c.receiver.Sel.Name + "; " // of nil, that panics here
		}
	}
	c.arrange(r, operands)
	var args []string
	function := ""
	for i, o := range operands {
		if i == 0 && c.receiver != nil {
			function = o.text(r) + "." + c.receiver.Sel.Name
		} else {
			args = append(args, o.text(r))
		}
	}
	if function == "" {
		function = c.function(r)
	}
	if e.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	inner := function + "(" + strings.Join(args, ", ") + ")"
	if logs(callee(r.info, e)) {
		inner += "; " + r.call("Called")
	}
	return text + before + "func() { " + inner + " }" + after + " }" + r.moved(s.End(), last)
}

// oneValueEach reports whether each argument gives one value.
func (c *libraryCall) oneValueEach(r *rewriter) bool {
	if len(c.call.Args) != 1 {
		return true
	}
	_, many := r.typeOf(c.call.Args[0]).(*types.Tuple)
	return !many
}

// libraryCall says what has to be told of a call; nil for nothing.
func (r *rewriter) libraryCall(e *ast.CallExpr) *libraryCall {
	if r.silent {
		return nil
	}
	fn := callee(r.info, e)
	if fn == nil {
		return nil
	}
	c := &libraryCall{call: e}
	selector, _ := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if selector != nil {
		s := r.info.Selections[selector]
		switch {
		case s == nil: // a qualified name
		case s.Kind() == types.MethodVal && r.fixture(selector, s) == "" && r.inPlace(selector, s) == "":
			c.receiver = selector
		case s.Kind() == types.FieldVal:
			return nil
		}
	}
	if c.receiver != nil && types.IsInterface(r.typeOf(c.receiver.X)) {
		if _, parameter := types.Unalias(r.typeOf(c.receiver.X)).(*types.TypeParam); parameter || !r.table.Method(fn.Name()) || unshared[fn.Name()] && !(fn.Pkg() != nil && fn.Pkg().Path() == "flag") {
			return nil
		}
		return c
	}
	if c.words = r.librarySays(fn); c.words == "" {
		c.words = r.unseen(fn)
	}
	c.state = effects.State(c.words)
	if c.words == "" || r.standIn(fn) != "" {
		return nil
	}
	if c.receiver != nil && (effects.Param(c.words, 0) == "" || r.receiverText(c.receiver) == "") {
		c.receiver = nil
	}
	return c
}

// unshared are methods that are called through interfaces very often, and whose
// receivers in the library are mostly not shared, or never change.
var unshared = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Err": true, "Done": true, "Deadline": true, "Value": true}

// An operandOf a call: its receiver, or an argument.
type operandOf struct {
	e       ast.Expr
	value   string // rewritten
	words   string
	pointer bool   // value is one
	array   bool   // and what it points to is an array
	pure    bool   // may be evaluated at any time
	how     string // "": alone; "Uses", "Keep", "Then", "Dyn"
	kept    int    // with Then
	dyn     string // with Dyn: the method
}

func (o operandOf) text(r *rewriter) string {
	switch o.how {
	case "":
		return o.value
	case "Dyn":
		return r.call("Dyn", strconv.Quote(o.dyn), o.value)
	case "Then":
		return r.call(o.how+o.kind(), strconv.Itoa(o.kept), strconv.Quote(o.words), o.value)
	case "Uses":
		if f := r.shortcut(o); f != "" {
			return r.call(f, o.value)
		}
		if o.pointer && strings.Contains(o.words, " K") && !strings.Contains(o.words, "$") && !hasPoint(o.words) {
			return r.call("Holds", strconv.Quote(o.words), o.value)
		}
	}
	return r.call(o.how+o.kind(), strconv.Quote(o.words), o.value)
}

// kind ends the name of the function that tells of an operand.
func (o operandOf) kind() string {
	if o.array {
		return "Array"
	}
	return ""
}

// toArray reports whether a type is a pointer to an array.
func toArray(t types.Type) bool {
	elem, ok := pointer(t)
	if !ok {
		return false
	}
	_, ok = elem.Underlying().(*types.Array)
	return ok
}

// shortcut is the function that stands for the words "r" and "w" about a slice or an
// object.
func (r *rewriter) shortcut(o operandOf) string {
	kinds := map[string]string{"r": "Read", "w": "Write"}
	if kinds[o.words] == "" {
		return ""
	}
	t := r.typeOf(o.e)
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	if _, ok := t.Underlying().(*types.Slice); ok && !o.pointer { // of a method that takes a pointer, the operand is one
		return kinds[o.words] + "Elements"
	}
	named := namedOf(t)
	if !o.pointer || named == nil || named.Obj().Pkg() == nil || !r.table.Package(named.Obj().Pkg().Path()) {
		return ""
	}
	if st, ok := named.Underlying().(*types.Struct); ok && !exportsFields(st) {
		return kinds[o.words] + "Object"
	}
	return ""
}

func exportsFields(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Exported() {
			return true
		}
	}
	return false
}

// operands are those of a call, in the order of evaluation, with what is told of each.
// Where something that may take time is evaluated after an operand, or the call is a
// scheduling point, the last operand tells of all.
func (c *libraryCall) operands(r *rewriter) []operandOf {
	var list []operandOf
	if c.receiver != nil {
		o := operandOf{e: c.receiver.X}
		if c.words == "" {
			o.value, o.how, o.dyn = r.value(c.receiver.X), "Dyn", c.receiver.Sel.Name
		} else {
			of := callee(r.info, c.call).Signature().Recv().Type()
			_, o.pointer = types.Unalias(of).(*types.Pointer)
			o.array = toArray(of)
			o.value, o.words = r.receiverText(c.receiver), effects.Param(c.words, 0)
		}
		list = append(list, o)
	}
	first := 0
	if fn := callee(r.info, c.call); fn.Signature().Recv() != nil {
		first = 1
	}
	if c.words != "" && first == 1 && c.methodExpression(r) {
		first = 0
	}
	values := r.list(c.call.Args)
	for i, a := range c.call.Args {
		o := operandOf{e: a, value: values[i]}
		_, o.pointer = types.Unalias(r.typeOf(a)).(*types.Pointer)
		o.array = toArray(r.typeOf(a))
		if c.words != "" {
			o.words = effects.Param(c.words, first+c.parameter(r, i))
			if r.fixed(a) && !named(o.words) {
				o.words = ""
			}
			if c.listed(r, i) {
				o.words = ofElement(o.words)
			}
			if needless(o.words, r.typeOf(a)) || o.words == "F" && c.unread(r, i) {
				o.words = ""
			}
		}
		list = append(list, o)
	}
	return list
}

// named reports whether words about a string tell of what it names.
func named(words string) bool { return words == "Kset" }

// arrangeReceiver tells of the receiver of a call whose arguments are the results of
// another.
func (c *libraryCall) arrangeReceiver(list []operandOf) {
	for i := range list {
		if list[i].how != "Dyn" {
			list[i].how = ""
		}
	}
	if c.receiver != nil && list[0].words != "" {
		list[0].how = "Uses"
	}
}

// arrange decides how each operand is told of.
func (c *libraryCall) arrange(r *rewriter, list []operandOf) {
	if c.words == "" {
		return
	}
	last, slow := -1, -1
	points := c.state != ""
	for i := range list {
		if !r.fixed(list[i].e) || list[i].words != "" {
			last = i
			if !list[i].pure && !r.pure(list[i].e) {
				slow = i
			}
		}
		points = points || hasPoint(list[i].words)
	}
	if last < 0 {
		return
	}
	kept := 0
	for i := range list[:last] {
		o := &list[i]
		switch {
		case o.words == "":
		case i < slow || points:
			o.how = "Keep"
			kept++
		default:
			o.how = "Uses"
		}
	}
	o := &list[last]
	if name := r.untyped(o.e); name != "" && (kept > 0 || c.state != "") {
		o.value = name + "(" + o.value + ")"
	}
	o.words = strings.TrimSpace(c.state + " " + o.words)
	switch c.state = ""; {
	case kept > 0:
		o.how, o.kept = "Then", kept
	case o.words != "":
		o.how = "Uses"
	}
}

// hasPoint reports whether words about an operand make the call a scheduling point: the
// operand has a lock.
func hasPoint(words string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == "l" || w == "L" || w == "S" || w[0] == 'P' || strings.HasSuffix(w, "mHandle") {
			return true
		}
	}
	return false
}

// fixed reports whether an operand needs no evaluation: a constant, nil, a type, a
// function literal or a declared function.
func (r *rewriter) fixed(e ast.Expr) bool {
	tv := r.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.IsType() {
		return true
	}
	if _, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return true
	}
	_, ok := r.object(e).(*types.Func)
	if index, isIndex := ast.Unparen(e).(*ast.IndexExpr); isIndex {
		_, ok = r.object(index.X).(*types.Func)
	}
	return ok
}

// parameter is the index of the parameter that an argument belongs to.
func (c *libraryCall) parameter(r *rewriter, i int) int {
	if sig, ok := r.typeOf(c.call.Fun).Underlying().(*types.Signature); ok && i >= sig.Params().Len() {
		return sig.Params().Len() - 1
	}
	return i
}

// unread reports whether an argument of a function that prints is not looked at: by its
// verb, only the pointer or the type is printed.
func (c *libraryCall) unread(r *rewriter, i int) bool {
	sig, ok := r.typeOf(c.call.Fun).Underlying().(*types.Signature)
	first := 0
	if ok {
		first = sig.Params().Len() - 1
	}
	if !ok || !sig.Variadic() || c.call.Ellipsis.IsValid() || first < 1 || i < first {
		return false
	}
	format := r.info.Types[c.call.Args[first-1]].Value
	if format == nil || format.Kind() != constant.String {
		return false
	}
	verbs, ok := verbsOf(constant.StringVal(format))
	return ok && i-first < len(verbs) && (verbs[i-first] == 'p' || verbs[i-first] == 'T')
}

// verbsOf are the verbs of a format, one for each operand; it fails for a format that
// names operands or takes widths from them.
func verbsOf(format string) (verbs []byte, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		switch {
		case i == len(format) || format[i] == '[' || format[i] == '*':
			return nil, false
		case format[i] != '%':
			verbs = append(verbs, format[i])
		}
	}
	return verbs, true
}

// listed reports whether an argument becomes an element of a list of arguments.
func (c *libraryCall) listed(r *rewriter, i int) bool {
	sig, ok := r.typeOf(c.call.Fun).Underlying().(*types.Signature)
	return ok && sig.Variadic() && !c.call.Ellipsis.IsValid() && i >= sig.Params().Len()-1
}

// ofElement are those of the words about a list that hold for what an element leads to.
func ofElement(words string) string {
	text, sep := "", ""
	for w := range strings.FieldsSeq(words) {
		if strings.Contains("FRDWe", w) {
			text += sep + w
			sep = " "
		}
	}
	return text
}

// methodExpression reports whether the receiver is an argument: (*T).Method(x).
func (c *libraryCall) methodExpression(r *rewriter) bool {
	selector, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := r.info.Selections[selector]
	return s != nil && s.Kind() == types.MethodExpr
}

// needless reports whether nothing is to be told of an operand of a type: it leads to
// nothing that can be shared.
func needless(words string, t types.Type) bool {
	switch words {
	case "", "c":
		return true
	case "r", "w", "a":
		switch t.Underlying().(type) {
		case *types.Basic, *types.Array, *types.Signature:
			return true
		case *types.Struct:
			return !isReflectValue(t)
		}
	case "R", "D", "F":
		return !leads(t, map[types.Type]bool{})
	}
	return false
}

// leads reports whether a value of a type may lead to memory that is shared, or may have
// methods of the library.
func leads(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature, *types.Chan:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if leads(f.Type(), seen) {
				return true
			}
		}
		return false
	case *types.Array:
		return leads(u.Elem(), seen)
	}
	return true
}

// receiverText is the receiver of a method of the library: a pointer to it if the
// method takes one; "" if it cannot be written here.
func (r *rewriter) receiverText(e *ast.SelectorExpr) string {
	s := r.info.Selections[e]
	fn, ok := s.Obj().(*types.Func)
	if !ok {
		return ""
	}
	_, byPointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer)
	t, way := s.Recv(), ""
	for _, i := range s.Index()[:len(s.Index())-1] {
		if elem, ok := pointer(t); ok {
			t = elem
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != r.pkg {
			return ""
		}
		t, way = f.Type(), way+"."+f.Name()
	}
	_, isPointer := types.Unalias(t).Underlying().(*types.Pointer)
	switch {
	case isPointer && way == "":
		text := r.value(e.X)
		if !byPointer {
			return "" // it is copied, which is told as any other read
		}
		return text
	case isPointer:
		text := r.call("R", "&"+r.base(e.X)+way)
		if !byPointer {
			return ""
		}
		return "(*" + text + ")"
	case byPointer && way == "":
		return "(&" + r.location(e.X) + ")"
	case byPointer:
		return "(&" + r.base(e.X) + way + ")"
	case way == "":
		return r.value(e.X)
	}
	return ""
}

func isReflectValue(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "reflect" && named.Obj().Name() == "Value"
}

// libraryValue is a function or method of the library that is used as a value; "" if
// nothing has to be told when it is called.
//
//	run(buf.Reset)    run(sched.Method("0w", (&buf), buf.Reset))
func (r *rewriter) libraryValue(e ast.Expr) string {
	if r.called == e || r.silent {
		return ""
	}
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := r.info.Uses[selector.Sel].(*types.Func)
	if !ok || fn.Signature().TypeParams().Len() > 0 || r.standIn(fn) != "" {
		return ""
	}
	words := r.librarySays(fn)
	if words == "" {
		words = r.unseen(fn)
	}
	if words == "" || strings.HasPrefix(words, "$!") {
		return ""
	}
	s := r.info.Selections[selector]
	switch {
	case s == nil || s.Kind() == types.MethodExpr:
		return r.call("Func", strconv.Quote(words), r.raw(e))
	case r.fixture(selector, s) != "" || !r.pure(selector.X) || strings.Contains(r.raw(selector.X), "\n"):
		return ""
	}
	receiver := r.receiverText(selector)
	if receiver == "" {
		return ""
	}
	return r.call("Method", strconv.Quote(words), receiver, receiver+"."+selector.Sel.Name)
}

// logs reports whether a function is one of package log or log/slog: the packages whose
// objects hold a lock while they call a writer.
func logs(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "log" || fn.Pkg().Path() == "log/slog")
}

// logging is a statement that calls a logger, which may hold a lock until the call has
// returned; "" for any other.
//
//	{ sched.Uses("L >1mWrite", l).Print(x); sched.Called() }
func (r *rewriter) logging(s *ast.ExprStmt) string {
	e, ok := s.X.(*ast.CallExpr)
	if !ok || r.header[s] || !logs(callee(r.info, e)) || r.libraryCall(e) == nil {
		return ""
	}
	return "{ " + r.value(e) + "; " + r.call("Called") + " }"
}

// unseen are words about a function whose accesses to memory are not seen, "" for any
// other: one of a file that uses cgo, or a method of a type of another module. Calls of
// what is not rewritten at all are scheduling points, since it may have locks.
//
//	$!example.com/p:L    it is not under control
//	0Pexample.com/x      a scheduling point at the receiver, of which is noted who uses it
//	0Oexample.com/x      that is noted only
func (in *Instrumenter) unseen(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	path := fn.Pkg().Path()
	recv := fn.Signature().Recv()
	switch {
	case in.silent(path):
		if recv != nil {
			return "0O" + path
		}
	case in.facts[path] != nil:
		if in.usingCgo(fn) {
			return "$!" + path + ":L"
		}
	case recv != nil && !isStandard(path):
		return "0P" + path
	}
	return ""
}

// usingCgo reports whether a function of the program is declared in a file that uses
// cgo. Such a file is left as it is.
func (in *Instrumenter) usingCgo(fn *types.Func) bool {
	for _, pkg := range in.program.Packages {
		if pkg.Path == fn.Pkg().Path() && usesCgo(pkg) {
			return !slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool {
				return f.AST.FileStart <= fn.Pos() && fn.Pos() < f.AST.FileEnd
			})
		}
	}
	return false
}
