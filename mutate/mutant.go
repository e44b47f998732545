package mutate

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/mutate/internal/lines"
)

// A Mutant is a set of edits and the source they give.
type Mutant struct {
	Edits []Edit            // in canonical order; composite ones taken apart
	Hash  string            // of the printed source, hex; equal mutants have equal hashes
	Files map[string][]byte // changed files: absolute name to source, formatted
	Flags []Flag            // union of the edits' and those of the combination, sorted

	lines map[string][]int // original line by line less one, of changed files
}

// OriginalLine maps a line of a mutant's file to the line of the original it
// stands for or, for an inserted line, follows. Lines are counted from 1; a
// line inserted above the first follows line 1 for want of another. Files are
// named absolutely.
func (m *Mutant) OriginalLine(file string, line int) int {
	lines := m.lines[file]
	switch {
	case len(lines) == 0 || line < 1:
		return line
	case line > len(lines):
		return lines[len(lines)-1]
	}
	return lines[line-1]
}

// Mutant applies a set of edits to the original source. Order does not
// matter, and a part of a composite edit that another edit of the set repeats
// counts once. No edits give the original program. The error is a *Refusal when
// the edits conflict, would lock a lock that is already held, change nothing,
// or give a program that does not type-check.
func (s *Space) Mutant(ctx context.Context, edits []Edit) (*Mutant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Mutant{Edits: s.canonical(flatten(edits)), Files: map[string][]byte{}, lines: map[string][]int{}}
	m, err := s.apply(newMutation(s), out.Edits)
	if err != nil {
		return nil, err
	}
	if !s.guarded(blamed(out.Edits), func() { err = s.finish(out, m) }) {
		return nil, s.refuseSet(out.Edits, "what the operators made cannot be printed")
	}
	if err != nil {
		return nil, err
	}
	if len(out.Files) == 0 && len(edits) > 0 {
		return nil, s.refuseSet(out.Edits, "changes nothing")
	}
	if err := ctx.Err(); err != nil { // to type-check takes longest
		return nil, err
	}
	if err := s.check(ctx, out); err != nil {
		return nil, err
	}
	out.Hash = s.hash(out.Files)
	return out, nil
}

// finish prints a mutant.
func (s *Space) finish(out *Mutant, m *Mutation) (err error) {
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		f := m.files[name]
		src, err := f.Print()
		if err != nil {
			return s.refuseSet(out.Edits, "%s: %v", name, err)
		}
		if original := f.Original.File; !bytes.Equal(src, original.Source) {
			out.Files[original.Name] = src
			out.lines[original.Name] = lines.Originals(original.Source, src)
		}
	}
	return nil
}

// apply makes the edits on fresh clones of the trees they touch.
func (s *Space) apply(m *Mutation, edits []Edit) (*Mutation, error) {
	for i, e := range edits {
		if s.byName[e.Operator] == nil {
			return nil, Refuse(e, "there is no operator %q", e.Operator)
		}
		if i > 0 && e.Key() == edits[i-1].Key() {
			return nil, Refuse(e, "the edit is in the set twice")
		}
		if err := m.Declare(e); err != nil {
			return nil, asRefusal(e, err)
		}
	}
	for _, e := range edits {
		if err := s.applyOne(m, e); err != nil {
			return nil, asRefusal(e, err)
		}
	}
	if err := m.keepsTests(); err != nil {
		return nil, s.refuseSet(edits, "%v", err)
	}
	return m, nil
}

// applyOne makes one edit.
func (s *Space) applyOne(m *Mutation, e Edit) (err error) {
	if !s.guarded(Panic{Operator: e.Operator, Doing: "Apply", File: e.File, Func: e.Func}, func() { err = s.byName[e.Operator].Apply(m, e) }) {
		return Refuse(e, "the operator panicked")
	}
	return err
}

// asRefusal makes what hindered an edit its refusal.
func asRefusal(e Edit, err error) error {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return Refuse(e, "%v", err)
}

// check refuses a mutant that does not type-check, or that may lock a lock
// where it is held, and flags others: the printed source is judged by the model that
// judges the original.
func (s *Space) check(ctx context.Context, m *Mutant) error {
	if len(m.Files) == 0 {
		return nil
	}
	fset, pkgs, err := s.program.Recheck(m.Files)
	var wrong *gotool.BuildError
	if errors.As(err, &wrong) {
		return s.refuseSet(m.Edits, "does not type-check: %v", err)
	}
	if err != nil {
		return fmt.Errorf("type-checking a mutant: %w", err)
	}
	now := s.model.With(fset, pkgs)
	relocks, err := now.NewRelocks(ctx)
	if err != nil {
		return fmt.Errorf("look for locks that a mutant takes twice: %w", err)
	}
	if len(relocks) > 0 {
		return s.refuseSet(m.Edits, "%s is locked where it is held already; Go mutexes are not re-entrant", relocks[0].Lock.Expr)
	}
	m.Flags, err = s.flags(ctx, m, now)
	return err
}

// refuseSet is the refusal of a set: its only edit's, or that of all together.
func (s *Space) refuseSet(edits []Edit, format string, args ...any) error {
	if len(edits) == 1 {
		return Refuse(edits[0], format, args...)
	}
	return Refuse(Edit{}, format, args...)
}

// canonical sorts a set of edits: sections are edited before locks are added,
// and around each other outer statements come before inner ones.
func (s *Space) canonical(edits []Edit) []Edit {
	adds := func(e Edit) int {
		if op := s.byName[e.Operator]; op != nil && op.Adds {
			return 1
		}
		return 0
	}
	out := slices.Clone(edits)
	slices.SortStableFunc(out, func(a, b Edit) int {
		return cmp.Or(
			cmp.Compare(adds(a), adds(b)),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Node, b.Node),
			cmp.Compare(b.Count, a.Count),
			compareEdits(a, b),
		)
	})
	return out
}

// hash identifies the program with some files replaced.
func (s *Space) hash(files map[string][]byte) string {
	h := sha256.New()
	io.WriteString(h, s.original)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n", s.program.File(name).Rel, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// GivenOperator is the operator of edits that somebody else has made. No operator of a
// [Space] has the name.
const GivenOperator = "given"

// Given is a mutant that no operator has made: some files of a program with other
// contents. Its edits name the declarations that are changed, and no space applies
// them. What does not compile is a *gotool.BuildError; a file that is none of the
// program's is an error, too.
func Given(p *analysis.Program, files map[string][]byte) (*Mutant, error) {
	if _, _, err := p.Recheck(files); err != nil {
		return nil, err
	}
	m := &Mutant{Files: files, lines: map[string][]int{}}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := p.File(name)
		m.lines[name] = lines.Originals(f.Source, files[name])
		m.Edits = append(m.Edits, givenEdits(p, f, files[name])...)
		fmt.Fprintf(h, "%s %d\n", f.Rel, len(files[name]))
		h.Write(files[name])
	}
	m.Hash = hex.EncodeToString(h.Sum(nil))
	return m, nil
}

// givenEdits are an edit for each declaration of a file that is changed, at its first
// changed line.
func givenEdits(p *analysis.Program, f *analysis.File, after []byte) []Edit {
	var edits []Edit
	for _, change := range lines.Changed(f.Source, after) {
		first, behind := change[0], change[1]
		e := Edit{Operator: GivenOperator, File: f.Rel, Line: max(first, 1), Heat: 1}
		if behind > first {
			e.Line = first + 1
		}
		e.Func = declarationAt(p, f, e.Line)
		if !slices.ContainsFunc(edits, func(o Edit) bool { return o.Func == e.Func }) {
			edits = append(edits, e)
		}
	}
	return edits
}

// declarationAt names the function that a line is in, "(*Account).Transfer"; "" if it
// is in none.
func declarationAt(p *analysis.Program, f *analysis.File, line int) string {
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || line < p.Fset.Position(fn.Pos()).Line || line > p.Fset.Position(fn.End()).Line {
			continue
		}
		if fn.Recv == nil || len(fn.Recv.List) == 0 {
			return fn.Name.Name
		}
		return "(" + types.ExprString(fn.Recv.List[0].Type) + ")." + fn.Name.Name
	}
	return ""
}
