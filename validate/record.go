package validate

// Validations that outlive the process. A validation also teaches the validator
// what it need not ask again; a recalled one teaches it the same, so that those
// after it go on alike.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"mendel/mutate"
)

// A Memory keeps validations beyond the life of a Validator.
type Memory interface {
	// Recall finds what became of a candidate by its hash.
	Recall(hash string) (r Record, ok bool)
	// Keep is told of each validation that came to its end: not of one that was
	// stopped before. An error becomes that of the validation.
	Keep(candidate *mutate.Mutant, r Record) error
}

// A Record is a validation as it is kept; it goes through JSON unchanged. Of
// Fix and Rejected one is nil.
type Record struct {
	// Edits are those of the fix, or of the mutant that fell: the candidate or
	// what was left of it.
	Edits    []mutate.Edit `json:"edits"`
	Hash     string        `json:"hash"` // of their source
	Fix      *Fix          `json:"fix,omitempty"`
	Proved   bool          `json:"proved,omitempty"` // the fix has passed the final checks
	Rejected *Rejected     `json:"rejected,omitempty"`
	Learnt   []Learnt      `json:"learnt,omitempty"` // by hash
}

// Learnt is what a validation has found out about one source, besides what was
// known before.
type Learnt struct {
	Hash   string        `json:"hash"`
	Edits  []mutate.Edit `json:"edits,omitempty"`  // with Fell or Failed
	Series uint64        `json:"series,omitempty"` // of noised runs that were begun
	Stood  *Confirmation `json:"stood,omitempty"`  // in noised runs
	Fell   *Rejected     `json:"fell,omitempty"`   // likewise
	Failed *Rejected     `json:"failed,omitempty"` // by the checker
	Part   *Checked      `json:"part,omitempty"`   // explored for a step
	Whole  *Checked      `json:"whole,omitempty"`  // explored in full
}

// recall answers a validation from memory. It is not known, either, when its
// mutant can no longer be made.
func (v *Validator) recall(ctx context.Context, candidate *mutate.Mutant) (fix *Fix, known bool, err error) {
	if v.o.Memory == nil {
		return nil, false, nil
	}
	r, ok := v.o.Memory.Recall(candidate.Hash)
	if !ok || (r.Fix == nil) == (r.Rejected == nil) {
		return nil, false, nil
	}
	m, err := v.o.Space.Mutant(ctx, r.Edits)
	var refused *mutate.Refusal
	switch {
	case errors.As(err, &refused), err == nil && m.Hash != r.Hash:
		v.o.Log("what was kept of a validation is of no use any more: %s", describe(r.Edits...))
		return nil, false, nil
	case err != nil:
		return nil, true, err
	}
	v.learn(r.Learnt)
	if r.Rejected != nil {
		r.Rejected.Mutant = m
		return nil, true, r.Rejected
	}
	r.Fix.Mutant, r.Fix.Before = m, v.o.Before
	if r.Proved {
		v.checked[m.Hash] = r.Fix
	}
	return r.Fix, true, nil
}

// learn takes in what validations have found out.
func (v *Validator) learn(all []Learnt) {
	for _, l := range all {
		m := &mutate.Mutant{Edits: l.Edits, Hash: l.Hash} // its files are of no interest any more
		if l.Series > 0 {
			v.series[l.Hash] = l.Series
		}
		if l.Stood != nil {
			v.stood[l.Hash] = *l.Stood
		}
		if l.Fell != nil {
			l.Fell.Mutant = m
			v.fell[l.Hash] = l.Fell
			delete(v.stood, l.Hash)
		}
		if l.Failed != nil {
			l.Failed.Mutant = m
			v.failed[l.Hash] = l.Failed
		}
		if l.Part != nil {
			v.explored[exploration{l.Hash, false}] = *l.Part
		}
		if l.Whole != nil {
			v.explored[exploration{l.Hash, true}] = *l.Whole
		}
	}
}

// A knowledge is what a validator knew at some time.
type knowledge struct {
	series       map[string]uint64
	stood        map[string]Confirmation
	fell, failed map[string]*Rejected
	explored     map[exploration]Checked
}

// knows copies what the validator knows.
func (v *Validator) knows() knowledge {
	return knowledge{maps.Clone(v.series), maps.Clone(v.stood), maps.Clone(v.fell), maps.Clone(v.failed), maps.Clone(v.explored)}
}

// keep tells the memory of a validation that came to its end. before is what
// the validator knew when it began.
func (v *Validator) keep(candidate *mutate.Mutant, before knowledge, fix *Fix, err error) error {
	var rejected *Rejected
	if v.o.Memory == nil || err != nil && !errors.As(err, &rejected) {
		return nil
	}
	r := Record{Rejected: rejected, Learnt: v.since(before)}
	m := candidate
	switch {
	case rejected != nil:
		m = rejected.Mutant
	default:
		m, r.Fix = fix.Mutant, fix
		r.Proved = v.checked[m.Hash] != nil
	}
	r.Edits, r.Hash = m.Edits, m.Hash
	if err := v.o.Memory.Keep(candidate, r); err != nil {
		return fmt.Errorf("keeping the validation of mutant %.12s: %w", candidate.Hash, err)
	}
	return nil
}

// since lists what the validator has learnt since, sorted by hash.
func (v *Validator) since(before knowledge) []Learnt {
	learnt := map[string]*Learnt{}
	of := func(hash string) *Learnt {
		if learnt[hash] == nil {
			learnt[hash] = &Learnt{Hash: hash}
		}
		return learnt[hash]
	}
	for hash, n := range v.series {
		if n != before.series[hash] {
			of(hash).Series = n
		}
	}
	for hash, c := range v.stood {
		if known, ok := before.stood[hash]; !ok || known != c {
			of(hash).Stood = &c
		}
	}
	for hash, r := range v.fell {
		if before.fell[hash] != r {
			of(hash).Fell, of(hash).Edits = r, r.Mutant.Edits
		}
	}
	for hash, r := range v.failed {
		if before.failed[hash] != r {
			of(hash).Failed, of(hash).Edits = r, r.Mutant.Edits
		}
	}
	for e, c := range v.explored {
		if known, ok := before.explored[e]; ok && known == c {
			continue
		}
		if e.whole {
			of(e.hash).Whole = &c
		} else {
			of(e.hash).Part = &c
		}
	}
	list := make([]Learnt, 0, len(learnt))
	for _, hash := range slices.Sorted(maps.Keys(learnt)) {
		list = append(list, *learnt[hash])
	}
	return list
}
