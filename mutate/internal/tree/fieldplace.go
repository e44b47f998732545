package tree

import (
	"cmp"
	"slices"

	"github.com/dave/dst"
)

// A fieldPlace is where a new field, mostly a mutex, stands: directly above the first of
// the fields it guards, in their block.
type fieldPlace struct {
	list  *dst.FieldList
	field *dst.Field
	above *dst.Field // the field below it, or to be
}

// guard moves the mutex to where it belongs when it guards fields with some
// names, and puts the names into the order of the fields.
func (p *fieldPlace) guard(names []string) {
	p.lift()
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(p.index(a), p.index(b)) })
	first := slices.Index(p.list.List, p.above)
	if len(names) > 0 {
		first = min(first, p.index(names[0]))
	}
	p.insert(first)
}

// index is the place of a field in the list; the list's length if it has none of that name.
func (p *fieldPlace) index(name string) int {
	i := slices.IndexFunc(p.list.List, func(f *dst.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == name })
	})
	if i < 0 {
		return len(p.list.List)
	}
	return i
}

// insert puts the mutex above a field. It takes over the space above that and
// the comments that a blank line parts from it.
func (p *fieldPlace) insert(i int) {
	p.above = p.list.List[i]
	own, below := &p.field.Decs, &p.above.Decs
	own.Before, own.After = max(below.Before, dst.NewLine), dst.NewLine
	below.Before, below.After = dst.NewLine, max(below.After, dst.NewLine)
	if cut := lastBreak(below.Start); cut > 0 {
		own.Start = slices.Clone(below.Start[:cut])
		below.Start = slices.Clone(below.Start[cut:])
	}
	p.list.List = slices.Insert(p.list.List, i, p.field)
}

// lift takes the mutex out of the list again, if it is there.
func (p *fieldPlace) lift() {
	i := slices.Index(p.list.List, p.field)
	if i < 0 {
		return
	}
	own, below := &p.field.Decs, &p.list.List[i+1].Decs // maybe another new mutex's
	below.Before = own.Before
	below.Start = append(slices.Clone(own.Start), below.Start...)
	own.Start = nil
	p.list.List = slices.Delete(p.list.List, i, i+1)
}
