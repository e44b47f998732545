package scenario

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
)

// An Objection is what a scenario shows against a patch.
type Objection struct {
	Scenario *Scenario
	Failure  checker.Failure
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
	all := maps.Clone(files)
	for name, text := range d.suite.files() { // with the outcomes
		all[name] = text
	}
	b, err := d.checker.Build(ctx, all)
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	defer b.Close()
	byTest := map[string]*Scenario{}
	for _, x := range d.scenarios {
		byTest[x.Name] = x
		for order := 1; order <= 2; order++ {
			byTest[x.ordered(order)] = x
		}
	}
	side, inOrder := d.tests()
	var found []checker.Failure
	for _, s := range []checker.Search{
		{Budget: budget / 5, Schedules: orderedSchedules, Tests: inOrder, All: true, Single: true},
		{Budget: budget, Tests: side, All: true, PastRaces: true, Single: true},
	} {
		r, err := b.Check(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("scenarios: %w", err)
		}
		found = append(found, r.Failures...)
	}
	touch := Touched(d.program, files)
	var objections []Objection
	for _, f := range found {
		x := byTest[f.Test]
		if x != nil && d.counts(x, f, touch, files) {
			objections = append(objections, Objection{x, f})
		}
	}
	return objections, nil
}

// tests are the names of the scenarios' tests: side by side, and one after the other.
func (d *Drivers) tests() (side, inOrder []string) {
	for _, x := range d.scenarios {
		side = append(side, x.Name)
		inOrder = append(inOrder, x.ordered(1), x.ordered(2))
	}
	return side, inOrder
}

// counts says whether a failure of a scenario speaks against the patch.
func (d *Drivers) counts(x *Scenario, f checker.Failure, t Touch, files map[string][]byte) bool {
	o := d.plain[x.Name]
	isOrdered := f.Test != x.Name
	switch f.Kind {
	case evidence.Race:
		return len(o.races) == 0 && d.concerns(f, t, files)
	case evidence.Panic, evidence.Deadlock, evidence.Blocked:
		return !o.kinds[evidence.Panic] && !o.kinds[evidence.Deadlock] && !o.kinds[evidence.Blocked] && len(f.TimeOuts) == 0
	case evidence.TestFailure:
		return !isOrdered && len(o.outcomes) == 2 && strings.Contains(f.Message+f.Log, "in no order one after the other")
	}
	return false
}

// concerns says whether a race has to do with what the patch touches: it is about a variable
// that a changed function uses, or one of the accesses is in a function that takes a lock, so
// that it is no variable which is set before it is shared.
func (d *Drivers) concerns(f checker.Failure, t Touch, files map[string][]byte) (concerned bool) {
	names := t.names()
	for _, s := range f.Stacks[:min(len(f.Stacks), 2)] {
		at := slices.IndexFunc(s.Frames, func(f evidence.Frame) bool { return d.program.File(f.File) != nil })
		if at < 0 || d.program.File(s.Frames[at].File).Test {
			return false // it is about what the scenario itself has made
		}
		vs, locks := d.at(s.Frames[at], files)
		if locks || slices.ContainsFunc(vs, func(name string) bool { return names[name] }) {
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

// at are the names of the fields and package variables on a line of the patched program, and
// whether the function there takes a lock.
func (d *Drivers) at(frame evidence.Frame, files map[string][]byte) (names []string, locks bool) {
	fset, pkgs, err := d.program.Recheck(files)
	if err != nil {
		return nil, false // it was built: it does not happen
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if f.Name == frame.File && !f.Test {
				return namesOn(fset, f, frame.Line), locksAround(fset, f, frame.Line)
			}
		}
	}
	if f := d.program.File(frame.File); f != nil && !f.Test {
		return namesOn(d.program.Fset, f, frame.Line), locksAround(d.program.Fset, f, frame.Line)
	}
	return nil, false
}

// locksAround says whether the function at a line of a file takes a lock itself.
func locksAround(fset *token.FileSet, f *analysis.File, line int) bool {
	for _, d := range f.AST.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if ok && fd.Body != nil && fset.Position(fd.Pos()).Line <= line && line <= fset.Position(fd.End()).Line {
			return (&body{f, fd}).steps().locks > 0
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
