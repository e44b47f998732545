package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"
)

// A sharing analysis finds the variables that an execution's goroutines share:
// used in two threads, or one of which there may be several, and written in one of them.
type sharing struct {
	p     *Program
	ids   *index
	alias *aliases
	fresh *freshness

	closures map[*function]map[*function]bool // what execution.closure found
}

// A verdict is what makes a variable shared.
type verdict struct {
	writes, reads []useOf
	threads       []string
}

func (v *verdict) String(ids *index) string {
	text := "written in " + ids.places(v.writes, 3)
	if len(v.reads) > 0 {
		text += "; read in " + ids.places(v.reads, 3)
	}
	return text + "; by " + strings.Join(v.threads, " and ")
}

// A tally counts the goroutines that uses are made in.
type tally struct {
	x        *execution
	threads  map[int]bool // true: there may be several
	own      bool         // the goroutine that made a local variable
	uses     []useOf
	hasPlain bool
}

func newTally(x *execution) *tally { return &tally{x: x, threads: map[int]bool{}} }

func (t *tally) add(u useOf) {
	t.uses = append(t.uses, u)
	t.hasPlain = t.hasPlain || !u.atomic
}

// verdict is nil if the uses need no guard.
func (t *tally) verdict() *verdict {
	n := len(t.threads)
	if t.own {
		n++
	}
	v := &verdict{}
	for _, i := range slices.Sorted(maps.Keys(t.threads)) {
		label := t.x.threads[i].label
		if t.threads[i] {
			n++
			label = "several " + label
		}
		v.threads = append(v.threads, label)
	}
	if t.own {
		v.threads = append(v.threads, "the goroutine that declares it")
	}
	for _, u := range t.uses {
		if u.Write {
			v.writes = append(v.writes, u)
		} else {
			v.reads = append(v.reads, u)
		}
	}
	if n < 2 || len(v.writes) == 0 || !t.hasPlain {
		return nil
	}
	return v
}

// wide judges what every thread may reach: a field or package-level variable.
func (s *sharing) wide(x *execution, uses []useOf) *verdict {
	t := newTally(x)
	for _, u := range uses {
		if len(x.in[u.fn]) == 0 || s.fresh.fresh(u) || initialises(u.fn) {
			continue
		}
		t.add(u)
		for _, i := range x.in[u.fn] {
			t.threads[i] = x.threads[i].many
		}
	}
	return t.verdict()
}

// initialises reports whether a function runs before any goroutine of the program's own.
func initialises(fn *function) bool {
	d, ok := fn.node.(*ast.FuncDecl)
	return ok && d.Recv == nil && d.Name.Name == "init"
}

// captured judges a local variable by its uses in its function and the
// literals inside it. Threads count that are started while the variable is
// alive, or whose function is a literal that captures it; all else runs in the
// goroutine that declared it.
func (s *sharing) captured(x *execution, v *types.Var, uses []useOf) *verdict {
	home := s.ids.at(v.Pos())
	if home == nil || len(x.in[home]) == 0 {
		return nil
	}
	life := lifeOf(home, v)
	t := newTally(x)
	first := token.Pos(math.MaxInt)
	for _, u := range uses {
		for _, i := range x.in[u.fn] {
			th := x.threads[i]
			separate, many := s.relation(x, th, home, v, life)
			if separate {
				t.threads[i] = many
				if th.from == home {
					first = min(first, startOf(home, th.site, instance(home, v)))
				} else if outer := outermostIn(home, th); outer != nil {
					first = min(first, startOf(home, outer.node.Pos(), instance(home, v)))
				} else {
					first = 0
				}
			}
		}
	}
	if len(t.threads) == 0 {
		return nil
	}
	for _, u := range uses {
		if inHeader(home, u.Expr.Pos(), v) || u.fn == home && u.Expr.Pos() < first {
			continue // before anybody else could know of it
		}
		t.add(u)
		for _, i := range x.in[u.fn] {
			if separate, _ := s.relation(x, x.threads[i], home, v, life); !separate {
				t.own = true
			}
		}
	}
	return t.verdict()
}

// startOf is the position from which what a function starts at pos may run: pos
// or, if it is in a loop around which a variable lives, the beginning of the loop.
func startOf(home *function, pos, declared token.Pos) token.Pos {
	if loop := OuterLoop(home.body, pos, declared); loop.IsValid() {
		return loop
	}
	return pos
}

// outermostIn is the literal directly inside home through which a thread knows home's variables.
func outermostIn(home *function, th *thread) *function {
	for _, fn := range append([]*function{th.from}, th.roots...) {
		for ; fn != nil && fn.outer != nil; fn = fn.outer {
			if fn.outer == home {
				return fn
			}
		}
	}
	return nil
}

// A life is the part of a function in which one instance of a variable exists.
type life struct{ from, to token.Pos }

func lifeOf(home *function, v *types.Var) life {
	if scope := v.Parent(); scope != nil {
		return life{scope.Pos(), scope.End()}
	}
	return life{home.node.Pos(), home.node.End()}
}

// relation reports whether a thread is another one than that which declared a
// local variable, and whether several of it may know the same instance.
func (s *sharing) relation(x *execution, th *thread, home *function, v *types.Var, l life) (separate, many bool) {
	if th.from == nil {
		return false, false
	}
	if th.from.within(home) {
		if th.site < l.from || l.to <= th.site {
			return false, false
		}
		return true, th.pool || s.repeated(x, th.from, th.site, home, v)
	}
	for _, root := range th.roots {
		if root != home && root.within(home) {
			return true, th.many || s.repeated(x, root.outer, root.node.Pos(), home, v)
		}
	}
	// A literal that was handed to a goroutine's function: another goroutine
	// than home's if home does not run there.
	return !x.runsIn(home, th), th.many
}

// repeated reports whether a place inside home, perhaps in a literal in it, can
// be passed more than once while one instance of a variable exists.
func (s *sharing) repeated(x *execution, fn *function, pos token.Pos, home *function, v *types.Var) bool {
	for ; fn != nil; pos, fn = fn.node.Pos(), fn.outer {
		beyond := token.NoPos
		if fn == home {
			beyond = instance(home, v)
		}
		if inLoop(fn.body, pos, beyond) {
			return true
		}
		if fn == home {
			return false
		}
		sites := map[token.Pos]bool{}
		for _, e := range x.graph.in[fn] {
			if !e.from.within(home) {
				if e.many {
					return true
				}
				continue
			}
			sites[e.pos] = true
			if e.looped && inLoop(e.from.body, e.pos, instance(home, v)) {
				return true
			}
		}
		if len(sites) > 1 {
			return true
		}
	}
	return false
}

// instance is a position in the innermost loop whose iterations have instances
// of a variable of their own: that of its declaration or, of a variable in a
// loop's header since Go 1.22, one in the loop's body.
func instance(home *function, v *types.Var) token.Pos {
	if !perIteration(home.file) {
		if loop := headerOf(home, v); loop != nil {
			return loop.Pos() - 1
		}
	}
	return v.Pos()
}

// headerOf is the loop that declares a variable in its header.
func headerOf(home *function, v *types.Var) ast.Node {
	var loop ast.Node
	ast.Inspect(home.body, func(n ast.Node) bool {
		if n == nil || v.Pos() < n.Pos() || n.End() <= v.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			if v.Pos() < n.Body.Pos() {
				loop = n
			}
		case *ast.RangeStmt:
			if v.Pos() < n.Body.Pos() {
				loop = n
			}
		}
		return true
	})
	return loop
}

// inHeader reports whether a use is in the header of the loop that declares the
// variable, where it is that iteration's own.
func inHeader(home *function, pos token.Pos, v *types.Var) bool {
	if !perIteration(home.file) {
		return false
	}
	loop, ok := headerOf(home, v).(*ast.ForStmt)
	return ok && loop.Pos() <= pos && pos < loop.Body.Pos()
}

// class judges what the variables of an alias class lead to, when all of them
// are local: by the threads started, directly or not, by a function that
// declares one of them. Parameters do not count: somebody else declared
// what they lead to, unless nobody in the module did.
func (s *sharing) class(x *execution, members []*types.Var, uses []useOf) *verdict {
	anchors := map[*types.Var]*function{}
	for _, v := range members {
		if v.Kind() != types.ParamVar && v.Kind() != types.RecvVar && v.Kind() != types.ResultVar {
			if fn := s.ids.at(v.Pos()); fn != nil {
				anchors[v] = fn
			}
		}
	}
	if len(anchors) == 0 {
		return s.wide(x, uses)
	}
	for _, v := range members {
		if home := anchors[v]; home != nil {
			if found := s.from(x, home, v, uses); found != nil {
				return found
			}
		}
	}
	return nil
}

// from judges uses of what a variable declared in home leads to.
func (s *sharing) from(x *execution, home *function, v *types.Var, uses []useOf) *verdict {
	reachable := s.closures[home]
	if reachable == nil {
		reachable = x.closure(home)
		s.closures[home] = reachable
	}
	t := newTally(x)
	first := token.Pos(math.MaxInt)
	for _, th := range x.threads {
		if th.from == home && th.site >= v.Pos() {
			first = min(first, startOf(home, th.site, instance(home, v)))
		} else if th.from != nil && reachable[th.from] && th.from != home {
			first = 0
		}
	}
	for _, u := range uses {
		if !reachable[u.fn] || u.fn == home && u.Expr.Pos() < first {
			continue
		}
		t.add(u)
		for _, i := range x.in[u.fn] {
			th := x.threads[i]
			switch {
			case th.from == home:
				t.threads[i] = th.pool || inLoop(home.body, th.site, instance(home, v))
			case th.from != nil && reachable[th.from]:
				t.threads[i] = th.many
			default:
				t.own = true
			}
		}
	}
	if len(t.threads) == 0 {
		return nil
	}
	return t.verdict()
}
