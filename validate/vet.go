package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mendel/internal/gotool"
	"mendel/mutate"
)

// vet runs go vet on the packages that a mutant changes. What vet also says of
// the original does not count.
func (j *job) vet(ctx context.Context, m *mutate.Mutant) (Check, error) {
	if j.o.Tool == nil {
		return Check{Skipped, "no go command at hand"}, nil
	}
	packages := j.packages(m)
	after, err := j.runVet(ctx, gotool.Overlay(m.Files), packages)
	switch {
	case ctx.Err() != nil:
		return Check{}, fmt.Errorf("go vet: %w", ctx.Err())
	case err != nil:
		return Check{Skipped, "go vet does not run: " + err.Error()}, nil
	case after == nil:
		return Check{Passed, ""}, nil
	}
	before, err := j.vetOriginal(ctx, packages)
	if err != nil {
		return Check{}, err
	}
	if before == nil {
		before = &gotool.BuildError{}
	}
	if finding, ok := newFinding(before, after); ok {
		return Check{}, &Rejected{Mutant: m, Stage: StageVet, Reason: finding}
	}
	n := max(len(after.Diagnostics), 1)
	return Check{Passed, fmt.Sprintf("leaving out %d finding(s) that the original has too", n)}, nil
}

// runVet returns findings; the error is for a vet that cannot run.
func (v *Validator) runVet(ctx context.Context, overlay gotool.Overlay, packages []string) (*gotool.BuildError, error) {
	err := v.o.Tool.Vet(ctx, gotool.BuildOptions{Flags: v.o.Program.Target.Flags, Overlay: overlay}, packages...)
	var findings *gotool.BuildError
	if errors.As(err, &findings) {
		return findings, nil
	}
	return nil, err
}

// vetOriginal vets the original once for each set of packages.
func (v *Validator) vetOriginal(ctx context.Context, packages []string) (*gotool.BuildError, error) {
	key := strings.Join(packages, " ")
	if known, ok := v.vetted[key]; ok {
		return known, nil
	}
	findings, err := v.runVet(ctx, nil, packages)
	if err != nil {
		return nil, fmt.Errorf("go vet of the original: %w", err)
	}
	v.vetted[key] = findings
	return findings, nil
}

// newFinding returns the first finding of after that before has not as often.
// Lines are not compared: a patch moves them.
func newFinding(before, after *gotool.BuildError) (string, bool) {
	if len(after.Diagnostics) == 0 {
		// Without positions only the whole text can be compared.
		text := strings.TrimSpace(after.Output)
		return text, len(before.Diagnostics) > 0 || text != strings.TrimSpace(before.Output)
	}
	type finding struct{ file, message string }
	known := map[finding]int{}
	for _, d := range before.Diagnostics {
		known[finding{d.File, d.Message}]++
	}
	for _, d := range after.Diagnostics {
		f := finding{d.File, d.Message}
		if known[f]--; known[f] < 0 {
			return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message), true
		}
	}
	return "", false
}

// packages lists the import paths of the packages that a mutant changes, sorted.
func (j *job) packages(m *mutate.Mutant) []string {
	var paths []string
	for name := range m.Files {
		f := j.o.Program.File(name)
		if f == nil || f.Package == nil {
			continue
		}
		path := f.Package.Path
		if t := f.Package.Types; t != nil && strings.HasSuffix(t.Name(), "_test") {
			path = strings.TrimSuffix(path, "_test") // vetted with the package it tests
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
