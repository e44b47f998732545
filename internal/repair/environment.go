package repair

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// An environment is what all stages of a repair work with: its setup, and what is
// wanted and known besides. Nothing in it changes once it is loaded; what a stage finds
// out is in what it returns.
type environment struct {
	*setup.Setup
	wanted result.Wanted            // that the settings were resolved from
	only   *original.WantedFailures // to repair; nil: whatever fails
	known  known
}

// load reads the program. The environment has what was found until an error;
// it is never nil.
func (s *session) load(ctx context.Context) (*environment, error) {
	env := &environment{Setup: setup.New(s.wanted, s.journal, s.progress), wanted: s.wanted, known: s.known}
	what := cmp.Or(env.Package, ".")
	if what == "." {
		what = filepath.Base(env.Dir)
	}
	s.progress.Phase("load", "loading %s", what)
	s.progress.Sweep()
	var err error
	if env.Tool, err = gotool.Open(ctx, env.Dir); err != nil {
		return env, err
	}
	raceErr := env.Tool.RaceErr
	lacking := raceErr != nil && !env.NoRace
	env.NoRace = env.NoRace || lacking
	input, err := original.ReadInput(env.From, env.FromName)
	if err != nil {
		return env, err
	}
	flags := result.BuildFlags(env.Tags, env.Flags)
	if input != nil && env.Package == "" {
		if env.Package, err = input.FindPackage(ctx, env.Tool, flags, s.progress); err != nil {
			return env, err
		}
	}
	env.Target.Module = env.Tool.ModuleDir
	env.Program, err = analysis.Load(ctx, env.Tool, analysis.Target{
		Dir: env.Tool.Dir, Package: env.Package, Run: env.Run, Flags: flags, Imports: env.known.patch.imports(),
	})
	if err != nil {
		return env, err
	}
	env.Target.Package = env.Program.Packages[0].Path
	if err := env.Program.CheckRun(); err != nil {
		return env, err
	}
	if env.only, err = input.Match(env.Setup); err != nil {
		return env, err
	}
	if pattern := env.only.Pattern(); env.Run == "" && pattern != "" {
		env.Run, env.Target.Run, env.Program.Target.Run = pattern, pattern, pattern
	}
	if lacking {
		s.progress.Note("no race detector, so that data races show only by their effects: %v", raceErr)
	}
	return env, nil
}

// analyse finds what the program uses concurrently, by static analysis and
// by what the evidence names.
func (env *environment) analyse(ctx context.Context) (*analysis.Narrowing, error) {
	n, err := analysis.Narrow(ctx, env.Program)
	if err != nil {
		return nil, fmt.Errorf("narrow %s: %w", env.Package, err)
	}
	env.only.Merge(n, env.Setup)
	return n, nil
}
