package mutate

import (
	"go/ast"
	"hash/maphash"
	"slices"
	"strings"
)

// A listing is what operators have found, and what they have asked for that: where
// nothing of it has changed they are not asked again.
type listing struct {
	said      said
	functions []*Function // narrowed ones, and those near to one
	found     map[*Function]*finding
	left      int // functions that are not in found
	groups    map[groupName]*composed
	together  map[*Operator]*composed
}

// A finding is what operators have found in one function.
type finding struct {
	edits []Edit  // until they are listed
	at    []int32 // places in Space.edits then
	said  int     // how many edits there were, with those that others have found, too
	lost  bool    // another function's finding has one of them, too, and may lose it
	asked *consulted
}

// A composed is some composite edits with what they depend on, besides those that
// they are made of.
type composed struct {
	edits     []Edit
	asked     *consulted
	parts     int             // of a group
	operators map[string]bool // whose edits were looked at
}

// A groupName is what edits have in common that belong together.
type groupName struct{ operator, name string }

// An entry is an edit that is being listed.
type entry struct {
	edit  *Edit
	of    *finding // nil: a composite one
	index int      // in it
	fresh bool     // it was not listed before, or may have changed
}

// An enumeration lists the edits of a space. Space.mu is held, or nobody else has the space.
type enumeration struct {
	space    *Space
	news     news
	whole    *Whole
	entries  []entry             // of single operators, by function; in the end all, sorted
	keys     *keySet             // of the entries
	touched  map[string]bool     // operators some of whose edits may have changed
	texts    map[string]string   // those of notes
	lists    map[string][]string // names of variables, by what they are joined
	grown    bool                // operators are asked about other functions than before
	compound []Edit              // composite edits, to be listed
	said     []Edit              // of one function; see ask
}

// enumerate asks operators about narrowed functions, and then about all of
// them together, and lists what they find. It returns the edits that were not
// listed before, if any were. When the space's context ends, the list stays as it is.
func (s *Space) enumerate() (added []Edit) {
	s.index.forget()
	first := s.last.found == nil
	en := &enumeration{
		space: s, news: s.narrowing.news(&s.last.said), keys: newKeySet(),
		touched: make(map[string]bool), texts: make(map[string]string), lists: make(map[string][]string),
	}
	s.attempts.forget(en.news)
	en.whole = &Whole{Program: s.program, Narrowing: s.narrowing, space: s}
	if !en.functions() {
		return nil
	}
	s.narrowing.remembered.Clear() // of single operators
	en.whole.list = en.editsOf
	if !en.groups() || !en.together() {
		return nil
	}
	dropped := en.dropped()
	s.narrowing.remembered.Clear()
	s.narrowing.accesses.Clear()
	en.list()
	if first {
		return nil
	}
	for i, e := range en.entries {
		if e.fresh && !dropped[s.edits[i].Key()] {
			added = append(added, s.edits[i])
		}
	}
	return added
}

// functions asks operators about the functions that are narrowed or near to one: about
// those that have heat, that meet one which a failure names or that they were asked about
// before, and about others until there are as many edits as are wanted. What a failure is
// about may be used in a hundred functions, which meet half of a program. It reports whether that came to its end.
func (en *enumeration) functions() bool {
	s := en.space
	near, nearNamed := s.meeting()
	for _, name := range s.fileNames {
		for _, fn := range s.functions[name] {
			if fn.admitted() || near[fn] {
				en.whole.Functions = append(en.whole.Functions, fn)
			}
		}
	}
	found, listed := make(map[*Function]*finding), 0
	ask := func(fn *Function) {
		found[fn] = en.ask(fn)
		listed += found[fn].said
	}
	var later, others []*Function
	for _, fn := range en.whole.Functions {
		switch {
		case s.last.found[fn] != nil || nearNamed[fn] || fn.heat() > 0:
			ask(fn)
		case near[fn]:
			later = append(later, fn)
		default:
			others = append(others, fn)
		}
	}
	if listed < s.wanted {
		for _, fn := range append(later, byNearness(others, en.whole.Functions)...) {
			if listed >= s.wanted {
				break
			}
			ask(fn)
		}
	}
	if s.ended() { // asking has ended early
		return false
	}
	for _, fn := range en.whole.Functions { // the first of equal edits is listed
		if f := found[fn]; f != nil {
			en.add(f)
		}
	}
	for fn, f := range s.last.found {
		if found[fn] == nil {
			en.touch(f)
		}
	}
	en.grown = !slices.Equal(en.whole.Functions, s.last.functions)
	s.last.found, s.last.functions = found, en.whole.Functions
	s.last.left = len(en.whole.Functions) - len(found)
	return true
}

// ask is what operators find in a function, or have found if nothing has changed of what
// they asked for that.
func (en *enumeration) ask(fn *Function) *finding {
	s := en.space
	known := s.last.found[fn]
	if known != nil && !known.lost && !en.news.concerns(known.asked) {
		return known
	}
	en.touch(known)
	en.said = en.said[:0]
	now := new(finding)
	now.asked = s.narrowing.note(func() {
		for _, op := range s.operators {
			if s.ended() {
				return
			}
			en.said = append(en.said, s.editsOf(op, fn)...)
		}
	})
	en.share(en.said)
	now.edits, now.said = slices.Concat(en.said), len(en.said) // no larger than they are
	return now
}

// touch notes the operators of the edits that are listed of a function and that are to go.
func (en *enumeration) touch(f *finding) {
	if f == nil {
		return
	}
	for _, at := range f.at {
		en.touched[en.space.edits[at].Operator] = true
	}
}

// add lists the edits of a function, but for those that are known.
func (en *enumeration) add(f *finding) {
	listed := f.at
	f.at = make([]int32, 0, len(listed)+len(f.edits))
	put := func(e *Edit, at int32, fresh bool) {
		if known := en.keys.add(e); known != nil {
			f.lost = f.lost || known.File != e.File || known.Func != e.Func
			return
		}
		en.entries = append(en.entries, entry{edit: e, of: f, index: len(f.at), fresh: fresh})
		f.at = append(f.at, at)
	}
	for _, at := range listed {
		put(&en.space.edits[at], at, false)
	}
	for i := range f.edits {
		put(&f.edits[i], -1, true)
		en.touched[f.edits[i].Operator] = true
	}
}

// share lets edits that say the same have one text: most edits of a function do.
func (en *enumeration) share(edits []Edit) {
	for i := range edits {
		e := &edits[i]
		if known, ok := en.texts[e.Note]; ok {
			e.Note = known
		} else {
			en.texts[e.Note] = e.Note
		}
		if len(e.Vars) == 0 {
			continue
		}
		joined := strings.Join(e.Vars, "\n")
		if known, ok := en.lists[joined]; ok {
			e.Vars = known
		} else {
			e.Vars = slices.Clip(e.Vars)
			en.lists[joined] = e.Vars
		}
	}
}

// editsOf are the edits of a single operator, by function.
func (en *enumeration) editsOf(operator string) []Edit {
	var edits []Edit
	for _, e := range en.entries {
		if e.of != nil && e.edit.Operator == operator {
			edits = append(edits, *e.edit)
		}
	}
	return edits
}

// groups lists the composite edits of those that operators have put into a
// group, if each group has several and gives a mutant. It reports whether that came to
// its end.
func (en *enumeration) groups() bool {
	s := en.space
	type group struct {
		parts []*Edit
		fresh bool
	}
	var order []groupName // in that of the edits
	groups := make(map[groupName]*group)
	for _, e := range en.entries {
		if e.edit.Group == "" {
			continue
		}
		name := groupName{e.edit.Operator, e.edit.Group}
		g := groups[name]
		if g == nil {
			g = new(group)
			groups[name], order = g, append(order, name)
		}
		g.parts, g.fresh = append(g.parts, e.edit), g.fresh || e.fresh
	}
	found := make(map[groupName]*composed)
	for _, name := range order {
		g := groups[name]
		if len(g.parts) < 2 {
			continue
		}
		if s.ended() {
			return false
		}
		known := s.last.groups[name]
		if known == nil || g.fresh || known.parts != len(g.parts) || en.news.concerns(known.asked) {
			known = s.compose(name.operator, g.parts)
		}
		found[name] = known
		en.compound = append(en.compound, known.edits...)
	}
	s.last.groups = found
	return true
}

// compose makes the composite edit of a group, if it gives a mutant.
func (s *Space) compose(operator string, parts []*Edit) *composed {
	c := &composed{parts: len(parts)}
	c.asked = s.narrowing.note(func() {
		edits := make([]Edit, len(parts))
		for i, p := range parts {
			edits[i] = *p
		}
		e := Composite(operator, edits...)
		if (s.apart(operator, edits) || s.applies(e)) && !s.forbidden(e) {
			c.edits = []Edit{e}
		}
	})
	return c
}

// apart reports whether edits of a local operator are at statements that are apart, and
// agree on what they declare, so that they need not be made to see that they go together.
func (s *Space) apart(operator string, edits []Edit) bool {
	if !s.byName[operator].Local || s.tests {
		return false
	}
	m := newSketchMutation(s)
	edits = s.canonical(edits)
	var before ast.Node
	for i, e := range edits {
		at := s.trees.Original(s.program.File(e.File)).Node(e.Node)
		if i > 0 && edits[i-1].File == e.File && at.Pos() < before.End() || m.Declare(e) != nil {
			return false
		}
		before = at
	}
	return true
}

// together asks operators for composite edits of the whole program. It reports whether
// that came to its end.
func (en *enumeration) together() bool {
	s := en.space
	found := make(map[*Operator]*composed)
	for _, op := range s.operators {
		if op.Together == nil {
			continue
		}
		if s.ended() {
			return false
		}
		known := s.last.together[op]
		if known == nil || en.grown || en.news.concerns(known.asked) || en.looksAtTouched(known) {
			known = &composed{operators: make(map[string]bool)}
			en.whole.asked = known.operators
			known.asked = s.narrowing.note(func() { known.edits = s.togetherOf(op, en.whole) })
			en.whole.asked = nil
		}
		found[op] = known
		en.compound = append(en.compound, known.edits...)
	}
	s.last.together = found
	return true
}

func (en *enumeration) looksAtTouched(c *composed) bool {
	for operator := range c.operators {
		if en.touched[operator] {
			return true
		}
	}
	return false
}

// dropped are the edits that are listed and not taken over as they are.
func (en *enumeration) dropped() map[EditKey]bool {
	kept := make([]bool, len(en.space.edits))
	for _, e := range en.entries {
		if !e.fresh {
			kept[e.of.at[e.index]] = true
		}
	}
	dropped := make(map[EditKey]bool)
	for i := range kept {
		if !kept[i] {
			dropped[en.space.edits[i].Key()] = true
		}
	}
	return dropped
}

// list makes the sorted list of all edits. Those that are listed are in order already.
func (en *enumeration) list() {
	var fresh []entry
	for i := range en.compound {
		if e := &en.compound[i]; en.keys.add(e) == nil {
			fresh = append(fresh, entry{edit: e, fresh: true})
		}
	}
	en.keys, en.whole = nil, nil
	known := make([]entry, len(en.space.edits))
	for _, e := range en.entries {
		if e.fresh {
			fresh = append(fresh, e)
		} else {
			known[e.of.at[e.index]] = e
		}
	}
	known = slices.DeleteFunc(known, func(e entry) bool { return e.edit == nil })
	slices.SortFunc(fresh, func(a, b entry) int { return byWorth(a.edit, b.edit) })
	en.entries = merge(known, fresh)
	edits := make([]Edit, len(en.entries))
	for i, e := range en.entries {
		edits[i] = *e.edit
		if e.of != nil {
			e.of.at[e.index], e.of.edits = int32(i), nil
		}
	}
	en.space.edits = edits
}

// merge merges two sorted lists.
func merge(a, b []entry) []entry {
	out := make([]entry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if byWorth(a[0].edit, b[0].edit) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// A keySet is a set of edits by their keys.
type keySet struct {
	seed  maphash.Seed
	edits map[uint64]*Edit // by a hash of the key, or, if that is another's, by one of those that follow
}

func newKeySet() *keySet { return &keySet{maphash.MakeSeed(), make(map[uint64]*Edit)} }

// add adds an edit, unless there is one with its key, which it returns.
func (s *keySet) add(e *Edit) (known *Edit) {
	k := e.Key()
	h := k.hash(s.seed)
	for ; s.edits[h] != nil; h++ {
		if s.edits[h].Key() == k {
			return s.edits[h]
		}
	}
	s.edits[h] = e
	return nil
}
