package core

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/mutate"
)

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if err := r.writeHead(w, markdown); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		table *tables.Table
	}{
		{"", r.table()},
		{"What is asked, of the default arm", r.criteriaTable()},
		{"Where the time goes, mean seconds", r.phaseTable()},
		{"Building", r.buildTable()},
		{"Quality of the fixes, as Mendel measures it", r.qualityTable()},
		{"Patches", r.patchTable()},
		{"Arms", r.armTable()},
		{"Arms beside the default one, by pairs of one subject and seed (default : arm, sign test)", r.pairTable()},
		{"Schedules that were not made, in searches of more than ten mutants", r.carriedTable()},
		{"Arms by subject: fixed, mean evaluations, mean seconds", r.armSubjectTable()},
	} {
		if len(part.table.Rows) == 0 {
			continue
		}
		if part.title != "" {
			if _, err := fmt.Fprintf(w, "\n%s:\n\n", part.title); err != nil {
				return err
			}
		}
		if err := part.table.Render(w, markdown); err != nil {
			return err
		}
	}
	return nil
}

// writeHead says under which conditions the report was made.
func (r *report) writeHead(w io.Writer, markdown bool) error {
	command, limit := r.Command, fmt.Sprintf("%s at most for each repair", r.Limit)
	if markdown {
		command = "    " + command
	}
	if r.Workers > 0 {
		limit += fmt.Sprintf(", %d workers", r.Workers)
	}
	if r.Until == trial.UntilCandidate {
		limit += ", which ends with its first candidate: nothing is validated"
	}
	made := "no repairs yet"
	if v := r.versions(); len(v) > 0 {
		made = "Mendel's source " + strings.Join(v, " and ")
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s; %s; %s.\n\n", command, r.Machine, limit, made)
	return err
}

// table is a line for each subject, of the default arm. Times are of all
// repairs, the rest is of those that gave a fix.
func (r *report) table() *tables.Table {
	t := &tables.Table{Header: []string{
		"subject", "kind", "fixed", "seconds (min-max)", "generation", "evaluations", "schedules", "runs",
		"executables per mutant", "changed lines (median)", "flags", "peak memory", "parallelism kept", "CORE-IMC", "times as fast",
	}}
	for _, s := range r.Subjects {
		trials := s.of(trial.DefaultArm)
		if len(trials) == 0 {
			continue
		}
		fixed := s.fixed(trial.DefaultArm)
		var peak int64
		flags := map[mutate.Flag]int{}
		for _, trial := range trials {
			peak = max(peak, trial.PeakBytes)
		}
		for _, trial := range fixed {
			for _, f := range trial.Flags {
				flags[f]++
			}
		}
		published, faster := "not fixed", "-"
		if s.Subject.Class != "" {
			published = "-"
		}
		if p := s.Subject.Published(); p > 0 {
			published = s.Subject.COREIMCTime
			if len(fixed) > 0 {
				faster = fmt.Sprintf("%.0f", p.Seconds()/tables.Mean(values(fixed, seconds)))
			}
		}
		t.Add(s.Subject.Name, s.Subject.Kind, fmt.Sprintf("%d of %d", len(fixed), len(trials)), tables.FormatMeanRange(values(trials, seconds)),
			tables.FormatMean(values(fixed, generation)), tables.FormatMean(values(fixed, evaluations)), tables.FormatWhole(values(fixed, schedules)), tables.FormatWhole(values(fixed, runs)),
			perMutant([]*subjectReport{s}, trial.DefaultArm), tables.FormatMedian(values(fixed, changedLines)), cmp.Or(tables.CountWords(flags), "-"), tables.Mebibytes(peak),
			s.keptInWords(trial.DefaultArm), published, faster)
	}
	return t
}

// perMutant formats how many executables an arm linked for each mutant scored.
func perMutant(subjects []*subjectReport, arm string) string {
	executables, mutants := 0, 0
	for _, s := range subjects {
		for _, t := range s.of(arm) {
			executables += t.Search.Executables
			mutants += t.Search.Evaluations
		}
	}
	if executables == 0 || mutants == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(executables)/float64(mutants))
}

// keptInWords formats the parallelism that the best patches of an arm keep: its
// mean over the trials, and the range over the rounds of all of them.
func (s *subjectReport) keptInWords(arm string) string {
	var kept []float64
	least, most := 0.0, 0.0
	for _, t := range s.of(arm) {
		if len(t.PatchIDs) == 0 {
			continue
		}
		v := s.patch(t.PatchIDs[0]).Verified
		if v == nil || v.Parallelism == nil || v.Parallelism.Kept == 0 {
			continue
		}
		p := v.Parallelism
		if len(kept) == 0 || p.Least < least {
			least = p.Least
		}
		kept, most = append(kept, p.Kept), max(most, p.Most)
	}
	if len(kept) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", tables.Mean(kept), least, most)
}

// criteriaTable is a line for each thing that is asked.
func (r *report) criteriaTable() *tables.Table {
	t := &tables.Table{Header: []string{"asked", "figure", ""}}
	for _, c := range r.criteria() {
		t.Add(c.Asked, cmp.Or(c.Figure, "-"), c.word())
	}
	return t
}

// phaseTable is a line for each subject, of the default arm.
func (r *report) phaseTable() *tables.Table {
	all := map[string]bool{}
	for _, s := range r.Subjects {
		for _, t := range s.of(trial.DefaultArm) {
			for name := range t.Phases {
				all[name] = true
			}
		}
	}
	// In the order of the work; unknown phases come last.
	order := []string{"load", "reproduce", "narrow", "search", "validate"}
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		at := func(name string) int {
			if i := slices.Index(order, name); i >= 0 {
				return i
			}
			return len(order)
		}
		return cmp.Or(at(a)-at(b), strings.Compare(a, b))
	})
	t := &tables.Table{Header: append([]string{"subject"}, names...)}
	for _, s := range r.Subjects {
		trials := s.of(trial.DefaultArm)
		if len(trials) == 0 || len(names) == 0 {
			continue
		}
		t.Add(s.Subject.Name)
		for _, name := range names {
			t.Extend(fmt.Sprintf("%.2f", tables.Mean(values(trials, func(t armTrial) float64 { return t.Phases[name] }))))
		}
	}
	return t
}

// buildTable is a line for each subject, of the default arm.
func (r *report) buildTable() *tables.Table {
	t := &tables.Table{Header: []string{
		"subject", "programs", "executables", "mutants of the search", "single build", "a mutant of the search", "in single builds", fmt.Sprintf("a mutant of %d together", generationSize), "in single builds",
	}}
	for _, s := range r.Subjects {
		trials := s.of(trial.DefaultArm)
		if len(trials) == 0 || len(s.Builds) == 0 {
			continue
		}
		mutant, generation := s.mutantBuild(trial.DefaultArm), s.generationBuild()
		t.Add(s.Subject.Name, tables.FormatMean(values(trials, func(t armTrial) float64 { return float64(t.Search.Programs) })),
			tables.FormatMean(values(trials, func(t armTrial) float64 { return float64(t.Search.Executables) })),
			tables.FormatMean(values(trials, func(t armTrial) float64 { return float64(t.Building.Programs) })),
			tables.FormatPositive("%.2f s", s.singleBuild()), tables.FormatPositive("%.3f s", mutant), tables.FormatPositive("%.2f", s.inSingleBuilds(mutant)),
			tables.FormatPositive("%.3f s", generation), tables.FormatPositive("%.2f", s.inSingleBuilds(generation)))
	}
	return t
}

// qualityTable is a line for each subject, of the default arm's fixes.
func (r *report) qualityTable() *tables.Table {
	t := &tables.Table{Header: []string{"subject", "new locks", "longest section", "fixes with what may block inside", "parallelism beside the original"}}
	for _, s := range r.Subjects {
		var locks, sections, parallelism []float64
		blocking := map[string]int{}
		for _, trial := range s.fixed(trial.DefaultArm) {
			q := trial.Quality
			if q == nil {
				continue
			}
			locks, sections = append(locks, float64(q.NewLocks)), append(sections, float64(q.LongestSection))
			if q.Parallelism > 0 {
				parallelism = append(parallelism, q.Parallelism)
			}
			for _, b := range q.Blocking {
				blocking[b]++
			}
		}
		if len(locks) == 0 {
			continue
		}
		speed := "-"
		if len(parallelism) > 0 {
			speed = fmt.Sprintf("%.2f", tables.Median(parallelism))
		}
		t.Add(s.Subject.Name, tables.FormatMean(locks), tables.FormatMean(sections), cmp.Or(tables.CountWords(blocking), "-"), speed)
	}
	return t
}

// patchTable is a line for each verified patch.
func (r *report) patchTable() *tables.Table {
	t := &tables.Table{Header: []string{"subject", "patch", "best in", "further in", "noised runs", "checker", "speed-up", "corrected copy's", "kept (range)", "wider test", "problems"}}
	for _, s := range r.Subjects {
		for _, p := range s.Patches {
			v := p.Verified
			if v == nil {
				continue
			}
			best, further := s.usedAs(p.ID)
			patched, corrected, kept := "-", "-", "-"
			if x := v.Parallelism; x != nil && x.Kept > 0 {
				patched, corrected, kept = fmt.Sprintf("%.2f", x.Patched), fmt.Sprintf("%.2f", x.Corrected), x.String()
			}
			problems := v.Problems()
			if x := v.Parallelism; x != nil && x.Problem != "" {
				problems = append(problems, "parallelism: "+x.Problem)
			}
			for i := range problems {
				problems[i] = tables.FirstLine(problems[i])
			}
			t.Add(s.Subject.Name, p.ID, best, further, v.Runs, cmp.Or(tables.FirstLine(v.Check.Words), "-"), patched, corrected, kept, v.WiderWord(),
				cmp.Or(strings.Join(problems, "; "), "-"))
		}
	}
	return t
}
