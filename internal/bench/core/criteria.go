package core

import (
	"fmt"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
)

// What is asked of repairs with the default arm.
const (
	enough          = 0.9       // share of a subject's seeds that have to give a fix
	mostMean        = 12.0      // seconds of a repair, mean over the subjects' means
	mostSubjectMean = 40.0      // seconds of a repair, mean of a subject
	mostOwn         = 30.0      // seconds of any repair of a subject of our own
	mostBuildShare  = 0.25      // time to build a mutant, by that of a single build
	mostLines       = 10.0      // changed lines, median
	mostMemory      = 500 << 20 // bytes that the tool itself may need
)

// A criterion is one thing that is asked, and what came of it.
type criterion struct {
	Asked    string
	Figure   string // "" when nothing was measured
	Failures []string
}

// word is "met", "not met" or "not measured".
func (c criterion) word() string {
	switch {
	case len(c.Failures) > 0:
		return "not met"
	case c.Figure == "":
		return "not measured"
	}
	return "met"
}

// fail notes in words what is not as it should be.
func (c *criterion) fail(format string, args ...any) {
	c.Failures = append(c.Failures, fmt.Sprintf(format, args...))
}

// criteria lists everything that is asked: of candidates, less than of fixes.
func (r *report) criteria() []criterion {
	if r.Until == trial.UntilCandidate {
		return []criterion{r.allFixed(), r.littleMemory()}
	}
	if r.own() {
		return []criterion{
			r.allFixed(), r.quickEach(),
			r.noisedPass(), r.checkerPasses(), r.noneSerialises(), r.parallelismKept(), r.widerPass(), r.fewLines(),
			r.correctedPass(), r.littleMemory(),
		}
	}
	return []criterion{
		r.allFixed(), r.fastOverall(), r.fastEach(), r.cheapMutants(),
		r.noisedPass(), r.checkerPasses(), r.noneSerialises(), r.parallelismKept(), r.widerPass(), r.fewLines(),
		r.correctedPass(), r.littleMemory(),
	}
}

// Failures implements document. What was not measured is not met either.
func (r *report) Failures() []string {
	var all []string
	for _, c := range r.criteria() {
		if len(c.Failures) == 0 && c.Figure == "" {
			all = append(all, "not measured: "+c.Asked)
		}
		all = append(all, c.Failures...)
	}
	return all
}

// own reports whether all subjects are our own.
func (r *report) own() bool {
	return len(r.Subjects) > 0 && !slices.ContainsFunc(r.Subjects, func(s *subjectReport) bool { return s.Subject.Class == "" })
}

// quickEach asks that no repair takes long, whichever the seed.
func (r *report) quickEach() criterion {
	c := criterion{Asked: fmt.Sprintf("no repair over %.0f s", mostOwn)}
	longest, who := 0.0, ""
	for _, s := range r.Subjects {
		for _, t := range s.of(trial.DefaultArm) {
			if t.Seconds > longest {
				longest, who = t.Seconds, s.Subject.Name
			}
			if t.Seconds > mostOwn {
				c.fail("%s, seed %d: %.1f s, want at most %.0f s", s.Subject.Name, t.Seed, t.Seconds, mostOwn)
			}
		}
	}
	if who != "" {
		c.Figure = fmt.Sprintf("%.1f s (%s)", longest, who)
	}
	return c
}

func (r *report) allFixed() criterion {
	c := criterion{Asked: fmt.Sprintf("each subject fixed with %.0f %% of its seeds", 100*enough)}
	if r.Until == trial.UntilCandidate {
		c.Asked = fmt.Sprintf("a candidate for each subject with %.0f %% of its seeds", 100*enough)
	}
	n, tried := 0, 0
	least, fewest := 1.0, ""
	for _, s := range r.Subjects {
		trials, fixed := len(s.of(trial.DefaultArm)), len(s.fixed(trial.DefaultArm))
		if trials == 0 {
			continue
		}
		tried++
		if s.enoughFixed(trial.DefaultArm) {
			n++
		} else {
			c.fail("%s: fixed with %d of %d seeds, want %d", s.Subject.Name, fixed, trials, needed(trials))
		}
		if share := float64(fixed) / float64(trials); share < least || fewest == "" {
			least, fewest = share, fmt.Sprintf("%s with %d of %d", s.Subject.Name, fixed, trials)
		}
	}
	if tried > 0 {
		c.Figure = fmt.Sprintf("%d of %d subjects; the least often %s", n, tried, fewest)
	}
	return c
}

// subjectMeans are the mean seconds of a repair by subject, with and without a fix.
func (r *report) subjectMeans() map[string]float64 {
	means := map[string]float64{}
	for _, s := range r.Subjects {
		if trials := s.of(trial.DefaultArm); len(trials) > 0 {
			means[s.Subject.Name] = tables.Mean(values(trials, seconds))
		}
	}
	return means
}

func (r *report) fastOverall() criterion {
	c := criterion{Asked: fmt.Sprintf("mean over the subjects at most %.0f s", mostMean)}
	var all []float64
	for _, m := range r.subjectMeans() {
		all = append(all, m)
	}
	if len(all) == 0 {
		return c
	}
	slices.Sort(all) // the same sum each time
	m := tables.Mean(all)
	c.Figure = fmt.Sprintf("%.1f s", m)
	if m > mostMean {
		c.fail("mean over the subjects %.1f s, want at most %.0f s", m, mostMean)
	}
	return c
}

func (r *report) fastEach() criterion {
	c := criterion{Asked: fmt.Sprintf("no subject's mean over %.0f s", mostSubjectMean)}
	means := r.subjectMeans()
	worst := ""
	for _, s := range r.Subjects {
		m, ok := means[s.Subject.Name]
		if !ok {
			continue
		}
		if worst == "" || m > means[worst] {
			worst = s.Subject.Name
		}
		if m > mostSubjectMean {
			c.fail("%s: %.1f s in the mean, want at most %.0f s", s.Subject.Name, m, mostSubjectMean)
		}
	}
	if worst != "" {
		c.Figure = fmt.Sprintf("%.1f s (%s)", means[worst], worst)
	}
	return c
}

// cheapMutants judges the cost of a mutant in a generation that is built
// together. The figure also names the cost in the searches, which is higher: a
// search that ends with its second mutant has built only two together.
func (r *report) cheapMutants() criterion {
	c := criterion{Asked: fmt.Sprintf("a mutant of a generation of %d costs at most %.2f of a single build, mean over the subjects", generationSize, mostBuildShare)}
	var searches, generations []float64
	for _, s := range r.Subjects {
		if share := s.inSingleBuilds(s.mutantBuild(trial.DefaultArm)); share > 0 {
			searches = append(searches, share)
		}
		if share := s.inSingleBuilds(s.generationBuild()); share > 0 {
			generations = append(generations, share)
		}
	}
	if len(generations) == 0 {
		return c
	}
	m := tables.Mean(generations)
	c.Figure = fmt.Sprintf("%.2f (%.2f to %.2f)", m, slices.Min(generations), slices.Max(generations))
	if len(searches) > 0 {
		c.Figure += fmt.Sprintf("; %.2f in the searches as they were", tables.Mean(searches))
	}
	if m > mostBuildShare {
		c.fail("a mutant of a generation of %d costs %.2f of a single build in the mean, want at most %.2f", generationSize, m, mostBuildShare)
	}
	return c
}

// verified calls look with the name and the verification of each patch. It
// returns their number in words; "" if a patch is not verified or there is none.
func (r *report) verified(look func(who string, v *verify.Verification)) string {
	patches, unknown := 0, 0
	for _, s := range r.Subjects {
		for _, p := range s.patchesOf(trial.DefaultArm, false) {
			patches++
			if p.Verified == nil {
				unknown++
				continue
			}
			look(s.Subject.Name+", patch "+p.ID, p.Verified)
		}
	}
	if patches == 0 || unknown > 0 {
		return ""
	}
	return fmt.Sprintf("%d verified", patches)
}

func (r *report) noisedPass() criterion {
	c := criterion{Asked: "every patch applies, builds and passes go vet, plain runs and noised runs"}
	fewest := -1
	c.Figure = r.verified(func(who string, v *verify.Verification) {
		for _, problem := range []string{v.Broken, v.Plain, v.Noised} {
			if problem != "" {
				c.fail("%s: %s", who, problem)
			}
		}
		if fewest < 0 || v.Runs < fewest {
			fewest = v.Runs
		}
	})
	if c.Figure != "" {
		c.Figure += fmt.Sprintf(", fewest noised runs %d", max(fewest, 0))
	}
	return c
}

func (r *report) checkerPasses() criterion {
	c := criterion{Asked: fmt.Sprintf("every patch passes the checker up to %d preemptions, or for its whole budget", verify.Bound)}
	verdicts := map[string]int{}
	c.Figure = r.verified(func(who string, v *verify.Verification) {
		if v.Broken != "" {
			return
		}
		if !v.Check.Passed() {
			c.fail("%s: checker: %s", who, v.Check.Words)
			return
		}
		verdicts[v.Check.Reached()]++
	})
	if c.Figure != "" {
		c.Figure += ": " + tables.CountWords(verdicts)
	}
	return c
}

func (r *report) noneSerialises() criterion {
	c := criterion{Asked: "none serialises a goroutine's body where the corrected copy does not"}
	c.Figure = r.verified(func(who string, v *verify.Verification) {
		if len(v.Serialised) > 0 {
			c.fail("%s: serialises %s", who, strings.Join(v.Serialised, ", "))
		}
	})
	return c
}

// parallelismKept judges the patches that were best in some trial. The others
// may keep less, which is one reason why they rank lower.
func (r *report) parallelismKept() criterion {
	c := criterion{Asked: fmt.Sprintf("the best patches keep %.0f %% of the corrected copy's parallelism", 100*verify.LeastKept)}
	var kept []float64
	unknown := false
	for _, s := range r.Subjects {
		for _, p := range s.patchesOf(trial.DefaultArm, true) {
			who := s.Subject.Name + ", patch " + p.ID
			switch v := p.Verified; {
			case v == nil || v.Parallelism == nil:
				unknown = true
			case v.Parallelism.Problem != "":
				c.fail("%s: parallelism not measured: %s", who, tables.FirstLine(v.Parallelism.Problem))
			default:
				kept = append(kept, v.Parallelism.Kept)
				if v.Parallelism.Kept < verify.LeastKept {
					c.fail("%s: keeps %s of the corrected copy's parallelism", who, v.Parallelism)
				}
			}
		}
	}
	if len(kept) > 0 && !unknown {
		c.Figure = fmt.Sprintf("%d measured, the least %.2f", len(kept), slices.Min(kept))
	}
	return c
}

// widerPass asks that the best patches are complete: that they pass the tests that
// no repair has seen.
func (r *report) widerPass() criterion {
	c := criterion{Asked: "the best patches pass the wider tests"}
	tried, passed, unknown := 0, 0, false
	for _, s := range r.Subjects {
		if s.Wider == nil {
			unknown = true
			continue
		}
		if why := s.Wider.Problem(); why != "" {
			c.fail("%s: %s", s.Subject.Name, tables.FirstLine(why))
		}
		for _, p := range s.patchesOf(trial.DefaultArm, true) {
			tried++
			switch v := p.Verified; {
			case v == nil || v.Broken == "" && v.WiderTest != s.Wider.Test:
				unknown = true
			case v.Wider != "":
				c.fail("%s, patch %s: incomplete: %s", s.Subject.Name, p.ID, tables.FirstLine(v.Wider))
			case v.Broken == "":
				passed++
			}
		}
	}
	if tried > 0 && !unknown {
		c.Figure = fmt.Sprintf("%d of %d pass", passed, tried)
	}
	return c
}

func (r *report) fewLines() criterion {
	c := criterion{Asked: fmt.Sprintf("at most %.0f changed lines in the median", mostLines)}
	var all []float64
	worst, who := 0.0, ""
	for _, s := range r.Subjects {
		lines := values(s.fixed(trial.DefaultArm), changedLines)
		all = append(all, lines...)
		if m := tables.Median(lines); m > worst {
			worst, who = m, s.Subject.Name
		}
	}
	if len(all) == 0 {
		return c
	}
	m := tables.Median(all)
	c.Figure = fmt.Sprintf("%g; the highest median of a subject is %g (%s)", m, worst, who)
	if m > mostLines {
		c.fail("%g changed lines in the median, want at most %.0f", m, mostLines)
	}
	return c
}

func (r *report) correctedPass() criterion {
	c := criterion{Asked: "nothing is reproduced on the corrected copies, no patch written"}
	n := 0
	for _, s := range r.Subjects {
		t := s.Corrected
		if t == nil {
			continue
		}
		if t.Status != mendel.NotReproduced {
			c.fail("%s, corrected copy: %s, want %s", s.Subject.Name, t.Line(), mendel.NotReproduced)
			continue
		}
		if slices.ContainsFunc(t.Written, func(name string) bool { return strings.HasSuffix(name, ".patch") }) {
			c.fail("%s, corrected copy: wrote %s, want no patch", s.Subject.Name, strings.Join(t.Written, ", "))
			continue
		}
		n++
	}
	if n == len(r.Subjects) && n > 0 || len(c.Failures) > 0 {
		c.Figure = fmt.Sprintf("%d of %d", n, len(r.Subjects))
	}
	return c
}

func (r *report) littleMemory() criterion {
	c := criterion{Asked: fmt.Sprintf("the tool itself needs less than %s, and no repair goes wrong", tables.Mebibytes(mostMemory))}
	var peak int64
	for _, s := range r.Subjects {
		for _, t := range s.of(trial.DefaultArm) {
			peak = max(peak, t.PeakBytes)
			if t.PeakBytes >= mostMemory {
				c.fail("%s, seed %d: the tool needed %s", s.Subject.Name, t.Seed, tables.Mebibytes(t.PeakBytes))
			}
			for _, p := range t.Problems {
				c.fail("%s, seed %d: %s", s.Subject.Name, t.Seed, p)
			}
			c.Figure = tables.Mebibytes(peak)
		}
	}
	return c
}
