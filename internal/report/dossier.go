package report

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/mutate"
	"mendel/validate"
)

// Fix is what a dossier holds of a story's fix, but for its replays.
func Fix(s Story) dossier.Fix {
	f := s.Fix
	changes := Changes(s.Program, f.Mutant)
	out := dossier.Fix{
		Title: s.subject(), Message: Message(s), Diff: string(Patch(changes, "")),
		Score: f.Score.Score, ChangedLines: f.Changed.Total(), Evidence: s.evidenceRecord(),
		Files: []dossier.File{}, Edits: []dossier.Edit{},
		Incomplete: slices.Clone(f.Incomplete),
	}
	if len(s.PatchFiles) > 0 {
		out.Patch = s.PatchFiles[0]
	}
	for _, c := range changes {
		out.Files = append(out.Files, dossier.File{Path: c.Path, Before: string(c.Before), After: string(c.After)})
	}
	for _, e := range f.Mutant.Edits {
		out.Edits = append(out.Edits, s.edit(e))
	}
	for _, flag := range f.Flags {
		out.Flags = append(out.Flags, dossier.Flag{Name: string(flag), Words: FlagWords(flag)})
	}
	return out
}

// edit is an edit with the places of failures that it concerns.
func (s Story) edit(e mutate.Edit) dossier.Edit {
	out := dossier.Edit{
		Operator: e.Operator, File: e.File, Line: e.Line, Func: e.Func, Vars: slices.Clone(e.Vars),
		Note: oneLine(e.Note), Words: oneLine(editWords(e)),
	}
	if e.Lock != nil {
		out.Lock = e.Lock.Expr
	}
	for _, f := range s.Failures {
		for _, p := range Places(s.Program, f) {
			if concerns(s.Program, e, p) && !slices.Contains(out.Conflicts, p) {
				out.Conflicts = append(out.Conflicts, p)
			}
		}
	}
	return out
}

// evidenceRecord is the evidence as a dossier has it, in figures and words.
func (s Story) evidenceRecord() dossier.Evidence {
	f := s.Fix
	e := dossier.Evidence{
		FailedBefore: f.Before.Runs - f.Before.Passes, RunsBefore: f.Before.Runs,
		RunsAfter: f.Confirmed.Runs, FirstSeed: f.Confirmed.FirstSeed, Race: f.Race,
		Vet: f.Vet.Verdict == validate.Passed, OtherTests: TestWords(f.Tests), Limits: s.limits(),
		Verdict: string(f.Checked.Verdict), Bound: f.Checked.Bound, Fair: f.Checked.Fair,
		Schedules: f.Checked.Schedules, Followed: f.Checked.Followed, Check: judgedWords(f),
		Delayed: slices.Sorted(maps.Keys(f.Confirmed.Delayed)),
	}
	if f.Cost.Pairs > 0 {
		e.Time, e.Switches = f.Cost.Time, f.Cost.Switches
		e.TimeInterval, e.SwitchesInterval = dossier.Interval(f.Cost.TimeInterval), dossier.Interval(f.Cost.SwitchesInterval)
	}
	if p := f.Parallel; p.Rounds > 0 && p.Before > 0 {
		e.Parallelism = p.After / p.Before
	}
	return e
}

// Places are the positions of a failure worth showing: of each of its stacks
// the innermost in the module or, failing that, outside the runtime.
func Places(p *analysis.Program, f evidence.Failure) []dossier.Place {
	var out []dossier.Place
	s := &sources{read: func(name string) []byte {
		if file := p.File(name); file != nil {
			return file.Source
		}
		return nil
	}}
	for _, stack := range f.Stacks {
		frame, ok := mainFrame(p, stack.Frames)
		if !ok {
			continue
		}
		place := dossier.Place{
			What: strings.TrimPrefix(stack.Role, "previous "), Func: oneLine(evidence.ShortFunc(frame.Func)),
			File: relative(p, frame.File), Line: frame.Line, Text: s.line(frame.File, frame.Line),
		}
		if !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}

// concerns reports whether an edit has to do with a place of a failure: it is in
// the function of the place, or on a variable or lock that the line names.
func concerns(p *analysis.Program, e mutate.Edit, at dossier.Place) bool {
	file := p.File(at.File)
	if file == nil {
		return false
	}
	if e.File == at.File {
		edited := function(p.Fset, file.AST, e.Line)
		if edited != nil && edited == function(p.Fset, file.AST, at.Line) {
			return true
		}
	}
	named := map[string]bool{}
	for _, v := range e.Vars {
		named[methodOf(v)] = true
	}
	if e.Lock != nil && e.Lock.New == nil {
		named[methodOf(e.Lock.Expr)] = true
	}
	return names(p.Fset, file.AST, at.Line, named)
}

// function is the declaration of the function that a line is in, nil if it is in none.
func function(fset *token.FileSet, file *ast.File, line int) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && fset.Position(f.Pos()).Line <= line && line <= fset.Position(f.End()).Line {
			return f
		}
	}
	return nil
}

// names reports whether one of some identifiers is on a line.
func names(fset *token.FileSet, file *ast.File, line int, wanted map[string]bool) bool {
	found := false
	ast.Inspect(file, func(node ast.Node) bool {
		id, ok := node.(*ast.Ident)
		found = found || ok && wanted[id.Name] && fset.Position(id.Pos()).Line == line
		return !found
	})
	return found
}
