package rules

import (
	"fmt"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/changes"
	"mendel/mutate"
	"mendel/validate/halves"
)

// A Finding is a reason for a flag that the sources alone show.
type Finding struct {
	Flag  mutate.Flag
	Kind  changes.Kind // "": package halves has found it
	About Subject
	Text  string // a sentence, with the place in the changed file
}

// A Subject is what a finding is about.
type Subject int

// Subjects, in the order in which they are told.
const (
	Guarding  Subject = iota // uses of variables without the lock that guards them
	Splitting                // sections in two that belong together
	Locking                  // what else is wrong with locks, and what is left elsewhere
)

// Findings are what the model of locks, and package halves, find wrong with a change. Of what
// nobody has made by hand that is less: see [halves.Certain].
func (c *Change) Findings() (found []Finding) {
	for _, f := range changes.Find(c.Program, c.Fset, c.Packages) {
		flag := flagFor(f.Kind)
		found = append(found, Finding{flag, f.Kind, subjectOf(flag), sentence(f.What, f.Func, f.File, f.Line)})
	}
	find := halves.Certain
	if c.Given {
		find = halves.Find
	}
	for _, f := range find(c.Program, c.Fset, c.Packages) {
		found = append(found, Finding{f.Flag, "", Locking, sentence(f.What, f.Func, f.File, f.Line)})
	}
	return found
}

func sentence(what, fn, file string, line int) string {
	return fmt.Sprintf("%s in %s (%s:%d)", what, fn, file, line)
}

// Splits are in words the sections that the change splits, and those that stay split although it changes
// them, by the model of locks of the program before it.
func (c *Change) Splits(before *locks.Model) (words []string) {
	for _, f := range changes.Splits(before, c.Program, c.Fset, c.Packages) {
		words = append(words, sentence(f.What, f.Func, f.File, f.Line))
	}
	return words
}

// subjectOf is what a flag that the model of locks gives is about.
func subjectOf(f mutate.Flag) Subject {
	switch f {
	case mutate.IncompleteGuard, mutate.DropsGuard, mutate.WrongLock:
		return Guarding
	case mutate.SplitSection:
		return Splitting
	}
	return Locking
}

// An Objection is what the sources alone say against a patch that somebody has made: a rule
// that it breaks, or the flags that it gets. Nothing is built or run for it.
type Objection struct {
	Breach *Breach       // nil: it breaks no rule that the sources decide
	Flags  []mutate.Flag // sorted
	Why    []string      // a sentence for each reason, with the place
}

// Refused says whether the patch is no fix: a rule speaks against it, or it is a workaround.
func (o Objection) Refused() bool { return o.Breach != nil || len(Workaround(o.Flags)) > 0 }

// Object is what speaks against a patch, as [mutate.Given] makes it.
func Object(p *analysis.Program, m *mutate.Mutant) (Objection, error) {
	c, err := Of(p, m)
	if err != nil || c == nil {
		return Objection{}, err
	}
	o := Objection{Breach: c.Breach()}
	if o.Breach != nil {
		o.Why = append(o.Why, o.Breach.String())
	}
	found := c.Findings()
	slices.SortStableFunc(found, func(a, b Finding) int { return int(a.About - b.About) })
	for _, f := range found {
		o.Flags, o.Why = append(o.Flags, f.Flag), append(o.Why, f.Text)
	}
	slices.Sort(o.Flags)
	o.Flags = slices.Compact(o.Flags)
	return o, nil
}
