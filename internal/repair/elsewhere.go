package repair

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/internal/result"
	"mendel/internal/scenario"
	"mendel/mutate"
	"mendel/validate"
)

// A search mends the places that the tests come to. Where scenarios show that a fix leaves
// the fault at others, what the fix does is done there, too, until none of them fails.

// mostRounds is how often a fix is extended to the places that scenarios name: what fails
// first hides what fails behind it.
const mostRounds = 5

// mendElsewhere extends a fix that scenarios refute, and validates what comes of it. clean
// reports that it is a fix without a flag.
func (j *judges) mendElsewhere(ctx context.Context, f *findings, fix *validate.Fix, c candidate, generation int, took time.Duration) (clean bool, err error) {
	objections := fix.Quality.Scenarios.Objections()
	deadline, limited := ctx.Deadline()
	if len(objections) == 0 || j.base.scenarios == nil || limited && time.Until(deadline) < took {
		return false, nil
	}
	w := &extension{judges: j, fix: fix, reached: fix.Mutant}
	for range mostRounds {
		if err := w.extend(ctx, objections); err != nil {
			return false, err
		}
		if !w.grown {
			j.progress.step("nothing like it can be done where scenarios fail: %s", objections[0])
			return false, nil
		}
		r, err := j.base.scenarios.TryLike(ctx, fix.Mutant.Files, w.reached.Files)
		if err != nil {
			j.progress.step("done elsewhere, too, it cannot be tried: %v", err)
			return false, ctx.Err() // what cannot be built or explored is not offered
		}
		j.progress.step("done elsewhere, too: %s: %d of %d scenarios fail", result.Describe(w.reached.Edits), len(r.Objections), r.Tried)
		if objections = r.Objections; len(objections) == 0 {
			return w.validate(ctx, f, c, generation)
		}
	}
	return false, nil
}

// An extension is a fix that grows by the like of its edits.
type extension struct {
	*judges
	fix       *validate.Fix
	narrowing *analysis.Narrowing
	space     *mutate.Space // of the fix's operators, with what scenarios name
	reached   *mutate.Mutant
	grown     bool // by the last step
}

// extend adds, for each function that objections name and that the fix leaves as it is, the
// first edit there that is like one of the fix.
func (w *extension) extend(ctx context.Context, objections []scenario.Objection) (err error) {
	w.grown = false
	if w.narrowing == nil {
		if w.narrowing, err = w.analyse(ctx); err != nil {
			return err
		}
		w.merge(w.narrowing, w.base)
	}
	for _, o := range objections {
		w.narrowing.Learn(byChecker, originalLines(w.reached, o.Failure.Failure))
		if o.Returned() {
			w.narrowing.Suspect(suspected(o)...)
		}
	}
	w.narrowing.Associate()
	if w.space, err = mutate.NewSpace(w.program, w.narrowing, w.operatorsOf(w.fix.Mutant.Edits), mutate.Within(ctx)); err != nil {
		return fmt.Errorf("enumerate edits: %w", err)
	}
	for _, e := range w.like(objections) {
		m, err := w.space.Mutant(ctx, append(slices.Clone(w.reached.Edits), e))
		var refusal *mutate.Refusal
		switch {
		case errors.As(err, &refusal):
		case err != nil:
			return fmt.Errorf("build mutant of %s: %w", e.Operator, err)
		case m.Hash != w.reached.Hash:
			w.reached, w.grown = m, true
		}
	}
	return nil
}

// suspected are the functions that a scenario calls, one of which gives something away.
func suspected(o scenario.Objection) (all []analysis.Suspect) {
	for _, p := range o.Functions() {
		all = append(all, analysis.Suspect{File: p.Filename, Line: p.Line, Degree: 1, Says: "what it returns is used beside others"})
	}
	return all
}

// operatorsOf are the operators of some edits.
func (w *extension) operatorsOf(edits []mutate.Edit) (all []*mutate.Operator) {
	for _, e := range edits {
		if op := w.judges.space.Operator(e.Operator); op != nil && !slices.Contains(all, op) {
			all = append(all, op)
		}
	}
	return all
}

// like are edits like one of the fix, one for each function that objections name and the fix does
// not edit.
func (w *extension) like(objections []scenario.Objection) []mutate.Edit {
	done := map[string]bool{}
	for _, e := range w.reached.Edits {
		done[e.File+" "+e.Func] = true
	}
	named := w.functions(objections)
	var all []mutate.Edit
	for _, listed := range w.space.Edits() {
		for _, e := range parts(listed) {
			place := e.File + " " + e.Func
			if !done[place] && named[place] && slices.ContainsFunc(w.fix.Mutant.Edits, func(o mutate.Edit) bool { return sameDeed(o, e) }) {
				done[place] = true
				all = append(all, e)
			}
		}
	}
	return all
}

// parts are the edits that an edit stands for.
func parts(e mutate.Edit) []mutate.Edit {
	if len(e.Parts) > 0 {
		return e.Parts
	}
	return []mutate.Edit{e}
}

// sameDeed says whether edits do the same at two places: by one operator, with the same lock.
func sameDeed(a, b mutate.Edit) bool {
	if a.Operator != b.Operator || (a.Lock == nil) != (b.Lock == nil) {
		return false
	}
	return a.Lock == nil || a.Lock.Key == b.Lock.Key
}

// functions are the functions that objections name, as edits name them.
func (w *extension) functions(objections []scenario.Objection) map[string]bool {
	named := map[string]bool{}
	for _, o := range objections {
		for _, s := range originalLines(w.reached, o.Failure.Failure).Stacks {
			for _, frame := range s.Frames {
				w.name(named, frame.File, frame.Line)
			}
		}
		if o.Returned() { // what it reads is given away by one of the calls
			for _, p := range o.Functions() {
				w.name(named, p.Filename, p.Line)
			}
		}
	}
	return named
}

// name adds the functions that a line is in.
func (w *extension) name(named map[string]bool, name string, at int) {
	file := w.program.File(name)
	if file == nil || file.Test {
		return
	}
	syntax.Functions(file, func(node ast.Node, _ *ast.FuncType, _ *ast.BlockStmt, name string) {
		line := func(pos token.Pos) int { return w.program.Fset.Position(pos).Line }
		if line(node.Pos()) <= at && at <= line(node.End()) {
			named[file.Rel+" "+name] = true
		}
	})
}

// validate validates what was reached, as it stands.
func (w *extension) validate(ctx context.Context, f *findings, c candidate, generation int) (clean bool, err error) {
	w.progress.printf("what the fix does is done where scenarios fail, too: %s", result.Describe(w.reached.Edits))
	fix, err := w.validator.In(w.space, w.narrowing, w.fix.Mutant.Files).Whole(ctx, w.reached, c.result)
	var rejected *validate.Rejected
	if errors.As(err, &rejected) {
		w.progress.printf("no fix with it: %s", rejected.Reason)
		return false, nil
	}
	if fix != nil && len(fix.Incomplete) == 0 && f.add(validatedFix{fix, generation, w.progress.meter.seconds()}) {
		w.progress.printf("fix: %s", result.Describe(fix.Mutant.Edits))
		clean = len(fix.Flags) == 0
	}
	return clean, err
}
