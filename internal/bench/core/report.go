package core

import (
	"fmt"
	"math"
	"slices"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
)

// A Report is the outcome of the core command, as saved in core.json. What
// was measured earlier and saved there is part of it.
type Report struct {
	tables.Machine
	Command  string           `json:"command"`         // that made the last repairs, to type
	Limit    string           `json:"limit"`           // of one repair, from beginning to end
	Workers  int              `json:"workers"`         // builds and runs at a time; 0: the number of CPUs
	Until    string           `json:"until,omitempty"` // what ends a repair; "": a fix
	Subjects []*SubjectReport `json:"subjects"`
}

// A SubjectReport is what became of one subject.
type SubjectReport struct {
	Subject   subject.Subject `json:"subject"`
	Source    string          `json:"source"` // hash of the module's files
	Trials    []ArmTrial      `json:"trials"` // in the order in which they were made
	Patches   []*Patch        `json:"patches,omitempty"`
	Corrected *CorrectedTrial `json:"corrected,omitempty"` // nil: not tried
	Builds    []BuildTime     `json:"builds,omitempty"`
}

// An ArmTrial is one repair of a subject.
type ArmTrial struct {
	Arm    string `json:"arm"`
	Mendel string `json:"mendel"` // hash of the source that repaired
	trial.Trial
	PatchIDs []string `json:"patches,omitempty"` // best first
}

// A CorrectedTrial is the attempt to repair a subject's corrected copy.
type CorrectedTrial struct {
	Mendel string `json:"mendel"`
	Copy   string `json:"copy"` // hash of its files
	trial.Trial
	Written []string `json:"written"` // files in the output directory
}

// A Patch is one that repairs came to, however often.
type Patch struct {
	ID       string               `json:"id"`                 // see identity.Patch
	Text     string               `json:"text"`               // as the first repair that came to it wrote it
	Verified *verify.Verification `json:"verified,omitempty"` // nil: not yet
}

// add records a trial with its patches.
func (s *SubjectReport) add(arm trial.Arm, mendel string, t trial.Trial) {
	c := ArmTrial{Arm: arm.Name, Mendel: mendel, Trial: t}
	for _, text := range t.Patches {
		id := identity.Patch(text)
		if s.patch(id) == nil {
			s.Patches = append(s.Patches, &Patch{ID: id, Text: text})
		}
		c.PatchIDs = append(c.PatchIDs, id)
	}
	s.Trials = append(s.Trials, c)
}

// patch finds a patch; nil: there is none.
func (s *SubjectReport) patch(id string) *Patch {
	for _, p := range s.Patches {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// trial finds the trial of an arm with a seed; nil: there is none.
func (s *SubjectReport) trial(arm string, seed uint64) *ArmTrial {
	for i := range s.Trials {
		if t := &s.Trials[i]; t.Arm == arm && t.Seed == seed {
			return t
		}
	}
	return nil
}

// of lists the trials of an arm.
func (s *SubjectReport) of(arm string) []ArmTrial {
	var trials []ArmTrial
	for _, t := range s.Trials {
		if t.Arm == arm {
			trials = append(trials, t)
		}
	}
	return trials
}

// ok reports whether a trial gave a fix and verification found no problem.
func (s *SubjectReport) ok(t ArmTrial) bool {
	if t.Until == trial.UntilCandidate || !t.OK() || len(t.PatchIDs) == 0 {
		return t.Until == trial.UntilCandidate && t.OK()
	}
	p := s.patch(t.PatchIDs[0])
	return p.Verified == nil || len(p.Verified.Problems()) == 0
}

// fixed lists the trials of an arm that are ok.
func (s *SubjectReport) fixed(arm string) []ArmTrial {
	return slices.DeleteFunc(s.of(arm), func(t ArmTrial) bool { return !s.ok(t) })
}

// enoughFixed reports whether an arm fixed the subject with enough of its seeds.
func (s *SubjectReport) enoughFixed(arm string) bool {
	n := len(s.of(arm))
	return n > 0 && len(s.fixed(arm)) >= needed(n)
}

// needed is how many of n seeds have to give a fix.
func needed(n int) int { return int(math.Ceil(enough * float64(n))) }

// values takes a figure from each trial.
func values(trials []ArmTrial, of func(ArmTrial) float64) []float64 {
	var all []float64
	for _, t := range trials {
		all = append(all, of(t))
	}
	return all
}

// seconds and the like are figures of a trial.
func seconds(t ArmTrial) float64      { return t.Seconds }
func schedules(t ArmTrial) float64    { return float64(t.Search.Schedules) }
func runs(t ArmTrial) float64         { return float64(t.Search.Runs) }
func changedLines(t ArmTrial) float64 { return float64(t.ChangedLines) }

// evaluations counts the mutants scored; in a trial that ends with a candidate,
// those up to it.
func evaluations(t ArmTrial) float64 {
	if t.Until == trial.UntilCandidate && t.Search.Candidate > 0 {
		return float64(t.Search.Candidate)
	}
	return float64(t.Search.Evaluations)
}

// generation is the one in which the best fix, or the candidate, was found.
func generation(t ArmTrial) float64 {
	if t.Until == trial.UntilCandidate {
		return float64(t.Search.Generations)
	}
	return float64(t.Generation)
}

// patchesOf lists the patches of an arm's trials, each once; with best, only the
// best patch of each trial.
func (s *SubjectReport) patchesOf(arm string, best bool) []*Patch {
	var all []*Patch
	for _, t := range s.of(arm) {
		for i, id := range t.PatchIDs {
			if p := s.patch(id); !slices.Contains(all, p) && (i == 0 || !best) {
				all = append(all, p)
			}
		}
	}
	return all
}

// usedAs counts in how many trials a patch was the best, and in how many another.
func (s *SubjectReport) usedAs(id string) (best, further int) {
	for _, t := range s.Trials {
		switch slices.Index(t.PatchIDs, id) {
		case -1:
		case 0:
			best++
		default:
			further++
		}
	}
	return best, further
}

// mutantBuild is the mean time to build a mutant in the searches of an arm, in
// seconds. 0: not known.
func (s *SubjectReport) mutantBuild(arm string) float64 {
	spent, programs := 0.0, 0
	for _, t := range s.of(arm) {
		spent += t.Building.Seconds
		programs += t.Building.Programs
	}
	if programs == 0 {
		return 0
	}
	return spent / float64(programs)
}

// singleBuild is the median time to build a mutant by itself, in seconds. 0:
// not measured.
func (s *SubjectReport) singleBuild() float64 {
	var all []float64
	for _, b := range s.Builds {
		all = append(all, b.Single)
	}
	return tables.Median(all)
}

// generationBuild is the median time for a mutant of a generation that is built
// together, in seconds. 0: not measured.
func (s *SubjectReport) generationBuild() float64 {
	var all []float64
	for _, b := range s.Builds {
		all = append(all, b.Generation/float64(b.Mutants))
	}
	return tables.Median(all)
}

// inSingleBuilds is a time to build a program, in single builds. 0: not known.
func (s *SubjectReport) inSingleBuilds(seconds float64) float64 {
	single := s.singleBuild()
	if single == 0 {
		return 0
	}
	return seconds / single
}

// subject finds a subject; nil: there is none.
func (r *Report) subject(name string) *SubjectReport {
	for _, s := range r.Subjects {
		if s.Subject.Name == name {
			return s
		}
	}
	return nil
}

// arms lists the arms that were tried, the default one first.
func (r *Report) arms() []string {
	var names []string
	for _, s := range r.Subjects {
		for _, t := range s.Trials {
			if !slices.Contains(names, t.Arm) {
				names = append(names, t.Arm)
			}
		}
	}
	if i := slices.Index(names, trial.DefaultArm); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, trial.DefaultArm)
	}
	return names
}

// versions lists the sources of Mendel that the trials were made with.
func (r *Report) versions() []string {
	var all []string
	for _, s := range r.Subjects {
		for _, t := range s.Trials {
			if !slices.Contains(all, t.Mendel) {
				all = append(all, t.Mendel)
			}
		}
	}
	return all
}

// readReport reads a saved report; one that does not exist is nil.
func readReport(name string) (*Report, error) {
	r := &Report{}
	if found, err := tables.ReadSaved(name, r); err != nil || !found {
		return nil, err
	}
	return r, r.check(name)
}

// check refuses a report whose parts do not belong together.
func (r *Report) check(name string) error {
	for _, s := range r.Subjects {
		if slices.ContainsFunc(s.Builds, func(b BuildTime) bool { return b.Mutants < 1 }) {
			return fmt.Errorf("read earlier results: %s: %s: builds of no mutants", name, s.Subject.Name)
		}
		for _, t := range s.Trials {
			for _, id := range t.PatchIDs {
				if s.patch(id) == nil {
					return fmt.Errorf("read earlier results: %s: %s, seed %d: no patch %s", name, s.Subject.Name, t.Seed, id)
				}
			}
			if t.Status == mendel.Fixed && len(t.PatchIDs) == 0 {
				return fmt.Errorf("read earlier results: %s: %s, seed %d: fixed without a patch", name, s.Subject.Name, t.Seed)
			}
		}
	}
	return nil
}
