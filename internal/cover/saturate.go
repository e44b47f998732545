package cover

import (
	"context"
	"go/ast"
	"time"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/instrument"
)

// A Saturation says how far forcing what is predicted around changed code got.
type Saturation struct {
	Predicted int // interleavings with an end in a changed function
	Exposed   int // of these, by some run
	Tries     int // the others were tried so often, but for Untried
	Untried   int
	Runs      int
}

// Saturate builds the program with some files replaced, and forces what its runs predict
// with an end in a function that differs from the original's, until nothing is left to
// try, a run fails or the budget is spent. Runs that failed without being held for long
// are returned.
func (f *Forcer) Saturate(ctx context.Context, files map[string][]byte, budget time.Duration) (Saturation, []noise.Outcome, error) {
	c, done, err := f.built(ctx, files)
	if err != nil {
		return Saturation{}, nil, err
	}
	defer done()
	parts, err := f.parts(files)
	if err != nil {
		return Saturation{}, nil, err
	}
	changed := changedFunctions(f.o.Program, parts)
	c.focus = func(r interleave.IRoot) bool {
		for _, e := range r.Ends[:r.Len()] {
			if s := c.hooked.Sites[e.Site-1]; changed[[2]string{s.File, s.Function}] {
				return true
			}
		}
		return false
	}
	var failed []noise.Outcome
	c.observe = func(t *test, o noise.Outcome) {
		if !o.Pass && prompt(o, t.slowest) {
			failed = append(failed, o)
		}
	}
	c.o.First = true
	c.tests, c.end = c.testsOf(), time.Now().Add(budget)
	for _, t := range c.tests {
		if _, err := c.profile(ctx, t); err != nil {
			return Saturation{}, nil, err
		}
	}
	if err := c.explore(ctx); err != nil {
		return Saturation{}, nil, err
	}
	return c.saturation(), failed, nil
}

// saturation sums up what was predicted in the focus.
func (c *covering) saturation() Saturation {
	s := Saturation{Tries: attempts, Runs: c.runs}
	seen := interleave.Set{}
	for _, t := range c.tests {
		t.predicted.Add(t.exposed)
		for r := range t.predicted {
			if seen[r] || !c.focus(r) {
				continue
			}
			seen[r] = true
			s.Predicted++
			switch {
			case c.memory.exposed[r]:
				s.Exposed++
			case c.memory.tries[r] < attempts:
				s.Untried++
			}
		}
	}
	return s
}

// changedFunctions are those whose text is not that of the original, by file and name.
func changedFunctions(original *analysis.Program, parts []instrument.Part) map[[2]string]bool {
	text := map[[2]string]string{}
	each := func(pkg *analysis.Package, do func(name [2]string, text string)) {
		for _, f := range pkg.Files {
			start := f.AST.FileStart
			for _, d := range f.AST.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					do([2]string{f.Rel, analysis.FuncName(fn)}, string(f.Source[fn.Pos()-start:fn.End()-start]))
				}
			}
		}
	}
	for _, pkg := range original.Packages {
		each(pkg, func(name [2]string, t string) { text[name] = t })
	}
	changed := map[[2]string]bool{}
	for _, part := range parts {
		each(part.Package, func(name [2]string, t string) {
			if text[name] != t {
				changed[name] = true
			}
		})
	}
	return changed
}
