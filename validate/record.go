package validate

// Validations that outlive the process. The validator learns from a validation
// what it need not ask again. It learns the same from a recalled one, so that
// those after it go on alike.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"mendel/mutate"
)

// A Memory keeps validations beyond the life of a Validator.
type Memory interface {
	// Recall finds the result of a candidate by its hash.
	Recall(hash string) (r Record, ok bool)
	// Keep is called with each validation. Its error becomes that of the validation.
	Keep(candidate *mutate.Mutant, r Record) error
}

// A Record is a validation as it is kept; it goes through JSON unchanged. Of
// Fix and Rejected one is nil; both are of one that was stopped before its end.
type Record struct {
	// Edits are those of the fix or of the rejected mutant: the candidate or what
	// was left of it.
	Edits        []mutate.Edit `json:"edits"`
	Hash         string        `json:"hash"` // of their source
	Fix          *Fix          `json:"fix,omitempty"`
	Proved       bool          `json:"proved,omitempty"` // the fix has passed the final checks
	Rejected     *Rejected     `json:"rejected,omitempty"`
	Observations []Observation `json:"learnt,omitempty"` // by hash
}

// Stopped reports whether the validation was stopped: what it has learnt need not be found out
// again.
func (r *Record) Stopped() bool { return r.Fix == nil && r.Rejected == nil }

// An Observation is what a validation has newly found out about one source.
type Observation struct {
	Hash      string        `json:"hash"`
	Edits     []mutate.Edit `json:"edits,omitempty"`  // with RefutedBy or Failed
	Series    uint64        `json:"series,omitempty"` // of noised runs that were begun
	Confirmed *Confirmation `json:"stood,omitempty"`  // in noised runs
	RefutedBy *Rejected     `json:"fell,omitempty"`   // likewise
	Failed    *Rejected     `json:"failed,omitempty"` // by the checker
	Part      *Checked      `json:"part,omitempty"`   // explored for a step
	Whole     *Checked      `json:"whole,omitempty"`  // explored in full
	Tests     *TestCheck    `json:"tests,omitempty"`  // of the package, all of which have passed
}

// recall answers a validation from memory. One whose mutant can no longer be made
// counts as unknown.
func (v *Validator) recall(ctx context.Context, candidate *mutate.Mutant) (fix *Fix, known bool, err error) {
	if v.o.Memory == nil {
		return nil, false, nil
	}
	r, ok := v.o.Memory.Recall(candidate.Hash)
	if !ok || r.Fix != nil && r.Rejected != nil {
		return nil, false, nil
	}
	if r.Stopped() {
		v.learn(r.Observations)
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
	v.learn(r.Observations)
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
func (v *Validator) learn(all []Observation) {
	for _, l := range all {
		m := &mutate.Mutant{Edits: l.Edits, Hash: l.Hash} // its files are of no interest any more
		if l.Series > 0 {
			v.series[l.Hash] = l.Series
		}
		if l.Confirmed != nil {
			v.confirmations[l.Hash] = *l.Confirmed
		}
		if l.RefutedBy != nil {
			l.RefutedBy.Mutant = m
			v.refuted[l.Hash] = l.RefutedBy
			delete(v.confirmations, l.Hash)
		}
		if l.Failed != nil {
			l.Failed.Mutant = m
			v.failed[l.Hash] = l.Failed
		}
		if l.Tests != nil {
			v.tested[l.Hash] = *l.Tests
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
	series          map[string]uint64
	confirmations   map[string]Confirmation
	refuted, failed map[string]*Rejected
	explored        map[exploration]Checked
	tested          map[string]TestCheck
}

// knows copies what the validator knows.
func (v *Validator) knows() knowledge {
	return knowledge{maps.Clone(v.series), maps.Clone(v.confirmations), maps.Clone(v.refuted), maps.Clone(v.failed), maps.Clone(v.explored), maps.Clone(v.tested)}
}

// keep passes a validation to the memory. before is what the validator knew when it
// began. Of one that was stopped only what it has found out is kept.
func (v *Validator) keep(candidate *mutate.Mutant, before knowledge, fix *Fix, err error) error {
	var rejected *Rejected
	stopped := err != nil && !errors.As(err, &rejected)
	r := Record{Rejected: rejected, Observations: v.since(before)}
	if v.o.Memory == nil || stopped && len(r.Observations) == 0 {
		return nil
	}
	m := candidate
	switch {
	case stopped:
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

// since lists what the validator has found out since, sorted by hash.
func (v *Validator) since(before knowledge) []Observation {
	found := map[string]*Observation{}
	of := func(hash string) *Observation {
		if found[hash] == nil {
			found[hash] = &Observation{Hash: hash}
		}
		return found[hash]
	}
	for hash, n := range v.series {
		if n != before.series[hash] {
			of(hash).Series = n
		}
	}
	for hash, c := range v.confirmations {
		if known, ok := before.confirmations[hash]; !ok || !reflect.DeepEqual(known, c) {
			of(hash).Confirmed = &c
		}
	}
	for hash, r := range v.refuted {
		if before.refuted[hash] != r {
			of(hash).RefutedBy, of(hash).Edits = r, r.Mutant.Edits
		}
	}
	for hash, r := range v.failed {
		if before.failed[hash] != r {
			of(hash).Failed, of(hash).Edits = r, r.Mutant.Edits
		}
	}
	for hash, c := range v.tested {
		if known, ok := before.tested[hash]; !ok || !reflect.DeepEqual(known, c) {
			of(hash).Tests = &c
		}
	}
	for e, c := range v.explored {
		if known, ok := before.explored[e]; ok && reflect.DeepEqual(known, c) {
			continue
		}
		if e.whole {
			of(e.hash).Whole = &c
		} else {
			of(e.hash).Part = &c
		}
	}
	list := make([]Observation, 0, len(found))
	for _, hash := range slices.Sorted(maps.Keys(found)) {
		list = append(list, *found[hash])
	}
	return list
}
