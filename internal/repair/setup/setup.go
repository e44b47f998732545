package setup

import (
	"path/filepath"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/result"
)

// A Setup is what all stages of a repair work with: the program that is repaired, and how. Nothing in it changes once
// the program is loaded; what a stage finds out is in what it returns.
type Setup struct {
	Settings
	Target   result.Target // as far as it is known
	Tool     *gotool.Toolchain
	Program  *analysis.Program
	Journal  *journal.Journal // nil: nothing is kept
	Progress *Progress
}

// New is a setup whose program is not loaded yet.
func New(w result.Wanted, j *journal.Journal, p *Progress) *Setup {
	s := &Setup{Settings: Resolve(w), Journal: j, Progress: p}
	s.Target = s.Settings.AsTarget()
	return s
}

// NoiseConfig is how noised programs are built and run.
func (s *Setup) NoiseConfig(n *analysis.Narrowing) noise.Config {
	return noise.Config{
		Tool: s.Tool, Program: s.Program, Narrowing: n, NoRace: s.NoRace, Timeout: s.Timeout,
		Workers: s.RunsAtATime(), Builds: &s.Progress.Meter.Building,
	}
}

// HashTestdata hashes what is below the target's testdata.
func (s *Setup) HashTestdata() map[string]string {
	return journal.HashTestdata(s.Program.Module, s.Program.Packages[0].Dir)
}

// Relative is how a source file is called in the dossier: as seen from the
// module's directory, with slashes; a file elsewhere keeps its name.
func (s *Setup) Relative(name string) string {
	if f := s.Program.File(name); f != nil {
		return f.Rel
	}
	if rel, err := filepath.Rel(s.Program.Module, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}
