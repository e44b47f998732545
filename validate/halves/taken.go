package halves

import (
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/taken"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// losses finds ways out, and calls of others' code that may panic, on which is lost what a function took, where the
// patch gives the same back on others.
func losses(c *pair.Change) (found []pair.Finding) {
	had, has := map[string]int{}, map[string]int{}
	risked, risks := map[string]int{}, map[string]int{}
	lost, left := taken.Losses(c.After.Packages), taken.Risks(c.After.Packages)
	for _, l := range taken.Losses(c.Before.Packages) {
		had[l.Key]++
	}
	for _, l := range lost {
		has[l.Key]++
	}
	for _, r := range taken.Risks(c.Before.Packages) {
		risked[r.Key]++
	}
	for _, r := range left {
		risks[r.Key]++
	}
	for _, l := range lost {
		if has[l.Key] < had[l.Key] {
			found = append(found, in(c, l.File, l.Func, l.At.Pos(), "what was taken is lost here: "+l.Give+" is missing, as the patch has it elsewhere"))
		}
	}
	for _, r := range left {
		if risks[r.Key] < risked[r.Key] {
			found = append(found, in(c, r.File, r.Func, r.Call.Pos(), "what was taken of "+r.Op.On+" is lost if "+types.ExprString(r.Call.Fun)+" panics, as it no longer is elsewhere"))
		}
	}
	return found
}

// early finds calls of others' code behind which something was given back, where the patch does so before the call:
// what was taken limits nothing any more.
func early(c *pair.Change) (found []pair.Finding) {
	for _, r := range taken.Risks(c.Before.Packages) {
		for _, pkg := range c.After.Packages {
			for _, f := range pkg.Files {
				if f.Rel != r.File.Rel {
					continue
				}
				for _, at := range taken.Before(f, r) {
					g := in(c, f, r.Func, at.Pos(), "what was taken of "+r.Op.On+" is given back before "+types.ExprString(r.Call.Fun)+" is called: it limits nothing")
					g.Flag = mutate.DropsGuard
					found = append(found, g)
				}
			}
		}
	}
	return found
}

// in is a finding of a file after the change.
func in(c *pair.Change, f *analysis.File, fn string, pos token.Pos, what string) pair.Finding {
	return pair.Finding{File: f.Rel, Line: c.After.Fset.PositionFor(pos, false).Line, Func: fn, What: what, Flag: mutate.LeftElsewhere}
}
