package newdone

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
)

// A pipeline is what some functions start and read from: goroutines that hand values on
// to one another. When a reader returns, the goroutines have nobody to send to.
type pipeline struct {
	readers []*mutate.Function // they start it, by themselves or by what they call
	between []*mutate.Function // what they call that starts it for them
	bodies  []*mutate.Function // what the goroutines run
	links   []link             // how those that are no literals are called or started

	wraps []wrap // filled in by giveUps
}

// A link says that one function of the pipeline runs another, or makes a goroutine run it:
// by a call or go statement, where the other is no literal.
type link struct {
	from, to *mutate.Function
	call     *ast.CallExpr // nil: a literal
}

// maxFunctions bounds the functions of a pipeline. Guessed.
const maxFunctions = 24

// pipelineOf is the pipeline that a function reads from; ok is false if it starts none, or
// if code that is not part of it may be at one of its ends.
func pipelineOf(reader *mutate.Function) (p *pipeline, ok bool) {
	p = &pipeline{}
	for callers := []*mutate.Function{reader}; len(callers) > 0; callers = p.callers() {
		for _, from := range callers {
			if p.readers = append(p.readers, from); !p.starts(from) {
				return nil, false
			}
		}
		p.prune()
	}
	ok = len(p.bodies) > 0 && p.closed() && !slices.ContainsFunc(p.links, func(l link) bool { return !p.extensible(l) })
	return p, ok
}

// callers are those that run functions of the pipeline, and are none of it: they read what
// these send, and have to give them the new end.
func (p *pipeline) callers() (found []*mutate.Function) {
	for _, l := range p.links {
		for _, from := range l.to.Callers() {
			if !p.has(from) && !slices.Contains(found, from) {
				found = append(found, from)
			}
		}
	}
	return found
}

// prune leaves out what has no part in what a reader receives, and who only starts that.
func (p *pipeline) prune() {
	part, needed := p.joined(), make(map[*mutate.Function]bool)
	p.bodies = slices.DeleteFunc(p.bodies, func(fn *mutate.Function) bool { return !part[fn] })
	for _, fn := range p.bodies {
		needed[fn] = true
	}
	for range p.links {
		for _, l := range p.links {
			needed[l.from] = needed[l.from] || needed[l.to]
		}
	}
	p.between = slices.DeleteFunc(p.between, func(fn *mutate.Function) bool { return !needed[fn] })
	p.links = slices.DeleteFunc(p.links, func(l link) bool { return !needed[l.to] || !needed[l.from] })
}

// joined are the functions that share a channel with a reader, if only by way of others.
func (p *pipeline) joined() map[*mutate.Function]bool {
	part := make(map[*mutate.Function]bool)
	for _, r := range p.readers {
		part[r] = true
	}
	own := p.channels()
	for range own { // a turn joins what is one channel further away
		for _, c := range own {
			users := p.users(c)
			if !slices.ContainsFunc(users, func(fn *mutate.Function) bool { return part[fn] }) {
				continue
			}
			for _, fn := range users {
				part[fn] = true
			}
		}
	}
	return part
}

// users are the functions of the pipeline with operations on a channel, or with helpers
// that have them.
func (p *pipeline) users(c *mutate.Channel) (found []*mutate.Function) {
	for _, u := range slices.Concat(c.Sends, c.Receives, c.Ranges, c.Closes) {
		if in := p.around(u); in != nil {
			found = append(found, in)
		} else if p.helps(u.Fn) {
			found = append(found, u.Fn.Callers()...)
		}
	}
	return found
}

// has reports whether a function is one of the pipeline's.
func (p *pipeline) has(fn *mutate.Function) bool {
	return slices.Contains(p.readers, fn) || slices.Contains(p.between, fn) || slices.Contains(p.bodies, fn)
}

// starts adds what a function starts, and what it calls that does.
func (p *pipeline) starts(fn *mutate.Function) bool {
	if len(p.readers)+len(p.between)+len(p.bodies) > maxFunctions {
		return false
	}
	for _, s := range starts.Of(fn) {
		if s.To == nil {
			continue
		}
		l := link{from: fn, to: s.To}
		if s.Lit == nil {
			if s.Go == nil { // there is no place for one more argument
				continue
			}
			l.call = s.Go.Call
		}
		if !p.runs(l) {
			return false
		}
	}
	for _, c := range fn.Calls(fn.Body.List...) {
		if !leads(c.To, maxStarters) {
			continue
		}
		if p.link(link{fn, c.To, c.Expr}); p.has(c.To) {
			continue
		}
		p.between = append(p.between, c.To)
		if !p.starts(c.To) {
			return false
		}
	}
	return true
}

// leads reports whether a function starts goroutines, by itself or by what it calls.
func leads(fn *mutate.Function, depth int) bool {
	if depth == 0 {
		return false
	}
	type leadsIn struct {
		fn    *mutate.Function
		depth int
	}
	return mutate.Once(fn, leadsIn{fn, depth}, func() bool {
		return len(starts.Of(fn)) > 0 || slices.ContainsFunc(fn.Calls(fn.Body.List...), func(c mutate.Call) bool { return leads(c.To, depth-1) })
	})
}

// link adds a link, once.
func (p *pipeline) link(l link) {
	if !slices.Contains(p.links, l) {
		p.links = append(p.links, l)
	}
}

// runs adds what a goroutine runs: a function, and those that it calls once, which have
// operations on channels.
func (p *pipeline) runs(l link) bool {
	body := l.to
	if p.link(l); p.has(body) {
		return true
	}
	p.bodies = append(p.bodies, body)
	for _, c := range body.Calls(body.Body.List...) {
		if body.Loops(c.Expr) || leads(c.To, maxStarters) || len(chanwait.Ops(c.To)) == 0 {
			continue
		}
		if !p.runs(link{body, c.To, c.Expr}) {
			return false
		}
	}
	return p.starts(body)
}

// closed reports whether the pipeline is all there is at the ends of its own channels:
// nobody else reads what the goroutines send, nor sends for them.
func (p *pipeline) closed() bool {
	for _, c := range p.channels() {
		if c.Escapes {
			return false
		}
		for _, u := range slices.Concat(c.Makes, c.Sends, c.Closes) {
			if p.around(u) == nil {
				return false
			}
		}
		for _, u := range slices.Concat(c.Receives, c.Ranges) {
			if p.around(u) == nil && !p.helps(u.Fn) {
				return false
			}
		}
	}
	return true
}

// around is the function of the pipeline that an operation is in, or in a literal of
// which; nil if it is elsewhere.
func (p *pipeline) around(u mutate.ChannelUse) (found *mutate.Function) {
	if u.Fn == nil {
		return nil
	}
	for _, list := range [][]*mutate.Function{p.readers, p.between, p.bodies} {
		for _, fn := range list {
			if fn == u.Fn {
				return fn
			}
			if !u.Fn.Started() && fn.File == u.Fn.File && syntax.Within(u.Fn.Node, fn.Node) && (found == nil || syntax.Within(fn.Node, found.Node)) {
				found = fn
			}
		}
	}
	return found
}

// channels are its own: those that functions of the pipeline make and its goroutines
// operate on.
func (p *pipeline) channels() (found []*mutate.Channel) {
	for _, body := range p.bodies {
		for _, op := range chanwait.Ops(body) {
			for _, e := range op.Chan {
				c := body.Channel(e)
				if c != nil && !slices.Contains(found, c) && slices.ContainsFunc(c.Makes, func(u mutate.ChannelUse) bool { return p.around(u) != nil }) {
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// helps reports whether a function receives for one of the pipeline's, which calls it.
func (p *pipeline) helps(fn *mutate.Function) bool {
	if fn == nil || fn.Started() {
		return false
	}
	callers := fn.Callers()
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(from *mutate.Function) bool { return !p.has(from) })
}

// feeds reports whether all that the goroutines do comes to a reader in the end: each
// sends on, or closes, a channel from which a reader receives, or another goroutine that
// does so.
func (p *pipeline) feeds() bool {
	own, reach := p.channels(), make(map[*mutate.Function]bool)
	for _, r := range p.readers {
		if !slices.ContainsFunc(own, func(c *mutate.Channel) bool { return p.receives(c, map[*mutate.Function]bool{r: true}) }) {
			return false
		}
		reach[r] = true
	}
	for range p.bodies {
		for _, c := range own {
			if !p.receives(c, reach) {
				continue
			}
			for _, u := range slices.Concat(c.Sends, c.Closes) {
				if in := p.around(u); !p.before(in, u, own) {
					reach[in] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(p.wraps, func(w wrap) bool { return !reach[w.fn] })
}

// before reports whether a goroutine does something once, and goes on to receive again and
// again: what it receives is not for who waited for that.
func (p *pipeline) before(body *mutate.Function, u mutate.ChannelUse, own []*mutate.Channel) bool {
	if _, deferred := u.Stmt.(*ast.DeferStmt); deferred || u.Loop || u.Fn != body {
		return false
	}
	return slices.ContainsFunc(own, func(c *mutate.Channel) bool {
		return slices.ContainsFunc(slices.Concat(c.Receives, c.Ranges), func(r mutate.ChannelUse) bool {
			_, ranges := r.Node.(*ast.RangeStmt)
			return r.Fn == body && (ranges || r.Loop) && r.Node.Pos() > u.Node.Pos()
		})
	})
}

// receives reports whether one of some functions receives from a channel, by itself or by
// a helper.
func (p *pipeline) receives(c *mutate.Channel, by map[*mutate.Function]bool) bool {
	return slices.ContainsFunc(slices.Concat(c.Receives, c.Ranges), func(u mutate.ChannelUse) bool {
		if in := p.around(u); in != nil {
			return by[in]
		}
		return slices.ContainsFunc(u.Fn.Callers(), func(from *mutate.Function) bool { return by[from] })
	})
}

// stops reports whether a reader may return before it has taken all there is: by an exit, in
// a select, in a loop that ends by itself, or where another function receives for it.
func (p *pipeline) stops(r *mutate.Function) bool {
	if len(exits.Of(r, r.Body.List[:len(r.Body.List)-1]...)) > 0 {
		return true
	}
	for _, c := range p.channels() {
		for _, u := range slices.Concat(c.Receives, c.Ranges) {
			in := p.around(u)
			if in == nil && p.receives(c, map[*mutate.Function]bool{r: true}) || in == r && (u.Select != nil || leaves(r, u.Node)) {
				return true
			}
		}
	}
	return false
}

// leaves reports whether a loop around, or at, a receive may end otherwise than with the
// channel.
func leaves(r *mutate.Function, receive ast.Node) bool {
	return slices.ContainsFunc(r.Statements(), func(st mutate.Statement) bool {
		s := st.Stmt
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		if !syntax.Within(receive, s) {
			return false
		}
		switch s := s.(type) {
		case *ast.ForStmt:
			return s.Cond != nil || len(exits.Of(r, s.Body.List...)) > 0
		case *ast.RangeStmt:
			return ast.Node(s) != receive || len(exits.Of(r, s.Body.List...)) > 0
		}
		return false
	})
}
