package validate

import (
	"fmt"
	"slices"

	"mendel/analysis/locks/changes"
	"mendel/analysis/locks/guards"
	"mendel/mutate"
	"mendel/validate/halves"
	"mendel/validate/rules"
)

// addLocks adds to the flags of a fix, and to its quality, what the model of locks finds
// wrong with it beside the original.
func (j *job) addLocks(q *Quality, flags []mutate.Flag) ([]mutate.Flag, error) {
	if rules.Given(j.mutant) {
		return j.addFindings(j.mutant, q, flags)
	}
	var but []changes.Kind
	if slices.Contains(flags, mutate.IncompleteGuard) {
		but = append(but, changes.LeftOut) // it is named already
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

// addFindings adds all that the sources show of a patch, but for what the model of locks finds of some
// kinds.
func (v *Validator) addFindings(m *mutate.Mutant, q *Quality, flags []mutate.Flag, but ...changes.Kind) ([]mutate.Flag, error) {
	c, err := rules.Of(v.o.Program, m)
	if err != nil || c == nil {
		return flags, err
	}
	for _, f := range c.Findings() {
		if slices.Contains(but, f.Kind) {
			continue
		}
		if !slices.Contains(flags, f.Flag) {
			flags = append(flags, f.Flag)
		}
		switch f.About {
		case rules.Guarding:
			q.Unguarded = append(q.Unguarded, f.Text)
		case rules.Splitting:
			q.Split = append(q.Split, f.Text)
		default:
			q.Locks = append(q.Locks, f.Text)
		}
	}
	return flags, nil
}

// splits lists in words what a mutant splits and the original does not, and what stays
// split although the mutant changes it.
func (v *Validator) splits(m *mutate.Mutant) ([]string, error) {
	v.rules.Lock()
	defer v.rules.Unlock()
	if words, known := v.split[m.Hash]; known {
		return words, nil
	}
	c, err := rules.Of(v.o.Program, m)
	if err != nil {
		return nil, err
	}
	var words []string
	if c != nil {
		words = c.Splits(v.model())
	}
	if v.split == nil {
		v.split = map[string][]string{}
	}
	v.split[m.Hash] = words
	return words, nil
}

// leftKinds are the findings about places that a change leaves as they are, although it mends others
// like them.
var leftKinds = []changes.Kind{changes.LeftOut, changes.RelockLeft, changes.RingLeft, changes.WokenOne, changes.NotWoken, changes.WaitsOn, changes.SplitLeft, changes.PauseLeft}

// A Place is one of the original at which a mutant leaves what it mends at others.
type Place struct {
	File string // absolute
	Line int
	What string // the sentence, with the function

	Unguarded bool // a use of a variable without its lock, which only a lock mends
}

// String is what is left there.
func (p Place) String() string { return p.What }

// Left are the places that a mutant leaves as they are, although it mends others like them, as far as
// the source shows that: uses of a variable without the lock that it puts around others, and what the model
// of locks, or package halves, sees.
func (v *Validator) Left(m *mutate.Mutant) ([]Place, error) {
	c, err := rules.Of(v.o.Program, m)
	if err != nil || c == nil {
		return nil, err
	}
	var left []Place
	add := func(file string, line int, fn, what string, unguarded bool) {
		f := v.o.Program.File(file)
		if f == nil {
			return
		}
		if _, changed := m.Files[f.Name]; changed {
			line = m.OriginalLine(f.Name, line)
		}
		left = append(left, Place{f.Name, line, fmt.Sprintf("%s in %s", what, fn), unguarded})
	}
	for _, f := range changes.Find(c.Program, c.Fset, c.Packages) {
		if slices.Contains(leftKinds, f.Kind) {
			add(f.File, f.Line, f.Func, f.What, f.Kind == changes.LeftOut)
		}
	}
	for _, f := range halves.Certain(c.Program, c.Fset, c.Packages) {
		add(f.File, f.Line, f.Func, f.What, false)
	}
	gaps, err := v.openGaps(m)
	for _, gap := range gaps {
		f := v.o.Program.File(gap.File)
		if f != nil && !slices.ContainsFunc(left, func(p Place) bool { return p.File == f.Name && p.Line == gap.Line }) {
			left = append(left, Place{f.Name, gap.Line, gap.String(), true})
		}
	}
	return left, err
}

// newObjection is what the source shows against a mutant and not against the present one, so that it would be a workaround; "":
// nothing.
func (j *job) newObjection(m *mutate.Mutant) (string, error) {
	had := make(map[mutate.Flag]int)
	count := func(m *mutate.Mutant, each func(f rules.Finding)) error {
		c, err := rules.Of(j.o.Program, m)
		if err != nil || c == nil {
			return err
		}
		for _, f := range c.Findings() {
			if rules.FlagOf(f.Flag).Workaround {
				each(f)
			}
		}
		return nil
	}
	if err := count(j.mutant, func(f rules.Finding) { had[f.Flag]++ }); err != nil {
		return "", err
	}
	against := ""
	err := count(m, func(f rules.Finding) {
		if had[f.Flag]--; had[f.Flag] < 0 && against == "" {
			against = f.Text
		}
	})
	return against, err
}

// OwnFaults counts what the source shows to be wrong with what a mutant does itself, so that it is a workaround wherever
// else it is extended to.
func (v *Validator) OwnFaults(m *mutate.Mutant) (n int, err error) {
	c, err := rules.Of(v.o.Program, m)
	if err != nil || c == nil {
		return 0, err
	}
	for _, f := range c.Findings() {
		if flag := rules.FlagOf(f.Flag); flag.Workaround && !flag.Elsewhere {
			n++
		}
	}
	return n, nil
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

// guards are the guards of the original's variables, found once.
func (v *Validator) guards() []guards.Guard {
	v.rules.Lock()
	defer v.rules.Unlock()
	if v.guarded == nil {
		v.guarded = append([]guards.Guard{}, guards.All(v.model())...)
	}
	return v.guarded
}

// secondGuards are those of the original's guards beside which edits put new locks.
func (v *Validator) secondGuards(edits []mutate.Edit) []string {
	if v.o.Program == nil {
		return nil
	}
	return rules.SecondGuards(v.guards, edits)
}
