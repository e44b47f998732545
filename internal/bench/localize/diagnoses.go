package localize

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/tables"
	"mendel/internal/diagnosis"
	"mendel/internal/localize"
)

// What is asked of diagnoses.
const (
	firstDiagnoses = 2   // among which the right one is
	firstIn        = 2   // places of a diagnosis, among which the right one is
	leastDiagnosed = 0.9 // share of the programs that are diagnosed right
)

// A diagnosesReport is what was diagnosed in programs with one bug each, as saved in
// diagnoses.json.
type diagnosesReport struct {
	tables.Machine
	Budget      string      `json:"budget"`
	FailingOnly bool        `json:"failingOnly,omitempty"` // no execution that passes was compared
	Rows        []diagnosed `json:"rows"`
}

// A diagnosed is a program with what was found in it.
type diagnosed struct {
	Set       string              `json:"set"`
	Program   string              `json:"program"`
	Faults    []evidence.Fault    `json:"faults,omitempty"` // any of which is right; none: nobody has said
	Functions []string            `json:"functions"`        // that right patches edit
	Status    string              `json:"status"`
	Diagnoses []diagnosis.Finding `json:"diagnoses"`
	Rank      int                 `json:"rank"`  // of the first diagnosis that is right, from 1; 0: none is
	Place     int                 `json:"place"` // of the first with a right place
	Name      int                 `json:"name"`  // of the first with a right name
	Seconds   float64             `json:"seconds"`
	Problem   string              `json:"problem,omitempty"`
}

// right reports whether a rank is among the first.
func right(rank int) bool { return rank > 0 && rank <= firstDiagnoses }

// diagnose diagnoses the programs of a set.
func (e *evaluation) diagnose(ctx context.Context, r *diagnosesReport) error {
	all, err := cases.Read([]string{e.Set}, e.Only)
	if err != nil {
		return err
	}
	for n, p := range all {
		fmt.Fprintf(e.log, "diagnosing %s (%d of %d)\n", p.Name, n+1, len(all))
		row, err := e.diagnosed(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		r.Rows = append(r.Rows, row)
	}
	return nil
}

// diagnosed diagnoses one program.
func (e *evaluation) diagnosed(ctx context.Context, p cases.Program) (row diagnosed, err error) {
	dir := filepath.Join(e.dir, p.Name)
	edited, err := cases.Edited(ctx, p)
	if err != nil {
		return row, err
	}
	if err := p.Write(dir); err != nil {
		return row, err
	}
	row = diagnosed{Set: p.Set, Program: p.Name, Faults: p.Faults, Functions: slices.Sorted(maps.Keys(edited))}
	res, err := localize.Run(ctx, localize.Options{
		Dir: dir, Budget: e.Budget, Seed: e.Seed, Workers: e.Workers, FailingOnly: e.FailingOnly,
	})
	if ctx.Err() != nil {
		return row, context.Cause(ctx)
	}
	if err != nil {
		row.Problem = err.Error()
		return row, nil
	}
	row.Status, row.Seconds, row.Diagnoses = string(res.Status), res.Seconds, res.Diagnoses
	row.judge(edited)
	return row, nil
}

// judge finds the first diagnoses that are right, by name, by place, and by both.
func (d *diagnosed) judge(edited map[string]bool) {
	note := func(rank *int, i int, is bool) {
		if is && *rank == 0 {
			*rank = i + 1
		}
	}
	for i, f := range d.Diagnoses {
		name := len(d.Faults) == 0 || slices.Contains(d.Faults, f.Fault)
		place := slices.ContainsFunc(f.Places[:min(firstIn, len(f.Places))], func(p diagnosis.Place) bool { return edited[p.File+" "+p.Func] })
		note(&d.Rank, i, name && place)
		note(&d.Place, i, place)
		note(&d.Name, i, name && len(d.Faults) > 0)
	}
}

// Failures implements tables.Document.
func (r *diagnosesReport) Failures() (failures []string) {
	n := 0
	for _, d := range r.Rows {
		if d.Problem != "" {
			failures = append(failures, d.Program+": "+d.Problem)
		}
		if right(d.Rank) {
			n++
		}
	}
	if float64(n) < leastDiagnosed*float64(len(r.Rows)) {
		failures = append(failures, fmt.Sprintf("%d of %d programs are diagnosed right by the first %d, want %.0f %%", n, len(r.Rows), firstDiagnoses, 100*leastDiagnosed))
	}
	return failures
}

// Write implements tables.Document.
func (r *diagnosesReport) Write(w io.Writer, markdown bool) error {
	t := &tables.Table{Header: []string{"program", "first diagnoses", "right", "by place", "by name", "seconds"}}
	ranks, places, names, named := 0, 0, 0, 0
	for _, d := range r.Rows {
		var first []string
		for _, f := range d.Diagnoses[:min(firstDiagnoses, len(d.Diagnoses))] {
			first = append(first, fmt.Sprintf("%s in %s", f.Fault, f.Places[0].Func))
		}
		found := strings.Join(first, "; ")
		if found == "" {
			found = d.Status + d.Problem
		}
		t.Add(d.Program, found, number(d.Rank-1, 1), number(d.Place-1, 1), number(d.Name-1, 1), fmt.Sprintf("%.1f", d.Seconds))
		count := func(sum *int, is bool) {
			if is {
				*sum++
			}
		}
		count(&ranks, right(d.Rank))
		count(&places, right(d.Place))
		count(&names, right(d.Name))
		count(&named, len(d.Faults) > 0)
	}
	_, err := fmt.Fprintf(w, "%s, %s for each\n\nAmong the first %d diagnoses is the right one in %d of %d programs, the right place in %d, the right name in %d of %d.\n\n",
		r.Machine, r.Budget, firstDiagnoses, ranks, len(r.Rows), places, names, named)
	if err != nil {
		return err
	}
	return t.Render(w, markdown)
}
