package validate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/mutate"
	"mendel/validate/rules"
)

// maxMoves bounds the moves whose source is looked at for one step: each is
// type-checked. The hottest edits come first.
const maxMoves = 64

// A move is a change of the present fix that may make it better.
type move struct {
	what    string
	mutant  *mutate.Mutant
	changed Lines
	guarded int
	// costly moves lose no flag, and add lines or guarded statements or save
	// neither: only speed speaks for them.
	costly bool
	// tidy moves have fewer sections that cover the same: they cannot be slower.
	tidy bool
}

// optimise tries to make the fix narrower or cheaper, step by step, until no
// move is left or the limits are reached (CORE's second phase, Kelk 2015,
// section 4.2.10; see the package's documentation for what differs).
func (j *job) optimise(ctx context.Context) error {
	began := time.Now()
	if j.o.Narrowing == nil {
		return nil
	}
	for tried := 0; tried < j.o.OptimizeSteps; {
		moves, err := j.moves(ctx, began.Add(j.o.OptimizeTime))
		if err != nil {
			return err
		}
		kept := false
		for _, mv := range moves {
			if tried >= j.o.OptimizeSteps || time.Since(began) > j.o.OptimizeTime {
				return nil
			}
			tried++
			kept, err = j.try(ctx, mv)
			if err != nil {
				return err
			}
			if kept {
				break // moves from here on start at the new fix
			}
		}
		if !kept {
			return nil
		}
	}
	return nil
}

// try makes a move if it saves something, is not slower, and is confirmed. The
// cheaper question is asked first: costly moves are measured, others are run.
func (j *job) try(ctx context.Context, mv move) (bool, error) {
	if err := j.refutedMeanwhile(); err != nil {
		return false, err
	}
	if against, err := j.newObjection(mv.mutant); err != nil || against != "" {
		j.step(mv.what, false, against)
		return false, err
	}
	var c comparison
	measure := func() (err error) {
		j.stopSpeculating() // it would disturb the measurement
		c, err = j.compare(ctx, j.mutant.Files, mv.mutant.Files)
		return err
	}
	if mv.costly {
		if err := measure(); err != nil {
			return false, err
		}
		if !c.better() {
			j.refused[mv.mutant.Hash] = true
			j.step(mv.what, false, "it is not clearly faster"+c.figures())
			return false, nil
		}
	}
	confirmed, why, err := j.holds(ctx, mv.mutant)
	var rejected *Rejected
	if errors.As(err, &rejected) {
		j.step(mv.what, false, rejected.Reason)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !mv.costly && !mv.tidy {
		if err := measure(); err != nil {
			return false, err
		}
		if c.worse() {
			j.refused[mv.mutant.Hash] = true
			j.step(mv.what, false, "it is slower"+c.figures())
			return false, nil
		}
	}
	j.step(mv.what, true, why+c.figures())
	j.mutant, j.confirmed = mv.mutant, confirmed
	return true, nil
}

// figures gives a comparison in brackets; "" when nothing was measured.
func (c comparison) figures() string {
	if c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf(" (time x%.2f, context switches x%.2f)", c.Time, c.Switches)
}

// moves lists what can be tried from the present fix, the most promising
// first; what is not built when time is up is left out.
func (j *job) moves(ctx context.Context, until time.Time) ([]move, error) {
	changed := changedLines(j.o.Program, j.mutant)
	guarded, err := j.covers.Guarded(j.mutant)
	if err != nil {
		return nil, err
	}
	var moves []move
	seen := map[string]bool{j.mutant.Hash: true}
	for i, p := range j.proposals() {
		if i == maxMoves || time.Now().After(until) {
			break
		}
		m, err := j.build(ctx, p.edits)
		if err != nil {
			return nil, err
		}
		if m == nil || seen[m.Hash] || j.refused[m.Hash] {
			continue
		}
		seen[m.Hash] = true
		if ok, err := j.harmless(m); err != nil || !ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		mv := move{what: p.what, mutant: m, changed: changedLines(j.o.Program, m)}
		if mv.guarded, err = j.covers.Guarded(m); err != nil {
			return nil, err
		}
		fewerFlags := len(m.Flags) < len(j.mutant.Flags)
		lines, statements := mv.changed.Total()-changed.Total(), mv.guarded-guarded
		_, joined, err := j.covers.Parts(m, j.mutant)
		if err != nil {
			return nil, err
		}
		mv.tidy = joined && statements <= 0
		mv.costly = !fewerFlags && !mv.tidy && (max(lines, statements) > 0 || lines == 0 && statements == 0)
		if mv.costly && !p.shrinks {
			continue // a sibling that saves nothing
		}
		moves = append(moves, mv)
	}
	slices.SortStableFunc(moves, func(a, b move) int {
		return cmp.Or(
			boolInt(a.costly)-boolInt(b.costly),
			rules.Gravest(a.mutant.Flags)-rules.Gravest(b.mutant.Flags),
			a.guarded-b.guarded,
			a.changed.Total()-b.changed.Total(),
			strings.Compare(a.mutant.Hash, b.mutant.Hash),
		)
	})
	return moves, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// harmless reports whether a mutant has no new flag or section, meets the policy, guards what
// the original guards, and guards what the fix is about: by the same locks, or by
// any if it no longer serialises a goroutine body.
func (j *job) harmless(m *mutate.Mutant) (bool, error) {
	if newFlag(j.mutant, m) != "" {
		return false, nil
	}
	if objection, err := j.objection(m); err != nil || objection != nil {
		return false, err
	}
	if kept, err := j.covers.KeepsGuards(m); err != nil || !kept {
		return false, err
	}
	if kept, err := j.covers.KeepsChanges(j.mutant, m); err != nil || !kept {
		return false, err
	}
	if exposed, err := j.exposes(m); err != nil || exposed != "" {
		return false, err
	}
	if blocks, err := j.newlyBlocks(m); err != nil || blocks {
		return false, err
	}
	if split, _, err := j.covers.Parts(m, j.mutant); err != nil || split {
		return false, err
	}
	frees := slices.Contains(j.mutant.Flags, mutate.Serialises) && !slices.Contains(m.Flags, mutate.Serialises)
	return j.covers.KeepsFix(j.mutant, m, frees)
}

// newlyBlocks reports whether a mutant would be flagged because something may block
// in its sections, and the present fix would not.
func (j *job) newlyBlocks(m *mutate.Mutant) (bool, error) {
	now, err := j.covers.Growth(j.mutant)
	if err != nil || now.Blocks {
		return false, err
	}
	then, err := j.covers.Growth(m)
	return then.Blocks, err
}

// A proposal is a set of edits near the present ones.
type proposal struct {
	what    string
	edits   []mutate.Edit
	shrinks bool // an edit of a shrinking operator was added
}

// proposals lists the sets of edits one step away: an edit replaced by a
// sibling (same function, same lock), by a sibling that stands for all edits of that
// lock in that function, or an edit of a shrinking operator added in a function that
// the fix changes.
func (j *job) proposals() []proposal {
	present := j.mutant.Edits
	var siblings, shrinking []proposal
	for _, e := range j.o.Space.Edits() {
		near := slices.ContainsFunc(present, func(p mutate.Edit) bool { return sameFunc(e, p) })
		if !near || mutate.Has(present, e) {
			continue // elsewhere, or one of them
		}
		if op := j.o.Space.Operator(e.Operator); op != nil && op.Shrinks {
			if !slices.Contains(e.Flags, mutate.DropsGuard) {
				shrinking = append(shrinking, proposal{"with " + describe(e), append(slices.Clone(present), e), true})
			}
			continue
		}
		for i, p := range present {
			if !narrower(e, p) {
				continue
			}
			edits := slices.Clone(present)
			edits[i] = e
			if !j.whole(edits, e) {
				continue
			}
			siblings = append(siblings, proposal{what: describe(e) + " instead of " + describe(p), edits: edits})
			// One edit may do for all that the fix has of this lock in this function.
			alone := slices.DeleteFunc(slices.Clone(edits), func(o mutate.Edit) bool {
				return o.Node != e.Node && sameFunc(o, e) && sameLock(o, e)
			})
			if len(alone) < len(edits) {
				siblings = append(siblings, proposal{what: describe(e) + " instead of all in " + e.Func, edits: alone})
			}
		}
	}
	return append(siblings, shrinking...)
}

// whole reports whether edits have all that the source shows to be as wrong as what one of them mends: those of its
// operator, form and lock in its function.
func (j *job) whole(edits []mutate.Edit, e mutate.Edit) bool {
	return !e.Sure || !slices.ContainsFunc(j.o.Space.Edits(), func(o mutate.Edit) bool {
		return o.Sure && o.Operator == e.Operator && o.Form == e.Form && sameFunc(o, e) && sameLock(o, e) && !mutate.Has(edits, o)
	})
}

// narrower reports whether an edit may be a narrower sibling of another: the
// same lock in the same function. Only its source shows whether it really is.
func narrower(e, than mutate.Edit) bool {
	longer := e.Operator == than.Operator && e.Node == than.Node && e.Count >= than.Count
	return sameFunc(e, than) && sameLock(e, than) && !longer
}

// sameFunc reports whether two edits are about the same function.
func sameFunc(a, b mutate.Edit) bool { return a.File == b.File && a.Func == b.Func }
