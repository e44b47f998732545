package batch

import (
	"errors"
	"fmt"
	"slices"

	"mendel/internal/result"
)

// Apply writes the best fix of each package that has one into the source, unless
// it is part of another's. One whose validation is incomplete, and a
// workaround, are left out, unless force is set. Fixes that change the same file are written together. It returns the
// patches that are in the source then. A fix is left out, and an error says so, if
// it contradicts another one, or if a file is no longer what was analysed.
func (s *Series) Apply(force bool) (applied []string, err error) {
	var ready []Package
	for _, p := range s.Packages {
		if p.Status == result.Fixed || force && p.Status.Reserved() {
			ready = append(ready, p)
		}
	}
	merges, err := s.merges(ready)
	for _, m := range merges {
		done, merr := s.apply(m)
		applied, err = append(applied, done...), errors.Join(err, merr)
	}
	return applied, err
}

// apply writes the fixes of a module together or, if a file is no longer what all
// of them were made for, those that fit.
func (s *Series) apply(m *merge) (applied []string, err error) {
	at := slices.IndexFunc(s.Combined, func(c Combination) bool { return c.Dir == m.dir && c.Patch == "" })
	if at >= 0 && len(m.of) > 1 { // each by itself builds, but not all
		for _, p := range m.of[1:] {
			m.leave(p, s.Combined[at].Problem)
		}
		left := m.leftOut
		m = newMerge(m.dir, m.of[0])
		m.leftOut = left
	}
	for _, p := range m.leftOut {
		err = errors.Join(err, fmt.Errorf("apply %s: %s", s.shown(p.Patch), p.why))
	}
	problem := m.write()
	if problem == nil {
		for _, p := range m.of {
			applied = append(applied, p.Patch)
		}
		return applied, err
	}
	if len(m.of) == 1 {
		return nil, errors.Join(err, fmt.Errorf("apply %s: %w", s.shown(m.of[0].Patch), problem))
	}
	for _, p := range m.of {
		if problem := newMerge(m.dir, p).write(); problem != nil {
			err = errors.Join(err, fmt.Errorf("apply %s: %w", s.shown(p.Patch), problem))
			continue
		}
		applied = append(applied, p.Patch)
	}
	return applied, err
}

// write writes what the fixes make of the source.
func (m *merge) write() error {
	files, err := m.result()
	if err != nil {
		return err
	}
	return result.ApplyFiles(m.dir, files)
}
