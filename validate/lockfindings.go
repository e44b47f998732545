package validate

import (
	"errors"
	"fmt"
	"go/token"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/validate/halves"
)

// findingFlags are the flags that the model of locks gives a fix.
var findingFlags = map[locks.FindingKind]mutate.Flag{
	locks.LeftOut: mutate.IncompleteGuard, locks.Unguarded: mutate.DropsGuard, locks.WrongLock: mutate.WrongLock,
	locks.SplitSection: mutate.SplitSection, locks.HeldLonger: mutate.HeldThrough, locks.HeldMaybe: mutate.Blocks, locks.ToldLate: mutate.OutOfOrder, locks.RingLeft: mutate.LockCircle,
	locks.WokenOne: mutate.LostWakeup, locks.NotWoken: mutate.LostWakeup, locks.Remade: mutate.Remakes, locks.RelockLeft: mutate.Relocks, locks.ReadEarly: mutate.ReadsEarly, locks.WaitsOn: mutate.LeftElsewhere,
	locks.SplitLeft: mutate.LeftElsewhere, locks.PauseLeft: mutate.LeftElsewhere,
}

// addLocks adds to the flags of a fix, and to its quality, what the model of locks finds
// wrong with it beside the original.
func (j *job) addLocks(q *Quality, flags []mutate.Flag) ([]mutate.Flag, error) {
	if given(j.mutant) {
		return j.addFindings(j.mutant, q, flags)
	}
	var but []locks.FindingKind
	if slices.Contains(flags, mutate.IncompleteGuard) {
		but = append(but, locks.LeftOut) // it is named already
	}
	flags, err := j.addFindings(j.mutant, q, flags, but...)
	if err != nil {
		return flags, err
	}
	splits, err := j.splits(j.mutant)
	for _, s := range splits {
		if !slices.Contains(q.Split, s) {
			q.Split = append(q.Split, s)
		}
	}
	if len(splits) > 0 && !slices.Contains(flags, mutate.SplitSection) {
		flags = append(flags, mutate.SplitSection)
	}
	return flags, err
}

// addFindings adds all that the model finds in a patch, but for some kinds.
func (v *Validator) addFindings(m *mutate.Mutant, q *Quality, flags []mutate.Flag, but ...locks.FindingKind) ([]mutate.Flag, error) {
	fset, pkgs, err := v.retyped(m)
	if err != nil || pkgs == nil {
		return flags, err
	}
	for _, f := range locks.Changes(v.o.Program, fset, pkgs) {
		if slices.Contains(but, f.Kind) {
			continue
		}
		if flag := findingFlags[f.Kind]; !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
		switch f.Kind {
		case locks.LeftOut, locks.Unguarded, locks.WrongLock:
			q.Unguarded = append(q.Unguarded, findingWords(f))
		case locks.SplitSection:
			q.Split = append(q.Split, findingWords(f))
		default:
			q.Locks = append(q.Locks, findingWords(f))
		}
	}
	find := halves.Certain
	if given(m) {
		find = halves.Find
	}
	return addHalves(q, flags, find(v.o.Program, fset, pkgs)), nil
}

// addHalves adds what a patch leaves elsewhere.
func addHalves(q *Quality, flags []mutate.Flag, found []halves.Finding) []mutate.Flag {
	for _, f := range found {
		q.Locks = append(q.Locks, fmt.Sprintf("%s in %s (%s:%d)", f.What, f.Func, f.File, f.Line))
	}
	if len(found) > 0 && !slices.Contains(flags, mutate.LeftElsewhere) {
		flags = append(flags, mutate.LeftElsewhere)
	}
	return flags
}

// findingWords are a finding in words; lines are those of the patched file.
func findingWords(f locks.Finding) string {
	return fmt.Sprintf("%s in %s (%s:%d)", f.What, f.Func, f.File, f.Line)
}

// splits lists in words what a mutant splits and the original does not, and what stays
// split although the mutant changes it.
func (v *Validator) splits(m *mutate.Mutant) ([]string, error) {
	v.rules.Lock()
	defer v.rules.Unlock()
	if words, known := v.split[m.Hash]; known {
		return words, nil
	}
	fset, pkgs, err := v.retyped(m)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, f := range v.model().NewSplits(v.o.Program, fset, pkgs) {
		words = append(words, findingWords(f))
	}
	if v.split == nil {
		v.split = map[string][]string{}
	}
	v.split[m.Hash] = words
	return words, nil
}

// retyped are the packages that a mutant changes; none if it does not build.
func (v *Validator) retyped(m *mutate.Mutant) (*token.FileSet, []*analysis.Package, error) {
	fset, pkgs, err := v.o.Program.Recheck(m.Files)
	var wrong *gotool.BuildError
	if errors.As(err, &wrong) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("comparing the locks of a mutant with the original: %w", err)
	}
	return fset, pkgs, nil
}

// leftKinds are the findings about places that a change leaves as they are, although it mends others
// like them.
var leftKinds = []locks.FindingKind{locks.LeftOut, locks.RelockLeft, locks.RingLeft, locks.WokenOne, locks.NotWoken, locks.WaitsOn, locks.SplitLeft, locks.PauseLeft}

// A Place is one of the original at which a mutant leaves what it mends at others.
type Place struct {
	File string // absolute
	Line int
	What string // the sentence, with the function
}

// String is what is left there.
func (p Place) String() string { return p.What }

// Left are the places that a mutant leaves as they are, although it mends others like them, as far as
// the source shows that: uses of a variable without the lock that it puts around others, and what the model
// of locks, or package halves, sees.
func (v *Validator) Left(m *mutate.Mutant) ([]Place, error) {
	fset, pkgs, err := v.retyped(m)
	if err != nil || pkgs == nil {
		return nil, err
	}
	var left []Place
	add := func(file string, line int, fn, what string) {
		f := v.o.Program.File(file)
		if f == nil {
			return
		}
		if _, changed := m.Files[f.Name]; changed {
			line = m.OriginalLine(f.Name, line)
		}
		left = append(left, Place{f.Name, line, fmt.Sprintf("%s in %s", what, fn)})
	}
	for _, f := range locks.Changes(v.o.Program, fset, pkgs) {
		if slices.Contains(leftKinds, f.Kind) {
			add(f.File, f.Line, f.Func, f.What)
		}
	}
	for _, f := range halves.Certain(v.o.Program, fset, pkgs) {
		add(f.File, f.Line, f.Func, f.What)
	}
	gaps, err := v.openGaps(m)
	for _, gap := range gaps {
		f := v.o.Program.File(gap.File)
		if f != nil && !slices.ContainsFunc(left, func(p Place) bool { return p.File == f.Name && p.Line == gap.Line }) {
			left = append(left, Place{f.Name, gap.Line, gap.String()})
		}
	}
	return left, err
}

// openGaps are the uses of variables without the lock that a mutant puts around others of them, in
// functions that could take it.
func (v *Validator) openGaps(m *mutate.Mutant) (open []mutate.Gap, err error) {
	if v.o.Narrowing == nil {
		return nil, nil
	}
	g, demands, err := v.demandsOf(m.Edits)
	if err != nil || g == nil {
		return nil, err
	}
	for _, d := range demands {
		if !d.met(g) || d.rivalled(g) {
			continue
		}
		for _, gap := range g.Gaps(d.key, d.vars...) {
			if !gap.Apart {
				open = append(open, gap)
			}
		}
	}
	return open, nil
}
