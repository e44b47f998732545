package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/fitness"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/scenario"
	"mendel/mutate"
	"mendel/validate"
	"mendel/validate/rules"
)

// A search mends the places that the tests come to. Where scenarios, or the model of locks, show
// that a fix leaves the fault at others, what the fix does is done there, too, until none is left.

// mostRounds is how often a fix is extended to such places: what fails first hides what fails
// behind it.
const mostRounds = 5

// leavesPlaces says whether a fix is a workaround for what it leaves elsewhere, and for nothing else.
func leavesPlaces(flags []mutate.Flag) bool {
	why := validate.Workaround(flags)
	return len(why) > 0 && !slices.ContainsFunc(why, ofItself)
}

// ofItself says whether a flag is about what a fix does, and not about what it leaves elsewhere.
func ofItself(f mutate.Flag) bool { return !rules.FlagOf(f).Elsewhere }

// mendElsewhere extends a fix that is a workaround for what it leaves elsewhere, and validates
// what comes of it. clean reports that it is a fix without a flag.
func (j *judges) mendElsewhere(ctx context.Context, f *findings, fix *validate.Fix, c candidate, generation int, took time.Duration) (clean bool, err error) {
	deadline, limited := ctx.Deadline()
	if limited && time.Until(deadline) < took/2 { // the search for what it needs is over
		return false, nil
	}
	w := &extension{judges: j, from: fix.Mutant, reached: fix.Mutant, scenarios: j.trier, objections: fix.Quality.Scenarios.Objections()}
	if w.left, err = j.validator.Left(fix.Mutant); err != nil {
		return false, err
	}
	if err := w.grow(ctx); err != nil || w.reached.Hash == fix.Mutant.Hash || len(w.objections) > 0 {
		return false, err
	}
	added := slices.DeleteFunc(slices.Clone(w.reached.Edits), func(e mutate.Edit) bool { return mutate.Has(fix.Mutant.Edits, e) })
	if err := w.reduce(ctx, added); err != nil {
		return false, err
	}
	wider, err := w.validate(ctx, c.result, fix.Mutant.Files)
	if wider != nil && len(wider.Incomplete) == 0 && f.add(validatedFix{wider, generation, w.Progress.Meter.Seconds()}) {
		w.Progress.Printf("fix: %s", result.Describe(wider.Mutant.Edits))
		clean = len(improvable(wider.Flags)) == 0
	}
	return clean, err
}

// mendAtOnce extends a candidate of one operator to the places that the source shows it to leave,
// and validates it with them: a validation of the candidate alone would come to nothing but that. The
// fix is nil where it leaves none, or is no fix with them.
func (j *judges) mendAtOnce(ctx context.Context, c candidate) (*validate.Fix, error) {
	if c.edits == nil || len(j.operatorsOf(c.edits)) != 1 || slices.ContainsFunc(validate.Workaround(c.flags), ofItself) {
		return nil, nil
	}
	from, err := j.space.Mutant(ctx, c.edits)
	var refusal *mutate.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("build mutant of a candidate: %w", err)
	}
	w := &extension{judges: j, from: from, reached: from}
	if w.left, err = j.validator.Left(from); err != nil || len(w.left) == 0 {
		return nil, err
	}
	j.Progress.Step("this leaves the fault elsewhere: %s", w.why())
	if err := w.grow(ctx); err != nil || ctx.Err() != nil || w.reached.Hash == from.Hash {
		return nil, cmp.Or(err, ctx.Err())
	}
	if err := w.reduce(ctx, w.reached.Edits); err != nil || ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	return w.validate(ctx, c.result, nil)
}

// reduce leaves out those of some edits that are not needed: without them nothing speaks against what was
// reached, and the tests pass. Of edits that come together some may be enough.
func (w *extension) reduce(ctx context.Context, edits []mutate.Edit) error {
	if w.against() > 0 || len(edits) < 2 {
		return nil
	}
	for _, e := range edits {
		rest := slices.DeleteFunc(slices.Clone(w.reached.Edits), func(o mutate.Edit) bool { return o.Key() == e.Key() })
		m, err := w.space.Mutant(ctx, rest)
		var refusal *mutate.Refusal
		if errors.As(err, &refusal) {
			continue
		}
		if err != nil {
			return fmt.Errorf("build mutant without %s: %w", e.Operator, err)
		}
		before := *w
		w.reached = m
		if err := w.ask(ctx); err != nil {
			return err
		}
		needed := w.against() > 0
		if !needed {
			r, err := w.evaluator.Evaluate(ctx, m)
			if err != nil {
				return err
			}
			needed = r.Runs == 0 || r.Passes < r.Runs
		}
		if needed {
			w.reached, w.objections, w.left = before.reached, before.objections, before.left
			continue
		}
		w.Progress.Step("it does not need %s", result.Describe([]mutate.Edit{e}))
	}
	return nil
}

// grow extends what was reached until nothing speaks against it, or no edit helps.
func (w *extension) grow(ctx context.Context) (err error) {
	if w.faults, err = w.validator.OwnFaults(w.reached); err != nil {
		return err
	}
	for range mostRounds {
		if w.against() == 0 {
			break
		}
		better, err := w.step(ctx, w.extend)
		if err == nil && !better {
			better, err = w.step(ctx, w.climb)
		}
		if err != nil {
			return err
		}
		if !better {
			w.Progress.Step("nothing can be done elsewhere: %s", w.why())
			break
		}
	}
	return nil
}

// An extension is a fix, or a candidate, that grows by the like of its edits.
type extension struct {
	*judges
	from      *mutate.Mutant
	scenarios *scenario.Trier // nil: only the source is asked
	narrowing *analysis.Narrowing
	space     *mutate.Space // of the fix's operators, with what scenarios name
	reached   *mutate.Mutant
	grown     bool // by the last step

	// What speaks against the mutant that was reached: scenarios, and places that it leaves.
	objections []scenario.Objection
	left       []validate.Place
	faults     int // of what was reached itself; see [validate.Validator.OwnFaults]
}

// against is how much speaks against what was reached.
func (w *extension) against() int { return len(w.objections) + len(w.left) }

// step grows what was reached, and asks again. Where no less speaks against it then, or it has a new fault of its own, all
// stays as it was, and the step is no better.
func (w *extension) step(ctx context.Context, grow func(context.Context) error) (better bool, err error) {
	before := *w
	w.grown = false
	if err := grow(ctx); err != nil || !w.grown {
		return false, err
	}
	if err := w.ask(ctx); err != nil {
		return false, err
	}
	w.Progress.Step("done elsewhere, too: %s: %d scenarios fail, %d places are left", result.Describe(w.reached.Edits), len(w.objections), len(w.left))
	if w.faults, err = w.validator.OwnFaults(w.reached); err != nil {
		return false, err
	}
	if w.against() < before.against() && w.faults <= before.faults {
		return true, nil
	}
	w.reached, w.objections, w.left, w.faults = before.reached, before.objections, before.left, before.faults
	return false, nil
}

// why is one of the things that speak against what was reached.
func (w *extension) why() string {
	if len(w.objections) > 0 {
		return w.objections[0].String()
	}
	return w.left[0].String()
}

// ask asks the scenarios of the fix, and the model of locks, about what was reached.
func (w *extension) ask(ctx context.Context) (err error) {
	w.objections = nil
	if w.scenarios != nil {
		r, err := w.scenarios.TryLike(ctx, w.from.Files, w.reached.Files)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		w.objections = r.Objections // of what cannot be built so the validation will say more
	}
	w.left, err = w.validator.Left(w.reached)
	return err
}

// extend adds, for each function that speaks against what was reached and is not edited, the first edit
// there that is like one of the fix.
func (w *extension) extend(ctx context.Context) (err error) {
	if w.narrowing == nil {
		if w.narrowing, err = w.analyse(ctx); err != nil {
			return err
		}
		w.base.MergeInto(w.narrowing)
	}
	w.learn()
	if w.space, err = mutate.NewSpace(w.Program, w.narrowing, w.operatorsOf(w.from.Edits), mutate.Within(ctx)); err != nil {
		return fmt.Errorf("enumerate edits: %w", err)
	}
	like := w.like(w.nameInnermost)
	if len(like) == 0 { // the edit may be around the function: a go statement, and what goes on in it
		like = w.like(w.name)
	}
	for _, e := range like {
		m, err := w.with(ctx, e)
		if err != nil {
			return err
		}
		if m != nil {
			w.reached, w.grown = m, true
		}
	}
	return nil
}

// with is what was reached with one more edit; nil: that is nothing else.
func (w *extension) with(ctx context.Context, e mutate.Edit) (*mutate.Mutant, error) {
	m, err := w.space.Mutant(ctx, append(slices.Clone(w.reached.Edits), e))
	var refusal *mutate.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("build mutant of %s: %w", e.Operator, err)
	case m.Hash == w.reached.Hash:
		return nil, nil
	}
	return m, nil
}

// learn takes what speaks against what was reached into the narrowing.
func (w *extension) learn() {
	for _, o := range w.objections {
		w.narrowing.Learn(original.ByChecker, originalLines(w.reached, o.Failure.Failure))
		if o.Returned() {
			w.narrowing.Suspect(suspected(o)...)
		}
	}
	for _, l := range w.left {
		w.narrowing.Suspect(analysis.Suspect{File: l.File, Line: l.Line, Degree: 1, Says: l.What})
		w.narrowing.Learn(original.ByChecker, asRace(l.File, l.Line, l.What))
	}
	w.narrowing.Associate()
}

// suspected are the functions that a scenario calls, one of which gives something away.
func suspected(o scenario.Objection) (all []analysis.Suspect) {
	for _, p := range o.Functions() {
		all = append(all, analysis.Suspect{File: p.Filename, Line: p.Line, Degree: 1, Says: "what it returns is used beside others"})
	}
	return all
}

// operatorsOf are the operators of some edits.
func (j *judges) operatorsOf(edits []mutate.Edit) (all []*mutate.Operator) {
	for _, e := range edits {
		if op := j.space.Operator(e.Operator); op != nil && !slices.Contains(all, op) {
			all = append(all, op)
		}
	}
	return all
}

// like are edits like one of the fix, one for each function that something says is left, as name tells: where it is
// left, or else the first of the text, where a statement comes before those in it.
func (w *extension) like(name func(named map[string]bool, file string, at int)) []mutate.Edit {
	done, again, at := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range w.reached.Edits {
		done[e.File+" "+e.Func] = true
		at[fmt.Sprint(e.File, ":", e.Line)] = true
	}
	named, lines := w.functions(name), w.lines()
	var all []mutate.Edit
	for _, same := range []func(a, b mutate.Edit) bool{sameForm, sameDeed} {
		for _, there := range []bool{true, false} {
			for _, e := range w.single() {
				place, line := e.File+" "+e.Func, fmt.Sprint(e.File, ":", e.Line)
				if there && !lines[line] {
					continue
				}
				another := done[place] && lines[line] && !at[line] && !again[place] // in a function that is edited elsewhere
				if (!done[place] && named[place] || another) && slices.ContainsFunc(w.from.Edits, func(o mutate.Edit) bool { return same(o, e) }) {
					done[place], at[line], again[place] = true, true, true
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// single are the edits of the space, each by itself, by file and line: of those that begin together the one with the most
// statements first, since what a function uses of a value in several statements is to be of one moment.
func (w *extension) single() (all []mutate.Edit) {
	for _, listed := range w.space.Edits() {
		all = append(all, parts(listed)...)
	}
	slices.SortStableFunc(all, func(a, b mutate.Edit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(b.Count, a.Count))
	})
	return all
}

// lines are those of the places that are left, as edits name them.
func (w *extension) lines() map[string]bool {
	at := map[string]bool{}
	for _, l := range w.left {
		if f := w.Program.File(l.File); f != nil {
			at[fmt.Sprint(f.Rel, ":", l.Line)] = true
		}
	}
	return at
}

// sameForm says whether edits do the same at two places in the same way, with no flag that the first has not.
func sameForm(a, b mutate.Edit) bool {
	return sameDeed(a, b) && a.Form == b.Form && !slices.ContainsFunc(b.Flags, func(f mutate.Flag) bool { return !slices.Contains(a.Flags, f) })
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
	return a.Lock == nil || ofDeclaration(a.Lock.Key) == ofDeclaration(b.Lock.Key)
}

// ofDeclaration is the key of a lock or, of a new one of a function's local variables, that of any such
// lock of the function.
func ofDeclaration(key string) string {
	name, _, _ := strings.Cut(key, "@")
	return name
}

// functions are those in which something is left, as edits name them; of a place that the source shows, those
// that name adds.
func (w *extension) functions(name func(named map[string]bool, file string, at int)) map[string]bool {
	named := map[string]bool{}
	for _, o := range w.objections {
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
	for _, l := range w.left {
		name(named, l.File, l.Line)
	}
	return named
}

// asRace is a place as a race would name it, so that the variables there count as shared, whether they are written or read.
func asRace(file string, line int, what string) evidence.Failure {
	at := []evidence.Frame{{File: file, Line: line}}
	return evidence.Failure{Kind: evidence.Race, Message: what, Stacks: []evidence.Stack{{Role: "read", Frames: at}, {Role: "read", Frames: at}}}
}

// name adds the functions that a line is in.
func (w *extension) name(named map[string]bool, file string, at int) {
	w.around(file, at, func(function string, _ ast.Node) { named[function] = true })
}

// nameInnermost adds the innermost function that a line is in.
func (w *extension) nameInnermost(named map[string]bool, file string, at int) {
	innermost, length := "", token.Pos(0)
	w.around(file, at, func(function string, node ast.Node) {
		if n := node.End() - node.Pos(); innermost == "" || n < length {
			innermost, length = function, n
		}
	})
	if innermost != "" {
		named[innermost] = true
	}
}

// around visits the functions that a line is in, tests left out, by the names that edits have for them.
func (w *extension) around(name string, at int, visit func(function string, node ast.Node)) {
	file := w.Program.File(name)
	if file == nil || file.Test {
		return
	}
	syntax.Functions(file, func(node ast.Node, _ *ast.FuncType, _ *ast.BlockStmt, name string) {
		line := func(pos token.Pos) int { return w.Program.Fset.Position(pos).Line }
		if line(node.Pos()) <= at && at <= line(node.End()) {
			visit(file.Rel+" "+name, node)
		}
	})
}

// validate validates what was reached, as it stands, with the scenarios of some files; nil: with its own.
// The fix is nil where it is none.
func (w *extension) validate(ctx context.Context, r fitness.Result, scenariosOf map[string][]byte) (*validate.Fix, error) {
	w.Progress.Printf("what the fix does is done elsewhere, too: %s", result.Describe(w.reached.Edits))
	fix, err := w.validator.In(w.space, w.narrowing, scenariosOf).Whole(ctx, w.reached, r)
	var rejected *validate.Rejected
	if errors.As(err, &rejected) {
		w.Progress.Printf("no fix with it: %s", rejected.Reason)
		return nil, nil
	}
	return fix, err
}
