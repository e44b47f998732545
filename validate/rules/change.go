package rules

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// A Change is a program before and after files of it have changed. Its methods are not safe for
// concurrent use.
type Change struct {
	Program  *analysis.Program   // before
	Fset     *token.FileSet      // of Packages
	Packages []*analysis.Package // those that have changed, as they are after it
	Given    bool                // somebody has made it by hand: people rewrite more than edits do

	mutant  *mutate.Mutant
	sources *sources // nil: not asked for yet
}

// Of is what a mutant changes, or a patch that somebody has made ([mutate.Given]); nil if it does
// not build.
func Of(p *analysis.Program, m *mutate.Mutant) (*Change, error) {
	fset, pkgs, err := p.Recheck(m.Files)
	var wrong *gotool.BuildError
	if errors.As(err, &wrong) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("comparing a mutant with the original: %w", err)
	}
	return &Change{Program: p, Fset: fset, Packages: pkgs, Given: Given(m), mutant: m}, nil
}

// Given reports whether somebody has made a mutant by hand.
func Given(m *mutate.Mutant) bool {
	return len(m.Edits) > 0 && m.Edits[0].Operator == mutate.GivenOperator
}

// Breach is where the change breaks the first rule that the sources show it to break; nil: none.
func (c *Change) Breach() *Breach { return c.compared().breach() }

// Communicates reports whether functions that use channels are changed, by more than where locks
// are held.
func (c *Change) Communicates() bool { return c.compared().communicates() }

// Declines reports whether there are more selects with a default case.
func (c *Change) Declines() bool { return c.compared().declines() }

// OnlyLocks reports whether nothing but where locks are held is changed.
func (c *Change) OnlyLocks() bool { return c.compared().onlyLocks() }

// LeavesMore reports whether the loops are those of the original, but for cases by which they are
// left: if they go on for ever without waiting so do those of the original, which may not have come
// that far.
func (c *Change) LeavesMore() bool { return c.compared().leavesMore() }

// compared are the changed files before and after.
func (c *Change) compared() *sources {
	if c.sources != nil {
		return c.sources
	}
	p, changed := c.Program, c.mutant.Files
	s := newSources(p.Fset, c.Fset)
	var files []*analysis.File
	for _, pkg := range p.Packages {
		files = append(files, pkg.Files...)
	}
	s.lineOf, s.synchronising = c.mutant.OriginalLine, newSynchronising(files)
	if c.Given {
		s.reads = newOnlyReads(p)
	}
	s.rel = func(file string) string {
		if f := p.File(file); f != nil {
			return f.Rel
		}
		return file
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		s.before.read(p.File(name))
	}
	for _, pkg := range c.Packages {
		for _, f := range pkg.Files {
			if changed[f.Name] != nil {
				s.after.read(f)
			}
		}
	}
	c.sources = s
	return s
}
