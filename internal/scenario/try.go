package scenario

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker"
)

// An Objection is what a scenario shows against a patch.
type Objection struct {
	Scenario *Scenario
	Failure  checker.Failure
}

// Functions are the functions that the scenario calls, by their places in the original: absolute
// file and line.
func (o Objection) Functions() []token.Position {
	m := o.Scenario.suite.maker
	var all []token.Position
	for _, c := range o.Scenario.calls {
		if b := m.bodies[c.fn.Origin()]; b != nil {
			all = append(all, m.program.Fset.Position(b.decl.Name.Pos()))
		}
	}
	return all
}

// Returned says whether the scenario fails where it reads what a call has returned.
func (o Objection) Returned() bool {
	return slices.ContainsFunc(o.Failure.Stacks, func(s evidence.Stack) bool {
		return len(s.Frames) > 0 && readsResult.MatchString(o.Scenario.suite.lineAt(s.Frames[0]))
	})
}

// lineAt is a line of a driver file; "": of another one.
func (s *Suite) lineAt(frame evidence.Frame) string {
	text := strings.Split(string(s.files()[frame.File]), "\n")
	if frame.Line < 1 || frame.Line > len(text) {
		return ""
	}
	return text[frame.Line-1]
}

// String words it for people.
func (o Objection) String() string {
	return fmt.Sprintf("%s: %s", o.Scenario, firstLine(o.Failure.Message))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Try explores the scenarios in the program with some files replaced, for as long as a budget
// says at most, and returns what counts against it. Nil drivers have no scenario.
func (d *Drivers) Try(ctx context.Context, files map[string][]byte, budget time.Duration) ([]Objection, error) {
	if d == nil {
		return nil, nil
	}
	b, err := d.checker.Build(ctx, d.with(files))
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	defer b.Close()
	objections, err := d.ask(ctx, b, files, d.scenarios, budget)
	if err != nil {
		return nil, err
	}
	return d.withoutKnown(ctx, objections, budget)
}

// TryEach explores some scenarios in several programs, each the program with some files replaced,
// which are built together, and returns how many objections there are to each; -1 of one that does not build.
func (d *Drivers) TryEach(ctx context.Context, sets []map[string][]byte, some []*Scenario, budget time.Duration) ([]int, error) {
	with := make([]map[string][]byte, len(sets))
	for i, files := range sets {
		with[i] = d.with(files)
	}
	built, err := d.checker.BuildAll(ctx, with)
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	defer func() {
		for _, b := range built {
			if b.Binary != nil {
				b.Binary.Close()
			}
		}
	}()
	failing := make([]int, len(sets))
	for i, b := range built {
		if failing[i] = -1; b.Err != nil {
			continue
		}
		objections, err := d.ask(ctx, b.Binary, sets[i], some, budget)
		if err != nil {
			return nil, err
		}
		failing[i] = len(objections)
	}
	return failing, nil
}

// scenariosOf are the scenarios that objections are about, each once.
func scenariosOf(objections []Objection) (some []*Scenario) {
	for _, o := range objections {
		if !slices.Contains(some, o.Scenario) {
			some = append(some, o.Scenario)
		}
	}
	return some
}

// with are the files of a patched program, and those of the scenarios, with the outcomes.
func (d *Drivers) with(files map[string][]byte) map[string][]byte {
	all := maps.Clone(files)
	maps.Copy(all, d.suite.files())
	return all
}

// ask explores some scenarios in a patched program, and returns what counts against it.
func (d *Drivers) ask(ctx context.Context, b *checker.Binary, files map[string][]byte, some []*Scenario, budget time.Duration) ([]Objection, error) {
	var objections []Objection
	after, err := d.suite.explore(ctx, b, some, budget/2)
	if err != nil {
		return nil, err
	}
	for _, x := range some {
		if f, bad := d.worse(x, after[x.Name]); bad {
			objections = append(objections, Objection{x, f})
		}
	}
	byTest := map[string]*Scenario{}
	var tests []string
	for _, x := range some {
		byTest[x.Name] = x
		tests = append(tests, x.Name)
	}
	r, err := b.Check(ctx, checker.Search{Budget: budget, Tests: tests, All: true, PastRaces: true, Single: true, Standing: d.suite.left})
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	touch := Touched(d.program, files)
	if touch.locks {
		touch = newMaker(d.program, touch).touch
	}
	for _, f := range r.Failures {
		if x := byTest[f.Test]; x != nil && d.counts(x, f, after[x.Name], touch, files) {
			objections = append(objections, Objection{x, f})
		}
	}
	return objections, nil
}

// withoutKnown leaves out objections that are outcomes which the original has side by side, too, where
// not all of the calls reach what the patch changes: that may be how the program is.
func (d *Drivers) withoutKnown(ctx context.Context, objections []Objection, budget time.Duration) ([]Objection, error) {
	var tests []string
	for _, o := range objections {
		if o.doubtful() {
			tests = append(tests, o.Scenario.Name)
		}
	}
	if len(tests) == 0 {
		return objections, nil
	}
	b, err := d.checker.Build(ctx, d.suite.files())
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	defer b.Close()
	r, err := b.Check(ctx, checker.Search{Budget: budget, Tests: tests, All: true, PastRaces: true, Single: true, Standing: d.suite.left})
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	return slices.DeleteFunc(objections, func(o Objection) bool {
		return o.doubtful() && slices.ContainsFunc(r.Failures, func(f checker.Failure) bool {
			return f.Test == o.Scenario.Name && f.Kind == evidence.TestFailure
		})
	}), nil
}

// doubtful says whether an objection is an outcome of calls of which not all reach what the patch changes.
func (o Objection) doubtful() bool {
	return o.Failure.Kind == evidence.TestFailure && o.Failure.Test == o.Scenario.Name &&
		slices.ContainsFunc(o.Scenario.calls, func(c *call) bool { return !c.touches })
}

// fatal are the kinds of failures after which calls do not come to their end.
var fatal = []evidence.Kind{evidence.Panic, evidence.Deadlock, evidence.Blocked}

// ends says whether the original's calls of a scenario are known to end in each order: an execution with a
// race is not followed to its end.
func (o ordered) ends() bool {
	return !o.unknown && !o.races() && !slices.ContainsFunc(fatal, func(k evidence.Kind) bool { _, bad := o.kinds[k]; return bad })
}

// races says whether calls one after the other race, with a worker or what a test has left running.
func (o ordered) races() bool {
	_, races := o.kinds[evidence.Race]
	return races
}

// worse says whether calls one after the other come to something else in a patched program than in the original,
// or do not come to their end there.
func (d *Drivers) worse(x *Scenario, after ordered) (f checker.Failure, bad bool) {
	before := d.plain[x.Name]
	if !before.ends() {
		return f, false
	}
	for _, k := range fatal {
		unsettled := k != evidence.Panic && d.suite.unsettled[x]
		if f, bad := after.kinds[k]; bad && !unsettled && !d.inTest(f) && !d.waitsInTest(f) && !(k != evidence.Panic && d.calledUnderLock(f)) {
			return f, true
		}
	}
	if x.workers || !before.complete() || !after.complete() {
		return f, false
	}
	for i, outcome := range after.outcomes {
		if outcome != before.outcomes[i] && !givenBack(before.outcomes[i], outcome) {
			f.Kind, f.Test = evidence.TestFailure, x.ordered(i)
			f.Message = fmt.Sprintf("one after the other they come to %q, in the original to %q", outcome, before.outcomes[i])
			return f, true
		}
	}
	return f, false
}

// counts says whether a failure of calls side by side speaks against the patch. Where the original's do not
// come to their end one after the other, which may be what the patch mends, the patched program's have to.
func (d *Drivers) counts(x *Scenario, f checker.Failure, after ordered, t Touch, files map[string][]byte) bool {
	before := d.plain[x.Name]
	switch f.Kind {
	case evidence.Race:
		return !before.unknown && !before.races() && d.concerns(f, t, files)
	case evidence.Panic:
		// That Add and Wait meet is how the program is: calls that end a phase come when it is over.
		return before.ends() && !d.inTest(f) && !strings.Contains(f.Message, "WaitGroup is reused")
	case evidence.Deadlock, evidence.Blocked:
		call := d.callWaits(f)
		ends := before.ends() || call && len(after.outcomes) > 0 && after.ends()
		return ends && (!d.suite.unsettled[x] || call) && len(f.TimeOuts) == 0 && !d.waitsInTest(f) && !d.calledUnderLock(f)
	case evidence.TestFailure:
		return strings.Contains(f.Message, "in no order one after the other") && !before.mended(after)
	}
	return false
}

// innermost is the first frame of a stack that is in a file of the program; -1: there is none.
func (d *Drivers) innermost(s evidence.Stack) int {
	return slices.IndexFunc(s.Frames, func(f evidence.Frame) bool { return d.program.File(f.File) != nil })
}

// readsResult finds lines that read what a call has returned.
var readsResult = regexp.MustCompile(`fmt\.Sprint\(|mendelElement`)

// readsResult says whether a frame is where a scenario prints what a call has returned.
func (d *Drivers) readsResult(frame evidence.Frame) bool {
	return readsResult.MatchString(d.suite.lineAt(frame))
}

// inTest says whether a failure happens in a function of a test: in what the scenario gives the
// value to call, which may not be made for several goroutines.
func (d *Drivers) inTest(f checker.Failure) bool {
	if len(f.Stacks) == 0 {
		return false
	}
	if f.Kind != evidence.Panic {
		return false
	}
	at := d.innermost(f.Stacks[0])
	return at < 0 || d.program.File(f.Stacks[0].Frames[at].File).Test
}

// waitsInTest says whether a goroutine waits in a function of a test, which the value was given: the
// test goes on where the scenario ends, and would let it go on.
func (d *Drivers) waitsInTest(f checker.Failure) bool {
	return slices.ContainsFunc(f.Stacks, func(s evidence.Stack) bool {
		at := d.innermost(s)
		return at >= 0 && d.program.File(s.Frames[at].File).Test && !strings.Contains(s.Frames[at].Func, "mendelCalls")
	})
}

// ofScenarios finds the functions of the driver files that make the calls.
var ofScenarios = regexp.MustCompile(`mendel(Calls|Scenario)`)

// callWaits says whether one of a scenario's calls does not come to its end, in the program's own code.
func (d *Drivers) callWaits(f checker.Failure) bool {
	return slices.ContainsFunc(f.Stacks, func(s evidence.Stack) bool {
		at := d.innermost(s)
		return at >= 0 && !d.program.File(s.Frames[at].File).Test && ofScenarios.MatchString(s.Frames[len(s.Frames)-1].Func)
	})
}

// concerns says whether a race has to do with what the patch touches: it is about a variable
// that a changed function uses, or one of the accesses is in a function that takes a lock, so
// that it is no variable which is set before it is shared. A patch that has to do with no lock says
// nothing about what others guard: there only what the changed functions themselves use counts.
func (d *Drivers) concerns(f checker.Failure, t Touch, files map[string][]byte) (concerned bool) {
	names := t.names()
	for _, s := range f.Stacks[:min(len(f.Stacks), 2)] {
		at := d.innermost(s)
		switch {
		case at < 0:
			return false
		case d.readsResult(s.Frames[at]):
			continue // what a call has returned is no longer its own
		case d.program.File(s.Frames[at].File).Test:
			return false // it is about what the scenario itself has made
		}
		vs, locks, groups := d.at(s.Frames[at], files)
		if groups {
			return false // the program says itself when others may wait
		}
		if locks && t.locks || slices.ContainsFunc(vs, func(name string) bool { return names[name] }) {
			concerned = true
		}
	}
	return concerned
}

// names are the names of the variables that the patch has to do with.
func (t Touch) names() map[string]bool {
	all := map[string]bool{}
	for v := range t.variables {
		all[v.Name()] = true
	}
	return all
}

// at are the names of the fields and package variables on a line of the patched program,
// whether the function there takes a lock, and whether the line calls a method of a wait group.
func (d *Drivers) at(frame evidence.Frame, files map[string][]byte) (names []string, locks, groups bool) {
	fset, pkgs, err := d.program.Recheck(files)
	if err != nil {
		return nil, false, false // it was built: it does not happen
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if f.Name == frame.File && !f.Test {
				return namesOn(fset, f, frame.Line), locksAround(fset, f, frame.Line), groupsOn(fset, f, frame.Line)
			}
		}
	}
	if f := d.program.File(frame.File); f != nil && !f.Test {
		return namesOn(d.program.Fset, f, frame.Line), locksAround(d.program.Fset, f, frame.Line), groupsOn(d.program.Fset, f, frame.Line)
	}
	return nil, false, false
}

// groupsOn says whether a line of a file calls a method of a wait group.
func groupsOn(fset *token.FileSet, f *analysis.File, line int) bool {
	return syntax.Any(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || fset.Position(call.Pos()).Line != line {
			return false
		}
		fn := syntax.Callee(f.Package.Info, call.Fun)
		return fn != nil && strings.HasPrefix(fn.FullName(), "(*sync.WaitGroup).")
	})
}

// locksAround says whether the function at a line of a file takes a lock itself.
func locksAround(fset *token.FileSet, f *analysis.File, line int) bool {
	for _, d := range f.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if ok && fd.Body != nil && fset.Position(fd.Pos()).Line <= line && line <= fset.Position(fd.End()).Line {
			return (&body{file: f, decl: fd}).steps().locks > 0
		}
	}
	return false
}

// namesOn are the names of fields and package variables on a line of a file.
func namesOn(fset *token.FileSet, f *analysis.File, line int) []string {
	var names []string
	ast.Inspect(f.AST, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || fset.Position(id.Pos()).Line != line {
			return true
		}
		if v, ok := f.Package.Info.Uses[id].(*types.Var); ok && (v.IsField() || isPackageVariable(v)) && !synchronises(v.Type()) {
			names = append(names, v.Name())
		}
		return true
	})
	return names
}
