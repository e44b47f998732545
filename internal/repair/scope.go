package repair

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/operators"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/internal/store"
	"mendel/mutate"
)

// A scope is what a repair is narrowed to: what is used concurrently, and the
// edits there. It grows while failures of mutants name more.
type scope struct {
	narrowing *analysis.Narrowing
	space     *mutate.Space
	narrowed  result.Narrowed // when the search began
}

// narrow merges what the baseline showed and enumerates the edits.
func (env *environment) narrow(ctx context.Context, n *analysis.Narrowing, base *original.Baseline) (*scope, error) {
	env.Progress.Phase("narrow", "narrowing")
	base.MergeInto(n)
	if !env.Search.NoRanking {
		n.Suspect(base.RankedPlaces()...)
	}
	n.Associate()
	options := []mutate.Option{mutate.Within(ctx), mutate.OnPanic(func(f mutate.Panic) { env.Progress.Printf("%s; the repair goes on without it there", f) })}
	if env.IncludeTests {
		options = append(options, mutate.IncludeTests)
	}
	operators, err := operatorsWithout(env.Without)
	if err != nil {
		return nil, err
	}
	if env.known.patch != nil {
		operators = nil // nothing is searched
	}
	space, err := mutate.NewSpace(env.Program, n, operators, options...)
	if err != nil {
		return nil, fmt.Errorf("enumerate edits: %w", err)
	}
	if len(operators) > 0 && len(space.Edits()) == 0 {
		// A test that makes calls one after the other shows nothing to be used concurrently.
		wide := analysis.NarrowTo(env.Program, func(analysis.FindingKind, string) bool { return true })
		base.MergeInto(wide)
		wide.Associate()
		if wider, err := mutate.NewSpace(env.Program, wide, operators, options...); err != nil {
			return nil, fmt.Errorf("enumerate edits: %w", err)
		} else if len(wider.Edits()) > 0 {
			env.Progress.Note("the tests show nothing to be used concurrently that can be edited: all of the package is searched")
			n, space = wide, wider
		}
	}
	s := &scope{narrowing: n, space: space}
	s.narrowed = s.count()
	env.saveFindings(n)
	if env.Progress.Verbose {
		s.print(env.Progress)
	}
	return s, nil
}

// operatorsWithout are those that a repair uses. The error names one to leave out that
// there is not.
func operatorsWithout(names []string) ([]*mutate.Operator, error) {
	all := operators.All()
	for _, name := range names {
		i := slices.IndexFunc(all, func(o *mutate.Operator) bool { return o.Name == name })
		switch now := operators.Now(name); {
		case i < 0 && now != name:
			return nil, fmt.Errorf("leave out operator %q: it is a form of %s now", name, now)
		case i < 0:
			return nil, fmt.Errorf("leave out operator %q: there is none", name)
		}
		all = slices.Delete(all, i, i+1)
	}
	return all, nil
}

// count is what the search was narrowed to.
func (s *scope) count() result.Narrowed {
	types, functions, variables := s.narrowing.Findings()
	return result.Narrowed{
		Before: s.narrowing.Before, Edits: len(s.space.Edits()),
		Types: len(types), Functions: len(functions), Variables: len(variables),
	}
}

func (s *scope) print(p *setup.Progress) {
	var table bytes.Buffer
	s.narrowing.Table(&table)
	for line := range strings.Lines(table.String()) {
		p.Printf("%s", strings.TrimRight(line, "\n"))
	}
	if left := s.space.Left(); left > 0 {
		p.Printf("%d edits; those of %d functions far from the failures are left for later", len(s.space.Edits()), left)
		return
	}
	p.Printf("%d edits", len(s.space.Edits()))
}

// originalLines moves the positions of a mutant's failure to the original source.
func originalLines(m *mutate.Mutant, f evidence.Failure) evidence.Failure {
	move := func(frames []evidence.Frame) []evidence.Frame {
		moved := make([]evidence.Frame, len(frames))
		for i, frame := range frames {
			if _, changed := m.Files[frame.File]; changed {
				frame.Line = m.OriginalLine(frame.File, frame.Line)
			}
			moved[i] = frame
		}
		return moved
	}
	stacks := make([]evidence.Stack, len(f.Stacks))
	for i, s := range f.Stacks {
		s.Frames, s.Created = move(s.Frames), move(s.Created)
		stacks[i] = s
	}
	f.Stacks = stacks
	return f
}

// saveFindings enters what is used concurrently.
func (env *environment) saveFindings(n *analysis.Narrowing) {
	if env.Journal == nil {
		return
	}
	var all []store.Finding
	types, functions, variables := n.Findings()
	for _, list := range [][]analysis.Finding{types, functions, variables} {
		for _, f := range list {
			var reasons []string
			for _, why := range f.Reasons {
				reasons = append(reasons, fmt.Sprintf("%s: %s", why.Source, why.Detail))
			}
			file := f.Pos.Filename
			if known := env.Program.File(file); known != nil {
				file = known.Rel
			}
			all = append(all, store.Finding{
				Kind: string(f.Kind), Name: f.Name, Place: fmt.Sprintf("%s:%d", file, f.Pos.Line), Reasons: strings.Join(reasons, "\n"),
			})
		}
	}
	env.Journal.SaveFindings(all)
}
