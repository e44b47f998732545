package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// signals finds Signals, where the patch makes another one a Broadcast: of the same condition variable, unless
// whoever is woken can go on, and of another one of the same value whose one Signal has to wake several.
func signals(c *pair.Change) (found []pair.Finding) {
	mended, values := map[string]bool{}, map[string]bool{} // by the condition variable, and by what has it
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
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
	for _, fn := range c.After.Funcs {
		for of, calls := range wakers(fn, "Signal") {
			w := waitersFor(c.After, of)
			if w.loops > 0 && w.chain {
				continue
			}
			for _, call := range calls {
				steps := w.changes(fn, call)
				switch {
				case mended[of] && !(w.alike() && steps == one):
					found = append(found, c.At(fn, call.Pos(), "%s wakes one waiter, who may be unable to go on: the patch wakes all elsewhere", types.ExprString(call)))
				case !mended[of] && values[ownerOf(of)] && (steps != none && w.own || steps == several):
					found = append(found, c.At(fn, call.Pos(), "%s wakes one waiter, where several may be able to go on: the patch wakes all of another condition", types.ExprString(call)))
				}
			}
		}
	}
	return found
}

func ownerOf(cond string) string { return cond[:strings.LastIndex(cond, ".")] }

// wakers are the calls of a method of condition variables in a function, by the field or variable.
func wakers(fn *pair.Function, method string) map[string][]*ast.CallExpr {
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
		if f := syntax.Callee(fn.Info(), call.Fun); f == nil || f.FullName() != "(*sync.Cond)."+method {
			return true
		}
		key := ""
		if of, ok := pair.FieldOf(fn.Info(), sel.X); ok {
			key = of.Owner + "." + of.Name
		} else if v := syntax.Variable(fn.Info(), sel.X); v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
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
func unwoken(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
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
		set, woken := setsFor(fn), wakesBelow(c.After, fn, maxFrames)
		for _, of := range conditions(c.After) {
			if woken[of] || !values[ownerOf(of)] {
				continue
			}
			var asked []pair.Field
			for f := range waitersFor(c.After, of).asked {
				if set[f] != nil && f.Owner == ownerOf(of) {
					asked = append(asked, f)
				}
			}
			if len(asked) > 0 {
				f := slices.MinFunc(asked, func(a, b pair.Field) int { return strings.Compare(a.Name, b.Name) })
				found = append(found, c.At(fn, set[f].Pos(), "%s is set here, for which goroutines wait that nobody wakes: the patch wakes those of another condition", f.Name))
			}
		}
	}
	return found
}

// maxFrames is how deep calls are followed to those who wake.
const maxFrames = 3

// wakesBelow are the condition variables whose waiters a function wakes, itself or in what it calls.
func wakesBelow(v *pair.Version, fn *pair.Function, depth int) map[string]bool {
	woken := map[string]bool{}
	for of := range wakes(fn) {
		woken[of] = true
	}
	if depth == 0 {
		return woken
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f := syntax.Callee(fn.Info(), call.Fun); f != nil && v.Named[f.Origin().FullName()] != nil {
				maps.Copy(woken, wakesBelow(v, v.Named[f.Origin().FullName()], depth-1))
			}
		}
		return true
	})
	return woken
}

// wakes are the condition variables whose waiters a function wakes, and how: one or all.
func wakes(fn *pair.Function) map[string]amount {
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
func conditions(v *pair.Version) (all []string) {
	for _, fn := range v.Funcs {
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
func setsFor(fn *pair.Function) map[pair.Field]ast.Node {
	set := map[pair.Field]ast.Node{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
			return true
		}
		for i, l := range assign.Lhs {
			if f, ok := pair.FieldOf(fn.Info(), l); ok && fn.Info().Types[assign.Rhs[i]].Value != nil {
				set[f] = n
			}
		}
		return true
	})
	return set
}
