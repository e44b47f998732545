package halves

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
)

// A Finding is a place that a patch leaves, or at which it does half of what it should.
type Finding struct {
	File string // module-relative
	Line int    // of the patched file
	Func string
	What string // the sentence, without the place
	Flag mutate.Flag
}

// Find finds the places in a program some packages of which are replaced, as
// [analysis.Program.Recheck] returns them.
func Find(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []Finding {
	c := newChange(p, fset, pkgs)
	return collect(
		c.lent, c.clones, c.exits, c.putBack, c.stops, c.groups, c.senders, c.dones, c.adds, c.steps, c.gates, c.handouts, c.pointers, c.emptied, c.kept, c.borrowed, c.changedCopies, c.signals, c.unwoken, c.counts, c.combined, c.insistent, c.roused, c.given,
		c.rooms, c.fieldRooms, c.gaps, c.detached, c.drops, c.breaks, c.stranded, c.cutShort, c.unawaited, c.unjoined, c.lateCopies, c.drains, c.askedBefore, c.shallow, c.lateTimers, c.closedFor, c.heedless,
		c.losses, c.early,
	)
}

// collect lists what several look for, each in the order of the places.
func collect(finders ...func() []Finding) (found []Finding) {
	for _, find := range finders {
		list := find()
		slices.SortStableFunc(list, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What))
		})
		found = append(found, slices.Compact(list)...)
	}
	return found
}

// Certain is Find for what is wrong whatever the patch is: goroutines that are left sending alone, or not
// counted down or count themselves, atomic variables that are asked and changed in two steps, and lists that are
// given away, or filled again when they were, waiters that are woken one by one, or not at all behind a change that
// others wake them for, values that are put together of several moments, what is handed over and lost, results that
// are cut short, ends that do not wait as their documentation promises, and what was taken and is lost.
func Certain(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []Finding {
	c := newChange(p, fset, pkgs)
	return collect(c.senders, c.dones, c.adds, c.steps, c.gates, c.handouts, c.pointers, c.emptied, c.kept, c.borrowed, c.changedCopies, c.signals, c.unwoken, c.counts, c.combined, c.insistent, c.roused, c.given,
		c.drops, c.stranded, c.cutShort, c.unawaited, c.closedFor, c.losses, c.heedless)
}

func newChange(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *change {
	was := slices.DeleteFunc(slices.Clone(p.Packages), func(o *analysis.Package) bool {
		return !slices.ContainsFunc(pkgs, func(n *analysis.Package) bool { return n.Path == o.Path })
	})
	return &change{before: read(p.Fset, was), after: read(fset, pkgs)}
}

// A change is of some packages.
type change struct{ before, after *version }

// A version is the packages before or after the change.
type version struct {
	fset     *token.FileSet
	packages []*analysis.Package
	funcs    []*function
	named    map[string]*function
}

// A function is a declared one; tests have none.
type function struct {
	*ast.FuncDecl
	name   string // "(*example.com/farm.Farm).Render"
	file   *analysis.File
	tokens []string
}

func (fn *function) info() *types.Info { return fn.file.Package.Info }

func read(fset *token.FileSet, pkgs []*analysis.Package) *version {
	v := &version{fset: fset, packages: pkgs, named: make(map[string]*function)}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if f.Test || f.Generated {
				continue
			}
			for _, d := range f.AST.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok || decl.Body == nil {
					continue
				}
				obj, ok := pkg.Info.Defs[decl.Name].(*types.Func)
				if !ok {
					continue
				}
				fn := &function{FuncDecl: decl, name: obj.FullName(), file: f}
				fn.tokens = v.tokens(f, decl)
				v.funcs, v.named[fn.name] = append(v.funcs, fn), fn
			}
		}
	}
	return v
}

// changed reports whether a function's text has changed, or is new.
func (c *change) changed(fn *function) bool {
	was := c.before.named[fn.name]
	return was == nil || !slices.Equal(was.tokens, fn.tokens)
}

// at is a finding in a function after the change.
func (c *change) at(fn *function, pos token.Pos, format string, args ...any) Finding {
	return Finding{
		File: fn.file.Rel, Line: c.after.fset.PositionFor(pos, false).Line,
		Func: analysis.FuncName(fn.FuncDecl), What: fmt.Sprintf(format, args...), Flag: mutate.LeftElsewhere,
	}
}
