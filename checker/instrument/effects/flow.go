package effects

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A place is memory, or a value, as a function knows it: where to find it from a
// parameter or a package-level variable, through at most two fields that are
// followed. A pointer denotes the place that it points to.
type place struct {
	parameter int         // index, the receiver's is 0; unused for a global
	global    *ssa.Global // or nil
	alloc     ssa.Value   // of the function itself, or nil
	way       [2]int16    // fields that are followed; all: any, or an element
	followed  int8
	field     int16 // the field of the object reached that is pointed to; all: the whole, or its elements
}

// all stands for every field of an object, or every element.
const all int16 = -1

// follow is the place that a pointer found at p points to, and whether that is still
// near enough to be told.
func (p place) follow() (place, bool) {
	if int(p.followed) == len(p.way) {
		return p, false
	}
	p.way[p.followed] = p.field
	p.followed++
	p.field = all
	return p, true
}

// at is the place of a field of p.
func (p place) at(field int) place {
	if p.field == all && p.alloc == nil {
		p.field = int16(field)
	}
	return p
}

// within is the place q of a callee whose argument is p.
func (p place) within(q place) (place, bool) {
	for i := range int(q.followed) {
		next := p
		if next.field == all {
			next.field = q.way[i]
		}
		var near bool
		if p, near = next.follow(); !near {
			return p, false
		}
	}
	if p.field == all {
		p.field = q.field
	}
	return p, true
}

// An effect is what a function does to a place.
type effect struct {
	place
	what string // see package mendel/checker/sched/effects
}

type set[T comparable] map[T]bool

// general reports whether an effect concerns no parameter, but what the whole process
// shares.
func (e effect) general() bool { return e.global != nil || e.what[0] == '$' }

// A summary is what a function does, and what its results may be.
type summary struct {
	effects set[effect]
	results set[place]
}

// A flow analyses one function.
type flow struct {
	a       *analyser
	fn      *ssa.Function
	values  map[ssa.Value]set[place]
	held    map[ssa.Value]set[place] // what memory of the function itself holds
	lazy    map[*ssa.BasicBlock]bool
	out     *summary
	changed bool
}

func (a *analyser) analyse(fn *ssa.Function) *summary {
	f := &flow{a: a, fn: fn, values: map[ssa.Value]set[place]{}, held: map[ssa.Value]set[place]{},
		lazy: lazyBlocks(fn), out: &summary{set[effect]{}, set[place]{}}}
	for i, p := range fn.Params {
		f.values[p] = set[place]{{parameter: i, field: all}: true}
	}
	for i, v := range fn.FreeVars { // after the parameters
		f.values[v] = set[place]{{parameter: len(fn.Params) + i, field: all}: true}
	}
	for range 20 { // until nothing changes; in practice three or four times
		f.changed = false
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f.instruction(b, in)
			}
		}
		if !f.changed {
			break
		}
	}
	f.resolve()
	return f.out
}

// resolve adds what the methods do that are called on a parameter of a concrete type
// through an interface: sort.IntSlice.Sort calls sort.Sort.
func (f *flow) resolve() {
	var calls []effect
	for e := range f.out.effects {
		if e.what[0] == 'm' && !e.general() && e.followed == 0 && e.parameter < len(f.fn.Params) {
			calls = append(calls, e)
		}
	}
	// In an order: what a summary knows of functions that call each other depends on which comes first.
	slices.SortFunc(calls, func(a, b effect) int {
		return cmp.Or(cmp.Compare(a.parameter, b.parameter), cmp.Compare(a.field, b.field), strings.Compare(a.what, b.what))
	})
	for _, e := range calls {
		t := f.fn.Params[e.parameter].Type()
		if _, named := types.Unalias(deref(t)).(*types.Named); !named || types.IsInterface(t) {
			continue
		}
		method := f.fn.Prog.MethodSets.MethodSet(t).Lookup(nil, e.what[1:]) // an exported one
		if method == nil {
			continue
		}
		fn := f.fn.Prog.MethodValue(method)
		if fn == nil { // of a generic type
			continue
		}
		s := f.a.summaryOf(fn)
		if s == nil {
			continue
		}
		for inner := range s.effects {
			if q, near := e.place.within(inner.place); near && !inner.general() && inner.parameter == 0 {
				f.out.effects[effect{q, inner.what}] = true
			}
		}
	}
}

// deref is what a pointer type points to; another type itself.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func (f *flow) of(v ssa.Value) set[place] {
	switch v := v.(type) {
	case *ssa.Global:
		return set[place]{{global: v, field: all}: true}
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return set[place]{{alloc: v, field: all}: true}
	}
	return f.values[v]
}

func (f *flow) add(v ssa.Value, p place) {
	s := f.values[v]
	if s == nil {
		s = set[place]{}
		f.values[v] = s
	}
	if !s[p] && len(s) < 40 {
		s[p] = true
		f.changed = true
	}
}

func (f *flow) pass(to ssa.Value, from ...ssa.Value) {
	for _, v := range from {
		for p := range f.of(v) {
			f.add(to, p)
		}
	}
}

// effect notes what is done to where a value points.
func (f *flow) effect(b *ssa.BasicBlock, v ssa.Value, what string) {
	for p := range f.of(v) {
		f.do(b, p, what)
	}
}

func (f *flow) do(b *ssa.BasicBlock, p place, what string) {
	if p.alloc != nil {
		return
	}
	if f.lazy[b] && (what == "w" || what == "a" || what == "L" || what == "S") {
		if what != "w" || p.global != nil || p.followed > 0 || p.field == all {
			return
		}
		what = "z"
	}
	e := effect{p, what}
	if !f.out.effects[e] {
		f.out.effects[e] = true
		f.changed = true
	}
}

// load is what is found at an address.
func (f *flow) load(to, address ssa.Value) {
	if !mayPoint(to.Type()) {
		return
	}
	for p := range f.of(address) {
		if p.alloc != nil {
			for q := range f.held[p.alloc] {
				f.add(to, q)
			}
		} else if q, near := p.follow(); near {
			f.add(to, q)
		}
	}
}

func (f *flow) store(address, v ssa.Value) {
	for p := range f.of(address) {
		if p.alloc == nil {
			continue
		}
		for q := range f.of(v) {
			if f.held[p.alloc] == nil {
				f.held[p.alloc] = set[place]{}
			}
			if !f.held[p.alloc][q] {
				f.held[p.alloc][q] = true
				f.changed = true
			}
		}
	}
}

func (f *flow) instruction(b *ssa.BasicBlock, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		for p := range f.of(in.X) {
			f.add(in, p.at(in.Field))
		}
	case *ssa.IndexAddr:
		f.pass(in, in.X)
	case *ssa.UnOp:
		if in.Op == token.MUL {
			f.effect(b, in.X, "r")
			f.load(in, in.X)
		}
	case *ssa.Store:
		f.effect(b, in.Addr, "w")
		f.store(in.Addr, in.Val)
	case *ssa.MapUpdate:
		f.effect(b, in.Map, "w")
		f.store(in.Map, in.Value)
	case *ssa.Lookup:
		if !isString(in.X.Type()) {
			f.effect(b, in.X, "r")
			f.load(in, in.X)
		}
	case *ssa.Range:
		if !isString(in.X.Type()) {
			f.effect(b, in.X, "r")
			f.load(in, in.X)
		}
	case *ssa.Next:
		f.pass(in, in.Iter)
	case *ssa.Slice:
		if max, ok := in.Max.(*ssa.Const); ok && in.Max != nil && max.Value != nil && constant.Sign(max.Value) == 0 {
			return // without room: what is appended is new
		}
		f.pass(in, in.X)
	case *ssa.Convert:
		if isString(in.Type()) && isSlice(in.X.Type()) {
			f.effect(b, in.X, "r")
		} else if mayPoint(in.Type()) && !isString(in.X.Type()) {
			f.pass(in, in.X)
		}
	case *ssa.MultiConvert:
		f.pass(in, in.X)
	case *ssa.SliceToArrayPointer:
		f.pass(in, in.X)
	case *ssa.ChangeType:
		f.pass(in, in.X)
	case *ssa.MakeInterface:
		f.pass(in, in.X)
	case *ssa.ChangeInterface:
		f.pass(in, in.X)
	case *ssa.TypeAssert:
		f.pass(in, in.X)
	case *ssa.Extract:
		if mayPoint(in.Type()) {
			f.pass(in, in.Tuple)
		}
	case *ssa.Field:
		if mayPoint(in.Type()) {
			f.pass(in, in.X)
		}
	case *ssa.Index:
		if mayPoint(in.Type()) {
			f.pass(in, in.X)
		}
	case *ssa.Phi:
		f.pass(in, in.Edges...)
	case *ssa.Return:
		for _, v := range in.Results {
			if !mayPoint(v.Type()) {
				continue
			}
			for p := range f.of(v) {
				if p.alloc == nil && !f.out.results[p] {
					f.out.results[p] = true
					f.changed = true
				}
			}
		}
	case *ssa.MakeClosure:
		f.closure(b, in)
	case ssa.CallInstruction:
		f.call(b, in)
	}
}

// closure counts what a function literal does to what it is bound to where the
// literal stands: mostly it is called, or given to what calls it.
func (f *flow) closure(b *ssa.BasicBlock, in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	if once(in) {
		return
	}
	s := f.a.summaryOf(fn)
	if s == nil {
		return
	}
	for e := range s.effects {
		if e.general() {
			f.do(b, e.place, e.what)
			continue
		}
		if i := e.parameter - len(fn.Params); i >= 0 && i < len(in.Bindings) {
			f.translate(b, in.Bindings[i], e)
		}
	}
}

// once reports whether a function literal is run by a sync.Once, which prepares an
// object that is shared.
func once(in *ssa.MakeClosure) bool {
	for _, r := range *in.Referrers() {
		if c, ok := r.(ssa.CallInstruction); ok {
			if fn := c.Common().StaticCallee(); fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync" {
				return true
			}
		}
	}
	return false
}

// translate is the effect of a callee on an argument.
func (f *flow) translate(b *ssa.BasicBlock, argument ssa.Value, e effect) {
	for p := range f.of(argument) {
		if p.alloc != nil { // what it holds
			if e.followed > 0 {
				if e.what[0] != 'm' && !deep(e.what) && !variable(p.alloc) {
					continue // which of its fields holds what is not known
				}
				inner := e
				inner.place.followed--
				inner.place.way = [2]int16{e.way[1]}
				for q := range f.held[p.alloc] {
					if r, near := q.within(inner.place); near {
						f.do(b, r, e.what)
					}
				}
			} else if deep(e.what) {
				for q := range f.held[p.alloc] {
					f.do(b, q, e.what)
				}
			}
			continue
		}
		if q, near := p.within(e.place); near {
			f.do(b, q, e.what)
		}
	}
}

// variable reports whether memory of the function itself holds one value, as a variable
// does that a function literal uses.
func variable(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	switch a.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// deep reports whether an effect is on everything that can be reached.
func deep(what string) bool { return what == "R" || what == "W" || what == "F" }

func (f *flow) call(b *ssa.BasicBlock, in ssa.CallInstruction) {
	c := in.Common()
	value, _ := in.(ssa.Value)
	if c.IsInvoke() {
		f.invoke(b, c, value)
		return
	}
	switch callee := c.Value.(type) {
	case *ssa.Builtin:
		f.builtin(b, callee.Name(), c.Args, value)
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		if _, ok := c.Value.Type().Underlying().(*types.Signature); ok {
			f.effect(b, c.Value, "c")
		}
		return
	}
	s := f.a.summaryOf(callee)
	if s == nil {
		return
	}
	for e := range s.effects {
		switch {
		case e.general():
			f.do(b, e.place, e.what)
		case e.parameter < len(c.Args):
			f.translate(b, c.Args[e.parameter], e)
		}
	}
	if value == nil || !mayPoint(value.Type()) {
		return
	}
	for r := range s.results {
		if r.global != nil {
			f.add(value, r)
			continue
		}
		if r.parameter >= len(c.Args) {
			continue
		}
		for p := range f.of(c.Args[r.parameter]) {
			if p.alloc != nil {
				if r.followed == 0 {
					f.add(value, p)
				}
				for q := range f.held[p.alloc] {
					if r.followed > 0 {
						f.add(value, q)
					}
				}
			} else if q, near := p.within(r); near {
				f.add(value, q)
			}
		}
	}
}

// invoke is the call of a method of an interface.
func (f *flow) invoke(b *ssa.BasicBlock, c *ssa.CallCommon, value ssa.Value) {
	if reflected := c.Value.Type().String(); reflected == "reflect.Type" || strings.HasSuffix(reflected, "abi.Type") {
		return
	}
	f.effect(b, c.Value, "m"+c.Method.Name())
	for _, v := range c.Args {
		if !isSlice(v.Type()) {
			continue
		}
		switch name := c.Method.Name(); {
		case strings.HasPrefix(name, "Write"):
			f.effect(b, v, "r")
		case strings.HasPrefix(name, "Read"):
			f.effect(b, v, "w")
		}
	}
}

func (f *flow) builtin(b *ssa.BasicBlock, name string, args []ssa.Value, value ssa.Value) {
	switch name {
	case "append":
		if cut(args[0], 0) {
			f.effect(b, args[0], "w")
		} else {
			f.effect(b, args[0], "a")
		}
		if len(args) > 1 && isSlice(args[1].Type()) {
			f.effect(b, args[1], "r")
		}
		if value != nil {
			f.pass(value, args[0])
		}
		f.store(args[0], args[0])
	case "copy":
		f.effect(b, args[0], "w")
		if isSlice(args[1].Type()) {
			f.effect(b, args[1], "r")
		}
	case "clear", "delete":
		f.effect(b, args[0], "w")
	case "len":
		if _, ok := args[0].Type().Underlying().(*types.Map); ok {
			f.effect(b, args[0], "r")
		}
	case "ssa:wrapnilchk":
		if value != nil {
			f.pass(value, args[0])
		}
	}
}

// cut reports whether a slice is a shorter one of another: what is appended then
// overwrites elements.
func cut(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Slice:
		return v.High != nil && isSlice(v.X.Type())
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return cut(e, depth+1) })
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return cut(v.Call.Args[0], depth+1)
		}
	}
	return false
}

// lazyBlocks are those in which something is prepared that is missing: they are
// reached only if what a parameter or a variable holds is zero. An object that is
// shared has mostly been prepared.
func lazyBlocks(fn *ssa.Function) map[*ssa.BasicBlock]bool {
	lazy := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		then := missing(branch.Cond)
		if then < 0 {
			continue
		}
		first := b.Succs[then]
		if len(first.Preds) > 1 {
			continue
		}
		for _, other := range fn.Blocks {
			if first.Dominates(other) {
				lazy[other] = true
			}
		}
	}
	return lazy
}

// missing is the branch of a condition in which a field is zero: 0 the one taken if
// it holds, 1 the other, -1 none.
func missing(cond ssa.Value) int {
	if c, ok := cond.(*ssa.BinOp); ok {
		k, ok := c.Y.(*ssa.Const)
		if !ok || !zero(k) || !fromField(c.X) {
			return -1
		}
		switch c.X.Type().Underlying().(type) {
		case *types.Basic, *types.Interface:
			return -1 // a count may well be zero, and there may be no error
		}
		switch c.Op {
		case token.EQL:
			return 0
		case token.NEQ:
			return 1
		}
	}
	return -1
}

func zero(k *ssa.Const) bool {
	return k.Value == nil || k.Value.Kind() == constant.Int && constant.Sign(k.Value) == 0
}

func fromField(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	_, ok = load.X.(*ssa.FieldAddr)
	return ok
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isSlice(t types.Type) bool {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		return strings.Contains(tp.Constraint().String(), "[]")
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// mayPoint reports whether a value of a type may point to something.
func mayPoint(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range t.Fields() {
			if mayPoint(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return mayPoint(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if mayPoint(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
