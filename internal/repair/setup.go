package repair

import (
	"path/filepath"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// A setup is what all stages of a repair work with: the program that is repaired, and how. Nothing in it changes once
// the program is loaded; what a stage finds out is in what it returns.
type setup struct {
	settings
	target   result.Target // as far as it is known
	tool     *gotool.Toolchain
	program  *analysis.Program
	journal  *journal.Journal // nil: nothing is kept
	progress *progress
}

// newSetup is a setup whose program is not loaded yet.
func newSetup(w result.Wanted, j *journal.Journal, p *progress) *setup {
	s := &setup{settings: resolve(w), journal: j, progress: p}
	s.target = s.settings.target()
	return s
}

// noiseConfig is how noised programs are built and run.
func (s *setup) noiseConfig(n *analysis.Narrowing) noise.Config {
	return noise.Config{
		Tool: s.tool, Program: s.program, Narrowing: n, NoRace: s.noRace, Timeout: s.timeout,
		Workers: s.runsAtATime(), Builds: &s.progress.meter.building,
	}
}

// hashTestdata hashes what is below the target's testdata.
func (s *setup) hashTestdata() map[string]string {
	return journal.HashTestdata(s.program.Module, s.program.Packages[0].Dir)
}

// relative is how a source file is called in the dossier: as seen from the
// module's directory, with slashes; a file elsewhere keeps its name.
func (s *setup) relative(name string) string {
	if f := s.program.File(name); f != nil {
		return f.Rel
	}
	if rel, err := filepath.Rel(s.program.Module, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}
