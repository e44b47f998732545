package seed

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// sectionOperators make faults of critical sections.
func sectionOperators() []Operator {
	return []Operator{
		{"dropsection", "removes a critical section's lock and keeps its statements", "RSK, RSB, RCXC", each(dropSection)},
		{"dropunlock", "removes a release, on one path where there are several", "RCXC, RFU", each(dropUnlock)},
		{"wronglock", "takes another lock that is in scope", "MSP", each(wrongLock)},
		{"exchangelocks", "takes two nested locks in the opposite order", "ESP, EELO, ELPA", exchangeLocks},
		{"readside", "takes an RWMutex for reading where it is written", "", each(readSide)},
		{"shrinksection", "leaves the first or the last statement out of a critical section", "SKCR", each(shrinkSection)},
		{"expandsection", "takes a statement that may wait into a critical section", "EXCR", each(expandSection)},
		{"shiftsection", "moves a critical section on by one statement", "SHCR", each(shiftSection)},
		{"splitsection", "releases a lock and takes it again between two statements", "SPCR", each(splitSection)},
		{"copyreceiver", "gives a method a copy of its receiver, and so of its lock", "", copyReceiver},
	}
}

// each asks about each section that is no more than plain statements.
func each(find func(f *function, s *mutate.Section) []draft) func(f *function) []draft {
	return func(f *function) (found []draft) {
		for _, s := range f.sections {
			if !s.Named {
				found = append(found, find(f, s)...)
			}
		}
		return found
	}
}

// lockOf is the lock as the section's acquisition writes it.
func (f *function) lockOf(s *mutate.Section) string {
	if sel := selector(callOf(s.Acquire)); sel != nil {
		return f.code(sel.X)
	}
	return s.Lock.Expr
}

// release is the statement that releases the lock: the one inside a deferred
// literal, not the defer.
func release(s *mutate.Section, r ast.Stmt) ast.Stmt {
	if s.InLiteral != nil {
		return s.InLiteral
	}
	return r
}

// body are the statements of a section without the defer that releases it.
func body(s *mutate.Section) []ast.Stmt {
	return slices.DeleteFunc(slices.Clone(s.Body), func(stmt ast.Stmt) bool { return s.Deferred && stmt == s.Releases[0] })
}

func dropSection(f *function, s *mutate.Section) []draft {
	changes := []change{f.remove(s.Acquire)}
	for _, r := range s.Releases {
		changes = append(changes, f.remove(release(s, r)))
	}
	words := fmt.Sprintf("%s does not take %s any more", f.Name, f.lockOf(s))
	return []draft{{s.Acquire, words, changes}}
}

func dropUnlock(f *function, s *mutate.Section) (found []draft) {
	for _, r := range s.Releases {
		words := fmt.Sprintf("%s does not release %s any more", f.Name, f.lockOf(s))
		if len(s.Releases) > 1 {
			words = fmt.Sprintf("%s keeps %s locked on the path through line %d", f.Name, f.lockOf(s), f.line(r.Pos()))
		}
		found = append(found, draft{release(s, r), words, []change{f.remove(release(s, r))}})
	}
	return found
}

func wrongLock(f *function, s *mutate.Section) (found []draft) {
	seen := map[string]bool{s.Lock.Key: true}
	for _, other := range f.Program.Locks(f.File, s.Acquire) {
		if seen[other.Key] || s.Read && !other.RW || f.heldAround(s, other.Key) {
			continue
		}
		seen[other.Key] = true
		changes, ok := f.recall(s, func(sel *ast.SelectorExpr) change { return f.replace(sel.X, other.Expr) })
		if ok {
			words := fmt.Sprintf("%s takes %s instead of %s", f.Name, other.Expr, f.lockOf(s))
			found = append(found, draft{s.Acquire, words, changes})
		}
	}
	return found
}

// heldAround reports whether a section around another one, or in it, holds a lock.
func (f *function) heldAround(s *mutate.Section, key string) bool {
	return slices.ContainsFunc(f.sections, func(other *mutate.Section) bool {
		return other.Lock.Key == key && (other.Encloses(s) || s.Encloses(other))
	})
}

// recall changes the calls that a section is made of.
func (f *function) recall(s *mutate.Section, how func(*ast.SelectorExpr) change) ([]change, bool) {
	var changes []change
	for _, stmt := range append([]ast.Stmt{s.Acquire}, s.Releases...) {
		if stmt != s.Acquire {
			stmt = release(s, stmt)
		}
		sel := selector(callOf(stmt))
		if sel == nil {
			return nil, false
		}
		changes = append(changes, how(sel))
	}
	return changes, true
}

func readSide(f *function, s *mutate.Section) []draft {
	if !s.Lock.RW || s.Read {
		return nil
	}
	changes, ok := f.recall(s, func(sel *ast.SelectorExpr) change { return f.replace(sel.Sel, "R"+sel.Sel.Name) })
	if !ok {
		return nil
	}
	return []draft{{s.Acquire, fmt.Sprintf("%s takes %s for reading only", f.Name, f.lockOf(s)), changes}}
}

// exchangeLocks swaps the acquisitions of two nested sections in one list.
func exchangeLocks(f *function) (found []draft) {
	for _, outer := range f.sections {
		for _, inner := range f.sections {
			if !outer.Encloses(inner) || &outer.List[0] != &inner.List[0] || outer.SameLock(inner) || outer.Named || inner.Named {
				continue
			}
			words := fmt.Sprintf("%s takes %s before %s", f.Name, f.lockOf(inner), f.lockOf(outer))
			changes := []change{f.replace(outer.Acquire, f.code(inner.Acquire)), f.replace(inner.Acquire, f.code(outer.Acquire))}
			if outer.DefersAtOnce() && inner.DefersAtOnce() {
				changes = append(changes, f.replace(outer.Releases[0], f.code(inner.Releases[0])), f.replace(inner.Releases[0], f.code(outer.Releases[0])))
			}
			found = append(found, draft{outer.Acquire, words, changes})
		}
	}
	return found
}

// taking is the text that takes a section's lock: the acquisition, with the
// release if that is deferred at once.
func (f *function) taking(s *mutate.Section) (text string, removed []change) {
	text, removed = f.code(s.Acquire), []change{f.remove(s.Acquire)}
	if s.DefersAtOnce() {
		text += "\n" + f.code(s.Releases[0])
		removed = append(removed, f.remove(s.Releases[0]))
	}
	return text, removed
}

// movable reports whether a section's acquisition can be moved over a statement of
// the section: the statement does not release the lock, and does not end the list.
func (f *function) movable(s *mutate.Section, over ast.Stmt) bool {
	if s.Deferred && !s.DefersAtOnce() {
		return false
	}
	inside := func(r ast.Stmt) bool { return over.Pos() <= r.Pos() && r.End() <= over.End() }
	return !slices.ContainsFunc(s.Releases, inside) && !ends(over)
}

func shrinkSection(f *function, s *mutate.Section) (found []draft) {
	stmts := body(s)
	if len(stmts) < 2 {
		return nil
	}
	if first := stmts[0]; f.movable(s, first) {
		text, changes := f.taking(s)
		words := fmt.Sprintf("%s takes %s only after %s", f.Name, f.lockOf(s), f.told(first))
		found = append(found, draft{first, words, append(changes, f.after(first, text))})
	}
	if last := stmts[len(stmts)-1]; s.Final != nil && len(exits.Of(f.Function, last)) == 0 {
		words := fmt.Sprintf("%s releases %s before %s", f.Name, f.lockOf(s), f.told(last))
		found = append(found, draft{last, words, []change{f.before(last, f.code(s.Final)), f.remove(s.Final)}})
	}
	return found
}

func expandSection(f *function, s *mutate.Section) (found []draft) {
	if s.At > 0 {
		if before := s.List[s.At-1]; f.mayWait(before) && (!s.Deferred || s.DefersAtOnce()) && len(exits.Of(f.Function, before)) == 0 {
			text, changes := f.taking(s)
			words := fmt.Sprintf("%s takes %s before %s", f.Name, f.lockOf(s), f.told(before))
			found = append(found, draft{before, words, append(changes, f.before(before, text))})
		}
	}
	if next := f.next(s); next != nil && f.mayWait(next) && len(exits.Of(f.Function, next)) == 0 {
		words := fmt.Sprintf("%s releases %s only after %s", f.Name, f.lockOf(s), f.told(next))
		found = append(found, draft{next, words, []change{f.remove(s.Final), f.after(next, f.code(s.Final))}})
	}
	return found
}

// next is the statement behind a section that ends in its own list; nil: none.
func (f *function) next(s *mutate.Section) ast.Stmt {
	if s.Final == nil {
		return nil
	}
	if i := slices.Index(s.List, s.Final); i >= 0 && i+1 < len(s.List) {
		return s.List[i+1]
	}
	return nil
}

func shiftSection(f *function, s *mutate.Section) []draft {
	stmts, next := body(s), f.next(s)
	if len(stmts) == 0 || next == nil || !f.movable(s, stmts[0]) || len(exits.Of(f.Function, next)) > 0 || f.IsLockCall(next) {
		return nil
	}
	words := fmt.Sprintf("%s takes %s only after %s, and releases it only after %s", f.Name, f.lockOf(s), f.told(stmts[0]), f.told(next))
	changes := []change{f.remove(s.Acquire), f.after(stmts[0], f.code(s.Acquire)), f.remove(s.Final), f.after(next, f.code(s.Final))}
	return []draft{{stmts[0], words, changes}}
}

func splitSection(f *function, s *mutate.Section) (found []draft) {
	lock := f.lockOf(s)
	take, give := s.Methods()
	stmts := body(s)
	for i, stmt := range stmts {
		if i == 0 || s.Deferred && stmt.Pos() < s.Releases[0].Pos() {
			continue
		}
		words := fmt.Sprintf("%s releases %s for a moment before %s", f.Name, lock, f.told(stmt))
		text := fmt.Sprintf("%s.%s()\n%s.%s()", lock, give, lock, take)
		found = append(found, draft{stmt, words, []change{f.before(stmt, text)}})
	}
	return found
}

// copyReceiver makes a pointer receiver a value in a method that locks it.
func copyReceiver(f *function) []draft {
	decl, ok := f.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return nil
	}
	star, ok := decl.Recv.List[0].Type.(*ast.StarExpr)
	name := decl.Recv.List[0].Names[0].Name
	locks := slices.ContainsFunc(f.sections, func(s *mutate.Section) bool {
		lock := f.lockOf(s)
		return lock == name || strings.HasPrefix(lock, name+".")
	})
	if !ok || !locks {
		return nil
	}
	words := fmt.Sprintf("%s locks a copy of its receiver", f.Name)
	return []draft{{decl, words, []change{f.replace(star, f.code(star.X))}}}
}
