package validate

import (
	"context"
	"slices"

	"mendel/checker"
	"mendel/mutate"
)

// maxPrepared is how many smaller candidates are built together at most: those
// with more edits are reduced in chunks first. Guessed.
const maxPrepared = 8

// prepare builds for the checker, in one go, the candidate and what is left of
// it without each single edit: the first steps of minimising and, if all of them
// are refused, as they mostly are, the proof. What is not prepared is built later.
func (j *job) prepare(ctx context.Context) error {
	edits := j.mutant.Edits
	if j.o.BuildAll == nil || len(edits) < 2 || len(edits) > maxPrepared {
		return nil
	}
	mutants := []*mutate.Mutant{j.mutant}
	for i := range edits {
		m, err := j.build(ctx, slices.Delete(slices.Clone(edits), i, i+1))
		if err != nil {
			return err
		}
		exposed := ""
		if m != nil {
			if exposed, err = j.exposes(m); err != nil {
				return err
			}
		}
		if m == nil || exposed != "" || newFlag(j.mutant, m) != "" || slices.ContainsFunc(mutants, func(o *mutate.Mutant) bool { return o.Hash == m.Hash }) {
			continue
		}
		mutants = append(mutants, m)
	}
	if len(mutants) == 1 {
		return nil // all steps are refused before anything is run
	}
	sets := make([]map[string][]byte, len(mutants))
	for i, m := range mutants {
		sets[i] = m.Files
	}
	built, err := j.o.BuildAll(ctx, sets)
	for i, b := range built {
		if b.Program != nil {
			j.prepared[mutants[i].Hash] = b.Program
		}
	}
	if err != nil && ctx.Err() == nil {
		j.o.Log("building %d candidates together: %v", len(mutants), err)
		return nil
	}
	return ctx.Err()
}

// release removes what was prepared.
func (v *Validator) release() {
	for hash, p := range v.prepared {
		if err := p.Close(); err != nil {
			v.o.Log("%v", err)
		}
		delete(v.prepared, hash)
	}
}

// examine explores a mutant as it was prepared or, where it was not, built for
// the purpose.
func (v *Validator) examine(ctx context.Context, m *mutate.Mutant, s checker.Search) (*checker.Report, error) {
	if p := v.prepared[m.Hash]; p != nil {
		return p.Check(ctx, s)
	}
	return v.o.Checker.Check(ctx, m.Files, s)
}
