package rules

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// People rewrite: they move what several functions do into one, do it in two, put alternatives together,
// call a part of a helper instead of the helper. So of a patch that somebody has made, an effect that is
// written less often is not gone if it is done as often on the ways through each function that both
// programs have, and that is not only a part of others, with all that the function calls: at least as often on the
// way that does it the least, and on the one that does it the most.
//
//	if err := store(); err != nil {         err := store()
//		results <- err                      results <- err
//		return                        →
//	}
//	results <- nil
//
// A loop counts as one round. What a function is given to call, and the channels that it is given to
// send to, are effects of who gives them.

// A span is how often something is done on the ways through a piece of a program.
type span struct{ least, most int }

// A tally is the spans of effects, by their keys; what is not there is never done.
type tally map[string]span

// then is what is done by one piece behind another.
func (t tally) then(o tally) tally {
	sum := make(tally, len(t)+len(o))
	for key, n := range t {
		sum[key] = n
	}
	for key, n := range o {
		sum[key] = span{sum[key].least + n.least, sum[key].most + n.most}
	}
	return sum
}

// or is what is done by one of two pieces; nil stands for one that control does not come through.
func (t tally) or(o tally) tally {
	if t == nil || o == nil {
		if t == nil {
			return o
		}
		return t
	}
	either := tally{}
	for _, in := range []tally{t, o} {
		for key := range in {
			either[key] = span{min(t[key].least, o[key].least), max(t[key].most, o[key].most)}
		}
	}
	return either
}

// A passage is what is done on the ways through a statement, by how they leave it; nil: none leaves it so.
type passage struct {
	through tally // to the next statement
	ended   tally // out of the function
	broken  tally // out of the innermost switch, select or loop
	jumped  tally // elsewhere in the function
}

func (p passage) or(o passage) passage {
	return passage{p.through.or(o.through), p.ended.or(o.ended), p.broken.or(o.broken), p.jumped.or(o.jumped)}
}

// then is a passage through a statement, and through the next one.
func (p passage) then(next passage) passage {
	behind := func(t tally) tally {
		if t == nil {
			return nil
		}
		return p.through.then(t)
	}
	if p.through == nil {
		return p
	}
	return passage{behind(next.through), p.ended.or(behind(next.ended)), p.broken.or(behind(next.broken)), p.jumped.or(behind(next.jumped))}
}

// all is what is done on all ways.
func (p passage) all() tally { return p.through.or(p.ended).or(p.broken).or(p.jumped) }

// ways says what the functions of a program do, with all that they call. It is not safe for concurrent use.
type ways struct {
	*effects
	counts func(effect) bool // whether an effect is to be compared
	after  bool              // a function that is given away as a value is called
	placed map[string][]placed
	known  map[string]tally // nil: it is being looked at
}

// A placed effect is one with its key.
type placed struct {
	key string
	effect
}

func newWays(e *effects, after bool, counts func(effect) bool) *ways {
	w := &ways{effects: e, counts: counts, after: after, placed: map[string][]placed{}, known: map[string]tally{}}
	for key, list := range e.done {
		for _, d := range list {
			w.placed[d.in] = append(w.placed[d.in], placed{key, d})
		}
	}
	if after {
		for key, list := range e.values {
			for _, d := range list {
				w.placed[d.in] = append(w.placed[d.in], placed{key, d})
			}
		}
	}
	for _, list := range w.placed {
		slices.SortFunc(list, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.key, b.key)) })
	}
	return w
}

// of is what is done when a function is called. A call of one that is being looked at is an effect by itself.
func (w *ways) of(fn string) tally {
	if t, ok := w.known[fn]; ok {
		if t == nil {
			return tally{fn: {1, 1}}
		}
		return t
	}
	w.known[fn] = nil
	var all tally
	for _, f := range w.functions[fn] { // of several build constraints
		all = all.or((&walker{w, fn}).list(f.decl.Body.List).all())
	}
	if all == nil {
		all = tally{}
	}
	w.known[fn] = all
	return all
}

// tells is the key of a send or of the close of a channel: both tell the receiver.
const tells = "tell "

// kindOf is the key by which an effect is counted on the ways.
func kindOf(key string) string {
	for _, kind := range []string{sendKey, closeKey} {
		if element, ok := strings.CutPrefix(key, kind); ok {
			return tells + element
		}
	}
	return key
}

// handed marks what is done with what the function was given, for those who give it.
const handed = "handed "

// does is what an effect does where it stands.
func (w *ways) does(p placed) tally {
	key := kindOf(p.key)
	switch {
	case p.handed:
		return tally{key: {1, 1}, handed + key: {1, 1}}
	case !strings.HasPrefix(key, callKey) || !w.has(key):
		return tally{key: {1, 1}}
	}
	called := tally{}
	var sent span // to channels that it is given
	for is, n := range w.of(key) {
		what, given := strings.CutPrefix(is, handed)
		switch {
		case given && strings.HasPrefix(what, tells):
			sent = span{sent.least + n.least, sent.most + n.most}
		case !given && !w.known[key].onlyHanded(is):
			called[is] = n
		}
	}
	for _, element := range p.channels {
		called = called.then(tally{tells + element: sent})
	}
	return called
}

// onlyHanded reports whether an effect is done only with what the function was given.
func (t tally) onlyHanded(key string) bool { return t != nil && t[handed+key] == t[key] }

// A walker goes through a function.
type walker struct {
	*ways
	fn string
}

func (w *walker) list(list []ast.Stmt) passage {
	p := passage{through: tally{}}
	for _, s := range list {
		if _, labelled := s.(*ast.LabeledStmt); labelled && p.through == nil {
			p.through = p.all() // by goto
		}
		p = p.then(w.stmt(s))
	}
	return p
}

func (w *walker) stmt(s ast.Stmt) passage {
	switch s := s.(type) {
	case nil:
		return passage{through: tally{}}
	case *ast.BlockStmt:
		return w.list(s.List)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt)
	case *ast.IfStmt:
		otherwise := passage{through: tally{}}
		if s.Else != nil {
			otherwise = w.stmt(s.Else)
		}
		return w.stmt(s.Init).then(w.simple(s.Cond)).then(w.list(s.Body.List).or(otherwise))
	case *ast.ForStmt:
		round := w.list(s.Body.List)
		if s.Post != nil {
			round = round.then(w.stmt(s.Post))
		}
		return w.stmt(s.Init).then(w.loop(round, s.Cond != nil, s.Cond))
	case *ast.RangeStmt:
		return w.simple(s.X).then(w.loop(w.list(s.Body.List), true, nil))
	case *ast.SwitchStmt:
		return w.stmt(s.Init).then(w.simple(s.Tag)).then(w.clauses(s.Body))
	case *ast.TypeSwitchStmt:
		return w.stmt(s.Init).then(w.stmt(s.Assign)).then(w.clauses(s.Body))
	case *ast.SelectStmt:
		return w.clauses(s.Body)
	case *ast.ReturnStmt:
		return passage{ended: w.simple(s).through}
	case *ast.BranchStmt:
		if s.Tok == token.BREAK && s.Label == nil {
			return passage{broken: tally{}}
		}
		return passage{jumped: tally{}}
	}
	p := w.simple(s)
	if leaves(s) {
		return passage{ended: p.through}
	}
	return p
}

// loop is a loop with a round, which ends by itself if it has a condition, or is over values.
func (w *walker) loop(round passage, ends bool, cond ast.Expr) passage {
	p := passage{through: round.broken.or(round.jumped), ended: round.ended}
	if ends {
		p.through = p.through.or(round.through).or(tally{})
	}
	return w.simple(cond).then(p)
}

// clauses are those of a switch or a select.
func (w *walker) clauses(body *ast.BlockStmt) passage {
	var p passage
	complete := false
	for i, c := range body.List {
		var one passage
		switch c := c.(type) {
		case *ast.CaseClause:
			one = passage{through: tally{}}
			for _, e := range c.List {
				one = one.then(w.simple(e))
			}
			one = one.then(w.list(c.Body))
			complete = complete || c.List == nil
		case *ast.CommClause:
			one = w.stmt(c.Comm).then(w.list(c.Body))
			complete = true
		}
		if i == 0 {
			p = one
		} else {
			p = p.or(one)
		}
	}
	if !complete {
		p = p.or(passage{through: tally{}})
	}
	p.through, p.broken = p.through.or(p.broken), nil
	return p
}

// simple is what is done by a node without statements but those of function literals.
func (w *walker) simple(n ast.Node) passage {
	p := passage{through: tally{}}
	if n == nil || n == ast.Expr(nil) || n == ast.Stmt(nil) {
		return p
	}
	var lits []*ast.FuncLit
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			lits = append(lits, lit)
			p.through = p.through.then(w.list(lit.Body.List).all())
		}
		return !ok
	})
	from, _ := slices.BinarySearchFunc(w.placed[w.fn], n.Pos(), func(d placed, at token.Pos) int { return cmp.Compare(d.at, at) })
	for _, d := range w.placed[w.fn][from:] {
		if d.at >= n.End() {
			break
		}
		inside := func(lit *ast.FuncLit) bool { return lit.Pos() <= d.at && d.at < lit.End() }
		if w.counts(d.effect) && !slices.ContainsFunc(lits, inside) {
			p.through = p.through.then(w.does(d))
		}
	}
	return p
}

// otherwise reports whether a patch that somebody has made does in another way what is written less often
// in it: on the ways through each function that both programs have it is done as often.
func (s *sources) otherwise(key string) bool {
	if s.reads == nil {
		return false
	}
	if s.waysBefore == nil {
		counts := func(d effect) bool { return !d.internal && !s.gone(d.names) }
		s.waysBefore, s.waysAfter = newWays(s.before, false, counts), newWays(s.after, true, counts)
	}
	kinds := []string{kindOf(key)}
	if strings.HasPrefix(key, callKey) && s.before.has(key) {
		kinds = nil
		for kind := range s.waysBefore.of(key) {
			if !strings.HasPrefix(kind, handed) && !s.waysBefore.of(key).onlyHanded(kind) && !s.reads.without(kind, nil) {
				kinds = append(kinds, kind)
			}
		}
	}
	if len(kinds) == 0 && s.synchronising.only(key) {
		return false
	}
	for fn := range s.before.functions {
		if !s.after.has(fn) || s.partOfOthers(fn) {
			continue
		}
		was, is := s.waysBefore.of(fn), s.waysAfter.of(fn)
		if slices.ContainsFunc(kinds, func(kind string) bool { return is[kind].least < was[kind].least || is[kind].most < was[kind].most }) {
			return false
		}
	}
	return true
}

// partOfOthers reports whether a function is only what others do: it is not exported, and both programs name it.
func (s *sources) partOfOthers(fn string) bool {
	return !token.IsExported(fn[strings.LastIndex(fn, ".")+1:]) && s.before.named[fn] > 0 && s.after.named[fn] > 0
}
