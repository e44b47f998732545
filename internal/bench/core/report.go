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

// A report is the outcome of the core command, as saved in core.json. What
// was measured earlier and saved there is part of it.
type report struct {
	tables.Machine
	Command  string           `json:"command"`         // that made the last repairs, to type
	Limit    string           `json:"limit"`           // of one repair, from beginning to end
	Workers  int              `json:"workers"`         // builds and runs at a time; 0: the number of CPUs
	Until    string           `json:"until,omitempty"` // what ends a repair; "": a fix
	Subjects []*subjectReport `json:"subjects"`
}

// A subjectReport is what became of one subject.
type subjectReport struct {
	Subject   subject.Subject `json:"subject"`
	Source    string          `json:"source"` // hash of the module's files
	Trials    []armTrial      `json:"trials"` // in the order in which they were made
	Patches   []*patchReport  `json:"patches,omitempty"`
	Corrected *correctedTrial `json:"corrected,omitempty"` // nil: not tried
	Wider     *verify.Wider   `json:"wider,omitempty"`     // nil: there is no wider test, or it was not run
	Builds    []buildTime     `json:"builds,omitempty"`
}

// An armTrial is one repair of a subject.
type armTrial struct {
	Arm    string `json:"arm"`
	Mendel string `json:"mendel"` // hash of the source that repaired
	trial.Trial
	PatchIDs []string `json:"patches,omitempty"` // best first
}

// A correctedTrial is the attempt to repair a subject's corrected copy.
type correctedTrial struct {
	Mendel string `json:"mendel"`
	Copy   string `json:"copy"` // hash of its files
	trial.Trial
	Written []string `json:"written"` // files in the output directory
}

// A patchReport is a patch that repairs came to, however often.
type patchReport struct {
	ID       string               `json:"id"`                 // see identity.Patch
	Text     string               `json:"text"`               // as the first repair that came to it wrote it
	Verified *verify.Verification `json:"verified,omitempty"` // nil: not yet
}

// add records a trial with its patches.
func (s *subjectReport) add(arm trial.Arm, mendel string, t trial.Trial) {
	c := armTrial{Arm: arm.Name, Mendel: mendel, Trial: t}
	for _, text := range t.Patches {
		id := identity.Patch(text)
		if s.patch(id) == nil {
			s.Patches = append(s.Patches, &patchReport{ID: id, Text: text})
		}
		c.PatchIDs = append(c.PatchIDs, id)
	}
	s.Trials = append(s.Trials, c)
}

// patch finds a patch; nil: there is none.
func (s *subjectReport) patch(id string) *patchReport {
	for _, p := range s.Patches {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// trial finds the trial of an arm with a seed; nil: there is none.
func (s *subjectReport) trial(arm string, seed uint64) *armTrial {
	for i := range s.Trials {
		if t := &s.Trials[i]; t.Arm == arm && t.Seed == seed {
			return t
		}
	}
	return nil
}

// of lists the trials of an arm.
func (s *subjectReport) of(arm string) []armTrial {
	var trials []armTrial
	for _, t := range s.Trials {
		if t.Arm == arm {
			trials = append(trials, t)
		}
	}
	return trials
}

// ok reports whether a trial gave a fix and verification found no problem.
func (s *subjectReport) ok(t armTrial) bool {
	if t.Until == trial.UntilCandidate || !t.OK() || len(t.PatchIDs) == 0 {
		return t.Until == trial.UntilCandidate && t.OK()
	}
	p := s.patch(t.PatchIDs[0])
	return p.Verified == nil || len(p.Verified.Problems()) == 0
}

// fixed lists the trials of an arm that are ok.
func (s *subjectReport) fixed(arm string) []armTrial {
	return slices.DeleteFunc(s.of(arm), func(t armTrial) bool { return !s.ok(t) })
}

// enoughFixed reports whether an arm fixed the subject with enough of its seeds.
func (s *subjectReport) enoughFixed(arm string) bool {
	n := len(s.of(arm))
	return n > 0 && len(s.fixed(arm)) >= needed(n)
}

// needed is how many of n seeds have to give a fix.
func needed(n int) int { return int(math.Ceil(enough * float64(n))) }

// values takes a figure from each trial.
func values(trials []armTrial, of func(armTrial) float64) []float64 {
	var all []float64
	for _, t := range trials {
		all = append(all, of(t))
	}
	return all
}

// seconds and the like are figures of a trial.
func seconds(t armTrial) float64      { return t.Seconds }
func schedules(t armTrial) float64    { return float64(t.Search.Schedules) }
func runs(t armTrial) float64         { return float64(t.Search.Runs) }
func changedLines(t armTrial) float64 { return float64(t.ChangedLines) }

// evaluations counts the mutants scored; in a trial that ends with a candidate,
// those up to it.
func evaluations(t armTrial) float64 {
	if t.Until == trial.UntilCandidate && t.Search.Candidate > 0 {
		return float64(t.Search.Candidate)
	}
	return float64(t.Search.Evaluations)
}

// generation is the one in which the best fix, or the candidate, was found.
func generation(t armTrial) float64 {
	if t.Until == trial.UntilCandidate {
		return float64(t.Search.Generations)
	}
	return float64(t.Generation)
}

// patchesOf lists the patches of an arm's trials, each once; with best, only the
// best patch of each trial.
func (s *subjectReport) patchesOf(arm string, best bool) []*patchReport {
	var all []*patchReport
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
func (s *subjectReport) usedAs(id string) (best, further int) {
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
func (s *subjectReport) mutantBuild(arm string) float64 {
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
func (s *subjectReport) singleBuild() float64 {
	var all []float64
	for _, b := range s.Builds {
		all = append(all, b.Single)
	}
	return tables.Median(all)
}

// generationBuild is the median time for a mutant of a generation that is built
// together, in seconds. 0: not measured.
func (s *subjectReport) generationBuild() float64 {
	var all []float64
	for _, b := range s.Builds {
		all = append(all, b.Generation/float64(b.Mutants))
	}
	return tables.Median(all)
}

// inSingleBuilds is a time to build a program, in single builds. 0: not known.
func (s *subjectReport) inSingleBuilds(seconds float64) float64 {
	single := s.singleBuild()
	if single == 0 {
		return 0
	}
	return seconds / single
}

// subject finds a subject; nil: there is none.
func (r *report) subject(name string) *subjectReport {
	for _, s := range r.Subjects {
		if s.Subject.Name == name {
			return s
		}
	}
	return nil
}

// arms lists the arms that were tried, the default one first.
func (r *report) arms() []string {
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
func (r *report) versions() []string {
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
func readReport(name string) (*report, error) {
	r := &report{}
	if found, err := tables.ReadSaved(name, r); err != nil || !found {
		return nil, err
	}
	return r, r.check(name)
}

// check refuses a report whose parts do not belong together.
func (r *report) check(name string) error {
	for _, s := range r.Subjects {
		if slices.ContainsFunc(s.Builds, func(b buildTime) bool { return b.Mutants < 1 }) {
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
