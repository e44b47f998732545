package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
)

// A Channel is what may be one channel when the program runs: all expressions
// between which its value may flow (assignment, parameter, result, field,
// element, captured variable), whatever the order. Fields are told apart by
// their declaration, not by the value they are selected from. Operations of
// tests are included, and marked.
type Channel struct {
	Elem types.Type
	// In source order. A make's Expr is the call itself.
	Makes, Sends, Receives, Ranges, Closes []ChannelUse
	Escapes                                bool // given to code that cannot be seen: of a package outside the module
}

// A ChannelUse is one operation on a channel.
type ChannelUse struct {
	Fn     *Function       // innermost function around it; nil in files that may not be edited
	Expr   ast.Expr        // the channel; of a make, the call
	Node   ast.Node        // *ast.CallExpr (make, close), *ast.SendStmt, *ast.UnaryExpr (receive) or *ast.RangeStmt
	Stmt   ast.Stmt        // innermost statement around it; of an operation of a select, the CommClause's Comm
	Select *ast.SelectStmt // the select that it is a case of, or nil
	Loop   bool            // inside a loop of its function, or its function is started in a loop
	Test   bool
}

// Uses are all operations on the channel, makes first.
func (c *Channel) Uses() []ChannelUse {
	return slices.Concat(c.Makes, c.Sends, c.Receives, c.Ranges, c.Closes)
}

// Channel is the channel that an expression of the original, in the function,
// may stand for; nil if it is unknown, as one that a package outside the module
// made is: ctx.Done(), time.After(d).
func (fn *Function) Channel(e ast.Expr) *Channel {
	return fn.space.channels().of(fn.File.Package.Info, e)
}

// ChannelOf is the channel that a variable, field, parameter or result of the
// program may hold; nil if it is unknown.
func (fn *Function) ChannelOf(v *types.Var) *Channel {
	ix := fn.space.channels()
	c, ok := v.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	return ix.find(ix.flow.objects[v.Origin()], c.Elem())
}

// Channels lists the channels that are made in functions that may be edited,
// in source order of the first make.
func (w *Whole) Channels() []*Channel {
	var found []*Channel
	for _, c := range w.space.channels().all {
		if slices.ContainsFunc(c.Makes, func(u ChannelUse) bool { return u.Fn != nil }) {
			found = append(found, c)
		}
	}
	return found
}

// A channelIndex holds the channels of a program.
type channelIndex struct {
	flow   *channelFlow
	byRoot map[*flowNode][]*Channel
	all    []*Channel // by the first make, those without any last
}

// A channelsOnce makes the index when it is first asked for.
type channelsOnce struct {
	once  sync.Once
	index *channelIndex
}

// channels finds the program's channels. It does not depend on the narrowing.
func (s *Space) channels() *channelIndex {
	s.channelsOnce.once.Do(func() { s.channelsOnce.index = newChannelIndex(s) })
	return s.channelsOnce.index
}

func newChannelIndex(s *Space) *channelIndex {
	c := &collector{
		index:     &channelIndex{flow: newChannelFlow(s.program), byRoot: make(map[*flowNode][]*Channel)},
		functions: make(map[ast.Node]*Function),
		looped:    make(map[ast.Node]bool),
	}
	for _, list := range s.functions {
		for _, fn := range list {
			c.functions[fn.Node] = fn
		}
	}
	var files []*analysis.File
	for _, pkg := range s.program.Packages {
		files = append(files, pkg.Files...)
	}
	slices.SortStableFunc(files, func(a, b *analysis.File) int { return cmp.Compare(a.Rel, b.Rel) })
	for _, f := range files {
		c.findLooped(s, f)
	}
	for _, f := range files {
		c.file = f
		inspectAll(f.AST, c.use)
	}
	slices.SortStableFunc(c.index.all, func(a, b *Channel) int {
		return cmp.Compare(min(len(b.Makes), 1), min(len(a.Makes), 1))
	})
	return c.index
}

// of finds the channel of an expression.
func (ix *channelIndex) of(info *types.Info, e ast.Expr) *Channel {
	return ix.find(ix.flow.known(e), elemOf(info, e))
}

func (ix *channelIndex) find(n *flowNode, elem types.Type) *Channel {
	if n == nil || elem == nil {
		return nil
	}
	for _, c := range ix.byRoot[n.root()] {
		if sameElem(c.Elem, elem) {
			if len(c.Makes) == 0 && n.root().foreign {
				return nil
			}
			return c
		}
	}
	return nil
}

// add finds the channel of an expression or begins it.
func (ix *channelIndex) add(info *types.Info, e ast.Expr) *Channel {
	n, elem := ix.flow.known(e), elemOf(info, e)
	if n == nil || elem == nil {
		return nil
	}
	root := n.root()
	for _, c := range ix.byRoot[root] {
		if sameElem(c.Elem, elem) {
			return c
		}
	}
	c := &Channel{Elem: elem, Escapes: root.escapes}
	ix.byRoot[root] = append(ix.byRoot[root], c)
	ix.all = append(ix.all, c)
	return c
}

// elemOf is the element type of an expression's channel type; nil if it has another type.
func elemOf(info *types.Info, e ast.Expr) types.Type {
	t := info.TypeOf(e)
	if t == nil {
		return nil
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	return c.Elem()
}

// sameElem tells whether channels with two element types may be one: values of
// different types meet in an interface variable, say, and stay apart. What a
// type parameter stands for is not looked up.
func sameElem(a, b types.Type) bool {
	return types.Identical(a, b) || generic(a) || generic(b)
}

func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return generic(t.Elem())
	case *types.Slice:
		return generic(t.Elem())
	case *types.Chan:
		return generic(t.Elem())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if generic(arg) {
				return true
			}
		}
		return t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0
	}
	return false
}

// A collector adds the operations of files to the channels.
type collector struct {
	index     *channelIndex
	functions map[ast.Node]*Function // that may be edited
	looped    map[ast.Node]bool      // *ast.FuncLit and *ast.FuncDecl started in a loop
	file      *analysis.File
}

// inspectAll walks a tree in source order with the nodes around each, function
// literals included.
func inspectAll(n ast.Node, visit func(n ast.Node, path []ast.Node)) {
	var path []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		visit(n, path)
		path = append(path, n)
		return true
	})
}

// findLooped notes the functions that a file starts in loops.
func (c *collector) findLooped(s *Space, f *analysis.File) {
	start := func(fun ast.Expr) {
		if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
			c.looped[lit] = true
		} else if fn := s.declared[callee(f.Package.Info, fun)]; fn != nil {
			c.looped[fn.Node] = true
		}
	}
	inspectAll(f.AST, func(n ast.Node, path []ast.Node) {
		if !inLoop(n, path) {
			return
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			start(n.Call.Fun)
		case *ast.CallExpr:
			if startsArgument(n) && len(n.Args) > 0 {
				start(n.Args[len(n.Args)-1])
			}
		}
	})
}

// inLoop tells whether a node is in a loop of the innermost function around it,
// what a loop begins with left out.
func inLoop(n ast.Node, path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch l := path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		case *ast.ForStmt:
			if l.Init == nil || n.Pos() >= l.Init.End() || n.Pos() < l.Init.Pos() {
				return true
			}
		case *ast.RangeStmt:
			if n.Pos() >= l.Body.Pos() {
				return true
			}
		}
	}
	return false
}

// use adds the operation that a node is, if it is one.
func (c *collector) use(n ast.Node, path []ast.Node) {
	info := c.file.Package.Info
	add := func(e ast.Expr, list func(*Channel) *[]ChannelUse) {
		if ch := c.index.add(info, e); ch != nil {
			l := list(ch)
			*l = append(*l, c.describe(e, n, path))
		}
	}
	switch n := n.(type) {
	case *ast.SendStmt:
		add(n.Chan, func(ch *Channel) *[]ChannelUse { return &ch.Sends })
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			add(n.X, func(ch *Channel) *[]ChannelUse { return &ch.Receives })
		}
	case *ast.RangeStmt:
		add(n.X, func(ch *Channel) *[]ChannelUse { return &ch.Ranges })
	case *ast.CallExpr:
		switch builtin(info, n) {
		case "make":
			add(n, func(ch *Channel) *[]ChannelUse { return &ch.Makes })
		case "close":
			add(n.Args[0], func(ch *Channel) *[]ChannelUse { return &ch.Closes })
		}
	}
}

// builtin is the name of the predeclared function that a call calls; "" for any other.
func builtin(info *types.Info, call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// describe fills in where an operation is.
func (c *collector) describe(e ast.Expr, n ast.Node, path []ast.Node) ChannelUse {
	u := ChannelUse{Expr: e, Node: n, Test: c.file.Test, Loop: inLoop(n, path)}
	if s, ok := n.(ast.Stmt); ok {
		u.Stmt = s
	}
	for i := len(path) - 1; i >= 0 && u.Fn == nil; i-- {
		switch p := path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			u.Fn = c.functions[p]
			u.Loop = u.Loop || c.looped[p]
			if clause, ok := c.commOf(u, path[i:]); ok {
				u.Select = clause
			}
			return u
		case ast.Stmt:
			if u.Stmt == nil {
				u.Stmt = p
			}
		}
	}
	return u
}

// commOf finds the select that an operation is a case of, in the nodes around it.
func (c *collector) commOf(u ChannelUse, path []ast.Node) (*ast.SelectStmt, bool) {
	for i := len(path) - 1; i >= 2; i-- {
		clause, ok := path[i].(*ast.CommClause)
		if !ok || clause.Comm == nil || clause.Comm != u.Stmt {
			continue
		}
		var op ast.Node // a send, or what the statement receives
		switch s := clause.Comm.(type) {
		case *ast.SendStmt:
			op = s
		case *ast.ExprStmt:
			op = ast.Unparen(s.X)
		case *ast.AssignStmt:
			op = ast.Unparen(s.Rhs[0])
		}
		if op == u.Node {
			s, ok := path[i-2].(*ast.SelectStmt)
			return s, ok
		}
	}
	return nil, false
}

// nearChannels are the functions that operate on a channel which a function
// with heat operates on, too: a sender waits for what its receivers do.
func (s *Space) nearChannels() map[*Function]bool {
	near := make(map[*Function]bool)
	hot := make(map[*Function]bool)
	for _, list := range s.functions {
		for _, fn := range list {
			hot[fn] = fn.heat() > 0
		}
	}
	for _, c := range s.channels().all {
		uses := c.Uses()
		if !slices.ContainsFunc(uses, func(u ChannelUse) bool { return hot[u.Fn] }) {
			continue
		}
		for _, u := range uses {
			if u.Fn != nil {
				near[u.Fn] = true
			}
		}
	}
	return near
}
