package original

import (
	"cmp"
	"context"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/cover"
	"mendel/internal/journal"
	"mendel/internal/repair/setup"
)

// A Baseline is how the original behaves, and what was made to find out.
type Baseline struct {
	Noised   []noise.Outcome   // runs under noise
	Failures []Failure         // most telling kind first, then most frequent
	Kind     evidence.Kind     // of the most frequent failure
	Failed   int               // noised runs that failed
	Leaks    bool              // the runs had the leak profile
	Standing []string          // what is left blocked and does not count; see setAside
	Harness  *noise.Harness    // that noised runs are made with from here on
	Testdata map[string]string // hashes of what is below the target's testdata, and tests do not change
	checkedOriginal
	forcedOriginal

	setup     *setup.Setup
	only      *WantedFailures // to be repaired; nil: whatever fails
	narrowing *analysis.Narrowing
	plain     []noise.Outcome  // that the time limit was first set by
	apart     []evidence.Apart // how tests fail for reasons of their own; see keepApart
	doubting  bool             // time-outs of the program may expire early, see doubtTimeouts
}

// A Failure is one way in which the original fails.
type Failure struct {
	evidence.Failure
	seen  int              // noised runs that showed it
	runs  int              // of so many; 0: only the checker showed it, or forcing
	Found *checker.Failure // by the checker; nil: it was not
	when  *cover.Found     // forced; nil: it showed otherwise, too, or was not
}

// NotReproduced is the error for a target that shows nothing to repair.
type NotReproduced struct{ Reason string }

// Error implements error.
func (e *NotReproduced) Error() string { return e.Reason }

// New is the baseline of an original of which nothing is known yet. The caller closes it.
func New(s *setup.Setup, only *WantedFailures, n *analysis.Narrowing) *Baseline {
	return &Baseline{setup: s, only: only, narrowing: n}
}

// Reproduce finds out how the original behaves: as it is known, if the run goes on, or
// by reproducing the failure, which is kept then. When it does not fail, or fails for reasons that have nothing to do
// with concurrency, the error is a *NotReproduced.
func (b *Baseline) Reproduce(ctx context.Context) error {
	s := b.setup
	var err error
	if b.Harness, err = noise.New(s.NoiseConfig(b.narrowing)); err != nil {
		return err
	}
	s.Progress.Meter.Use(b.Harness)
	if past := s.Journal.Resumed(); past != nil {
		if saved, err := past.Baseline(); err != nil {
			return err
		} else if saved != nil {
			return b.restore(ctx, saved)
		}
	}
	s.Journal.GoLive()
	before := s.HashTestdata()
	err = (&reproduction{Baseline: b}).run(ctx)
	b.Testdata = journal.Common(before, s.HashTestdata())
	if err == nil {
		err = b.save()
	}
	return err
}

// Explore is Reproduce by the checker alone, whatever it finds. Nothing is kept.
func (b *Baseline) Explore(ctx context.Context) error {
	err := b.begin(ctx, b.setup, b.only, false)
	b.summarise()
	return err
}

// Close gives back what the baseline holds.
func (b *Baseline) Close() {
	if b.Harness != nil {
		_ = b.Harness.Close() // nothing that was found depends on it
	}
	if b.Forcer != nil {
		_ = b.Forcer.Close() // likewise
	}
	b.checkedOriginal.close(b.setup.Progress)
}

// summarise counts failures by signature.
func (b *Baseline) summarise() {
	b.Failures, b.Failed, b.Kind = nil, 0, ""
	bySignature := map[string]*Failure{}
	var order []string
	kinds := map[evidence.Kind]int{}
	for _, o := range b.Counted() {
		if o.Pass {
			continue
		}
		b.Failed++
		kinds[o.Kind()]++
		for _, f := range o.Failures {
			known := bySignature[f.Signature]
			if known == nil {
				known = &Failure{Failure: f, runs: len(b.Noised)}
				bySignature[f.Signature] = known
				order = append(order, f.Signature)
			}
			known.seen++
		}
	}
	order = append(order, b.addChecked(bySignature)...)
	order = append(order, b.addForced(bySignature)...)
	for _, signature := range order {
		b.Failures = append(b.Failures, *bySignature[signature])
	}
	// Races first: they explain assertions that fail because of them.
	slices.SortStableFunc(b.Failures, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(x.Kind.Rank(), y.Kind.Rank()), cmp.Compare(y.seen, x.seen), cmp.Compare(x.Signature, y.Signature))
	})
	best := 0
	for kind, n := range kinds {
		if n > best || n == best && kind.Rank() < b.Kind.Rank() {
			best, b.Kind = n, kind
		}
	}
	if best == 0 && len(b.Failures) > 0 {
		b.Kind = b.Failures[0].Kind
	}
}

// addChecked joins the checker's failures: to one that noise has shown too, or
// as one of its own.
func (b *Baseline) addChecked(bySignature map[string]*Failure) (order []string) {
	if b.Checked == nil {
		return nil
	}
	for i := range b.Checked.Failures {
		f := &b.Checked.Failures[i]
		known := bySignature[f.Signature]
		if known == nil {
			known = &Failure{Failure: f.Failure}
			bySignature[f.Signature] = known
			order = append(order, f.Signature)
		}
		if known.Found == nil {
			known.Found = f
		}
	}
	return order
}

// addForced adds the failures that showed only when an interleaving was forced.
func (b *Baseline) addForced(bySignature map[string]*Failure) (order []string) {
	for _, found := range b.Forced {
		for _, o := range found.Outcomes {
			for _, f := range o.Failures {
				if bySignature[f.Signature] == nil {
					bySignature[f.Signature] = &Failure{Failure: f, when: found}
					order = append(order, f.Signature)
				}
			}
		}
	}
	return order
}
