package repair

import (
	"context"

	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// Look triages a package: it loads the program, looks for its failures, whose
// messages it returns, and counts the edits. Without a failure the error is a
// *original.NotReproduced.
func Look(ctx context.Context, w result.Wanted) (t original.Triage, failures []string, err error) {
	s := &session{wanted: w, clock: &journal.Clock{}, progress: setup.NewProgress(w.Observer, w.Verbose, nil)}
	env, err := s.load(ctx)
	if err != nil {
		return t, nil, err
	}
	narrowing, err := env.analyse(ctx)
	if err != nil {
		return t, nil, err
	}
	s.progress.Phase("triage", "reproducing")
	base := original.New(env.Setup, env.only, narrowing)
	defer base.Close()
	err = base.Reproduce(ctx)
	if t, failures = base.Triage(); err != nil || len(failures) == 0 {
		return t, failures, err
	}
	scope, err := env.narrow(ctx, narrowing, base)
	if err != nil {
		return t, failures, err
	}
	t.Edits = scope.narrowed.Edits
	return t, failures, nil
}
