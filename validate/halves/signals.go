package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// signals finds Signals, where the patch makes another one a Broadcast: of the same condition variable, unless
// whoever is woken can go on, and of another one of the same value whose one Signal has to wake several.
func (c *change) signals() (found []Finding) {
	mended, values := map[string]bool{}, map[string]bool{} // by the condition variable, and by what has it
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		all := wakers(fn, "Broadcast")
		for of, before := range wakers(was, "Signal") {
			if len(wakers(fn, "Signal")[of]) < len(before) && len(all[of]) > len(wakers(was, "Broadcast")[of]) {
				mended[of], values[ownerOf(of)] = true, true
			}
		}
	}
	if len(mended) == 0 {
		return nil
	}
	for _, fn := range c.after.funcs {
		for of, calls := range wakers(fn, "Signal") {
			w := c.after.waitersFor(of)
			if w.loops > 0 && w.chain {
				continue
			}
			for _, call := range calls {
				steps := w.changes(fn, call)
				switch {
				case mended[of] && !(w.alike() && steps == one):
					found = append(found, c.at(fn, call.Pos(), "%s wakes one waiter, who may be unable to go on: the patch wakes all elsewhere", types.ExprString(call)))
				case !mended[of] && values[ownerOf(of)] && (steps != none && w.own || steps == several):
					found = append(found, c.at(fn, call.Pos(), "%s wakes one waiter, where several may be able to go on: the patch wakes all of another condition", types.ExprString(call)))
				}
			}
		}
	}
	return found
}

func ownerOf(cond string) string { return cond[:strings.LastIndex(cond, ".")] }

// wakers are the calls of a method of condition variables in a function, by the field or variable.
func wakers(fn *function, method string) map[string][]*ast.CallExpr {
	found := map[string][]*ast.CallExpr{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return true
		}
		if f := syntax.Callee(fn.info(), call.Fun); f == nil || f.FullName() != "(*sync.Cond)."+method {
			return true
		}
		key := ""
		if of, ok := fieldOf(fn.info(), sel.X); ok {
			key = of.owner + "." + of.name
		} else if v := syntax.Variable(fn.info(), sel.X); v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			key = v.Pkg().Path() + "." + v.Name()
		}
		if key != "" {
			found[key] = append(found[key], call)
		}
		return true
	})
	return found
}

// unwoken finds waiters that a function releases by what it sets and does not wake, where the patch has the function
// wake those of another condition variable of the value.
func (c *change) unwoken() (found []Finding) {
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		had, has := wakes(was), wakes(fn)
		values := map[string]bool{}
		for of, how := range has {
			if how != had[of] {
				values[ownerOf(of)] = true
			}
		}
		if len(values) == 0 {
			continue
		}
		set, woken := setsFor(fn), c.after.wakesBelow(fn, maxFrames)
		for _, of := range c.after.conditions() {
			if woken[of] || !values[ownerOf(of)] {
				continue
			}
			var asked []field
			for f := range c.after.waitersFor(of).asked {
				if set[f] != nil && f.owner == ownerOf(of) {
					asked = append(asked, f)
				}
			}
			if len(asked) > 0 {
				f := slices.MinFunc(asked, func(a, b field) int { return strings.Compare(a.name, b.name) })
				found = append(found, c.at(fn, set[f].Pos(), "%s is set here, for which goroutines wait that nobody wakes: the patch wakes those of another condition", f.name))
			}
		}
	}
	return found
}

// maxFrames is how deep calls are followed to those who wake.
const maxFrames = 3

// wakesBelow are the condition variables whose waiters a function wakes, itself or in what it calls.
func (v *version) wakesBelow(fn *function, depth int) map[string]bool {
	woken := map[string]bool{}
	for of := range wakes(fn) {
		woken[of] = true
	}
	if depth == 0 {
		return woken
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f := syntax.Callee(fn.info(), call.Fun); f != nil && v.named[f.Origin().FullName()] != nil {
				maps.Copy(woken, v.wakesBelow(v.named[f.Origin().FullName()], depth-1))
			}
		}
		return true
	})
	return woken
}

// wakes are the condition variables whose waiters a function wakes, and how: one or all.
func wakes(fn *function) map[string]amount {
	how := map[string]amount{}
	for of := range wakers(fn, "Signal") {
		how[of] = one
	}
	for of := range wakers(fn, "Broadcast") {
		how[of] = several
	}
	return how
}

// conditions are the condition variables that somebody waits for, in source order.
func (v *version) conditions() (all []string) {
	for _, fn := range v.funcs {
		for of := range wakers(fn, "Wait") {
			if !slices.Contains(all, of) {
				all = append(all, of)
			}
		}
	}
	slices.Sort(all)
	return all
}

// setsFor are the fields that a function sets to true or to another constant, and where.
func setsFor(fn *function) map[field]ast.Node {
	set := map[field]ast.Node{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
			return true
		}
		for i, l := range assign.Lhs {
			if f, ok := fieldOf(fn.info(), l); ok && fn.info().Types[assign.Rhs[i]].Value != nil {
				set[f] = n
			}
		}
		return true
	})
	return set
}
