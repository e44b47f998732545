package repair

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// An environment is what all stages of a repair work with: the program that is
// repaired, and how. Nothing in it changes once it is loaded; what a stage finds
// out is in what it returns.
type environment struct {
	*setup
	wanted result.Wanted   // that the settings were resolved from
	only   *wantedFailures // to repair; nil: whatever fails
	known  known
}

// load reads the program. The environment has what was found until an error;
// it is never nil.
func (s *session) load(ctx context.Context) (*environment, error) {
	env := &environment{setup: newSetup(s.wanted, s.journal, s.progress), wanted: s.wanted, known: s.known}
	what := cmp.Or(env.pkg, ".")
	if what == "." {
		what = filepath.Base(env.dir)
	}
	s.progress.phase("load", "loading %s", what)
	s.progress.sweep()
	var err error
	if env.tool, err = gotool.Open(ctx, env.dir); err != nil {
		return env, err
	}
	raceErr := env.tool.RaceErr
	lacking := raceErr != nil && !env.noRace
	env.noRace = env.noRace || lacking
	input, err := readEvidence(env.from, env.fromName)
	if err != nil {
		return env, err
	}
	flags := result.BuildFlags(env.tags, env.flags)
	if input != nil && env.pkg == "" {
		if env.pkg, err = input.findPackage(ctx, env.tool, flags, s.progress); err != nil {
			return env, err
		}
	}
	env.target.Module = env.tool.ModuleDir
	env.program, err = analysis.Load(ctx, env.tool, analysis.Target{
		Dir: env.tool.Dir, Package: env.pkg, Run: env.run, Flags: flags, Imports: env.known.patch.imports(),
	})
	if err != nil {
		return env, err
	}
	env.target.Package = env.program.Packages[0].Path
	if err := env.program.CheckRun(); err != nil {
		return env, err
	}
	if env.only, err = input.match(env.setup); err != nil {
		return env, err
	}
	if pattern := env.only.pattern(); env.run == "" && pattern != "" {
		env.run, env.target.Run, env.program.Target.Run = pattern, pattern, pattern
	}
	if lacking {
		s.progress.note("no race detector, so that data races show only by their effects: %v", raceErr)
	}
	return env, nil
}

// analyse finds what the program uses concurrently, by static analysis and
// by what the evidence names.
func (env *environment) analyse(ctx context.Context) (*analysis.Narrowing, error) {
	n, err := analysis.Narrow(ctx, env.program)
	if err != nil {
		return nil, fmt.Errorf("narrow %s: %w", env.pkg, err)
	}
	env.only.merge(n, env.setup)
	return n, nil
}
