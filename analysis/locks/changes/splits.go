package changes

import (
	"go/token"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/splits"
)

// Splits finds what a change splits, and what stays split although it changes that, in the
// packages that it replaces; see [Changes].
func Splits(m *locks.Model, p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []Finding {
	after := m.Patched(p, fset, pkgs)
	after.Scope = make(map[string]bool)
	for _, pkg := range pkgs {
		after.Scope[pkg.Path] = true
	}
	defer m.Unlock()
	defer after.Unlock()
	c := &comparison{after: after.Lock(), before: m.Lock()}
	c.splits()
	return c.found
}

// splits finds what the change splits, and what stays split although it changes that.
func (c *comparison) splits() {
	now := splits.In(c.after, c.after.Shipped())
	var fns []*program.Func
	for _, s := range now {
		if fn := c.before.Named(s.In.Name); fn != nil {
			fns = append(fns, fn)
		}
	}
	was := splits.In(c.before, fns)
	for _, s := range now {
		if slices.ContainsFunc(was, func(o splits.Split) bool { return s.Same(o) && s.Text == o.Text }) {
			continue
		}
		read := c.after.Fset.PositionFor(s.Read.At.Pos(), false)
		c.report(SplitSection, s.Written, "%s is read (line %d) and written back under a later acquisition of %s", s.Read.Name, read.Line, shortKey(s.Lock))
	}
}

// splitsLeft finds the splits that stay where the change mends another one of the same lock,
// of variables that are used in the sections of that one.
func (c *comparison) splitsLeft() {
	now, was := splits.In(c.after, c.after.Shipped()), splits.In(c.before, c.before.Shipped())
	mended := slices.DeleteFunc(slices.Clone(was), func(o splits.Split) bool { return slices.ContainsFunc(now, o.Same) })
	if len(mended) == 0 {
		return
	}
	now, was = append(now, splits.Chosen(c.after)...), append(was, splits.Chosen(c.before)...)
	for _, s := range now {
		before := slices.IndexFunc(was, s.Same)
		if before < 0 || was[before].Text != s.Text {
			continue
		}
		if i := slices.IndexFunc(mended, func(o splits.Split) bool {
			return o.Lock == s.Lock && o.In.Name != s.In.Name && splits.UsedWith(c.before, o, s.Read.Key)
		}); i >= 0 {
			c.report(SplitLeft, s.Written, "%s is read and written back under a later acquisition of %s, as the change mends it in %s", s.Read.Name, shortKey(s.Lock), mended[i].In.Label())
		}
	}
}
