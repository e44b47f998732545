package mendel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/report"
)

const resultName = "result.json"

// prepareOut makes the output directory and tries to write there, before the
// work rather than after it.
func prepareOut(dir string) error {
	if dir == "" {
		return nil
	}
	const out = "choose another directory with --out"
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the output directory: %w; %s", err, out)
	}
	probe, err := os.CreateTemp(dir, ".mendel-*")
	if err != nil {
		return fmt.Errorf("write to the output directory: %w; %s", err, out)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// save writes result.json and the patches, and removes an earlier run's patches.
func (res *Result) save(dir string) error {
	if dir == "" {
		return nil
	}
	// And what a process that was killed while it wrote has left.
	for _, pattern := range []string{"fix-*.patch", "failure-*.schedule", ".fix-*.tmp", ".failure-*.tmp", ".result.json.*.tmp", ".dossier.json.*.tmp", ".mendel-*", "report.html", "report.md", ".report.*.tmp"} {
		old, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return fmt.Errorf("look for an earlier run's files: %w", err)
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("remove an earlier run's file: %w", err)
			}
		}
	}
	if err := res.forgetFaults(dir); err != nil {
		return err
	}
	// Each is tried, and the patches first: a disk may have room for some.
	var problem error
	for _, f := range res.Fixes {
		if err := gotool.WriteFile(filepath.Join(dir, f.Patch), []byte(f.Diff)); err != nil {
			problem = errors.Join(problem, fmt.Errorf("save a patch: %w", err))
		}
	}
	data, err := res.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, resultName), data); err != nil {
		problem = errors.Join(problem, fmt.Errorf("save the result: %w", err))
	}
	return errors.Join(problem, res.saveSchedules(dir))
}

// saveSchedules writes a failing schedule for each failure that has one.
func (res *Result) saveSchedules(dir string) error {
	for _, f := range res.Failures {
		if f.Schedule == "" {
			continue
		}
		if err := checker.WriteSchedule(filepath.Join(dir, f.Schedule), f.file); err != nil {
			return err
		}
	}
	return nil
}

// JSON is the result as in result.json.
func (res *Result) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // patches stay readable
	e.SetIndent("", "  ")
	if err := e.Encode(res); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return b.Bytes(), nil
}

// Apply writes a fix into the source. A file that is no longer what was
// analysed is an error, and then nothing is written.
func (res *Result) Apply(f Fix) error {
	if f.found == nil {
		return res.applyEnded(f)
	}
	changes := report.Changes(res.program, f.found.Mutant)
	for _, c := range changes {
		now, err := os.ReadFile(filepath.Join(res.Target.Module, filepath.FromSlash(c.Path)))
		if err != nil {
			return fmt.Errorf("apply %s: %w", f.Patch, err)
		}
		if !bytes.Equal(now, c.Before) {
			return fmt.Errorf("apply %s: %s has changed since it was analysed; apply the patch by hand", f.Patch, c.Path)
		}
	}
	for _, c := range changes {
		if err := gotool.WriteFile(filepath.Join(res.Target.Module, filepath.FromSlash(c.Path)), c.After); err != nil {
			return fmt.Errorf("apply %s: %w", f.Patch, err)
		}
	}
	return nil
}
