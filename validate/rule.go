package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mendel/mutate"
)

// A Rule forbids a kind of fix that hides a failure instead of removing its
// cause. docs/rules.md has them all in a table.
type Rule string

// The rules. All but DroppedMessage, and Spin in part, are decided by comparing
// the sources.
const (
	DeletedGoroutine Rule = "deleted-goroutine" // fewer goroutines are started
	DeletedWork      Rule = "deleted-work"      // a call, an assignment, a send or a close is gone, or done only sometimes
	Sleep            Rule = "sleep"             // time is made to pass
	Spin             Rule = "spin"              // a loop turns without waiting
	SwallowedPanic   Rule = "swallowed-panic"   // a panic is recovered from
	Uncancelled      Rule = "uncancelled"       // a function that a context ends waits for more now
	DroppedMessage   Rule = "dropped-message"   // what the original delivers is not received
)

// A Breach is where a mutant breaks a rule.
type Breach struct {
	Rule Rule
	File string // module-relative
	Line int    // of the original
	What string // "the call of flush is gone"
}

// String words it: "deleted-work: the call of flush is gone (queue.go:12)".
func (b *Breach) String() string {
	return fmt.Sprintf("%s: %s (%s:%d)", b.Rule, b.What, b.File, b.Line)
}

// A judgement is what the comparison of a mutant's source with the original shows.
type judgement struct {
	breach       *Breach // the first of the rules that it breaks; nil: none
	communicates bool    // functions that use channels are changed
	declines     bool    // it has more selects with a default case
	locks        bool    // only where locks are held is changed
	leaves       bool    // its loops are those of the original, but for cases by which they are left
}

// judge compares the source of a mutant with the original.
func (v *Validator) judge(m *mutate.Mutant) (judgement, error) {
	v.rules.Lock()
	defer v.rules.Unlock()
	if j, known := v.judged[m.Hash]; known {
		return j, nil
	}
	j, err := compareSources(v.o.Program, m)
	if err != nil {
		return j, fmt.Errorf("comparing a mutant with the original: %w", err)
	}
	v.judged[m.Hash] = j
	return j, nil
}

// breaks is the rejection of a mutant that breaks a rule.
func breaks(m *mutate.Mutant, stage Stage, b *Breach) *Rejected {
	return &Rejected{Mutant: m, Stage: stage, Reason: b.String(), Breach: b}
}

// innocent are the edits of a mutant that break no rule by themselves.
func (j *job) innocent(ctx context.Context, m *mutate.Mutant) ([]mutate.Edit, error) {
	if len(m.Edits) < 2 {
		return nil, nil
	}
	var err error
	rest := slices.DeleteFunc(slices.Clone(m.Edits), func(e mutate.Edit) bool {
		alone, berr := j.build(ctx, []mutate.Edit{e})
		if berr != nil || alone == nil { // it depends on the others
			err = errors.Join(err, berr)
			return false
		}
		one, berr := j.judge(alone)
		err = errors.Join(err, berr)
		return one.breach != nil
	})
	return rest, err
}
