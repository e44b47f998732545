package analysis

import "go/types"

// A holding asks whether there is a lock in a value of a type, left selectors away
// and behind so many links.
type holding struct {
	t           types.Type
	left, links int
}

// mayHold reports whether lockCollector.search may find a lock in a field of a
// value that it has come to over so many links. Most fields have none.
func (p *Program) mayHold(field *types.Var, left, links int) bool {
	if field.Embedded() {
		return isMutex(deref(field.Type())) || p.holds(holding{field.Type(), left, links + 1})
	}
	return left > 0 && p.holds(holding{field.Type(), left - 1, links + 1})
}

func (p *Program) holds(h holding) bool {
	if known, ok := p.holdings.Load(h); ok {
		return known.(bool)
	}
	found := p.findHolds(h)
	p.holdings.Store(h, found)
	return found
}

func (p *Program) findHolds(h holding) bool {
	inner := h.t
	if ptr, ok := h.t.Underlying().(*types.Pointer); ok {
		inner = ptr.Elem()
	}
	if isMutex(inner) || isLocker(h.t) {
		return true
	}
	if _, ok := p.lockTypeOf(inner); ok {
		return true
	}
	st, ok := inner.Underlying().(*types.Struct)
	if !ok || foreignSync(inner) || h.links > maxLinks+1 {
		return false
	}
	for f := range st.Fields() {
		if p.mayHold(f, h.left, h.links) {
			return true
		}
	}
	return false
}
