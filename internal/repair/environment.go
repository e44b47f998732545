package repair

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// An environment is what all stages of a repair work with: the program that is
// repaired, and how. Nothing in it changes once it is loaded; what a stage finds
// out is in what it returns.
type environment struct {
	settings
	wanted   result.Wanted // that the settings were resolved from
	target   result.Target // as far as it is known
	tool     *gotool.Toolchain
	program  *analysis.Program
	only     *wantedFailures // to repair; nil: whatever fails
	known    known
	journal  *journal.Journal
	progress *progress
	doubting bool // time-outs of the program may expire early, see doubtTimeouts
}

// load reads the program. The environment has what was found until an error;
// it is never nil.
func (s *session) load(ctx context.Context) (*environment, error) {
	env := &environment{settings: resolve(s.wanted), wanted: s.wanted, known: s.known, journal: s.journal, progress: s.progress}
	env.target = env.settings.target()
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
	input, err := env.readEvidence()
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
	if env.only, err = env.matchEvidence(input); err != nil {
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
	env.mergeEvidence(n)
	return n, nil
}

// noiseConfig is how noised programs are built and run.
func (env *environment) noiseConfig(n *analysis.Narrowing) noise.Config {
	return noise.Config{
		Tool: env.tool, Program: env.program, Narrowing: n, NoRace: env.noRace, Timeout: env.timeout,
		Workers: env.runsAtATime(), Builds: &env.progress.meter.building,
	}
}
