package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"mendel/checker"
	"mendel/internal/dossier"
	"mendel/internal/gotool"
)

// Name is the file in the output directory that a result is in.
const Name = "result.json"

// clusterDir is the directory of a cluster's own repair.
const clusterDir = "fault-%s"

// ClusterDir names the directory of cluster n's own repair, from 1, below the
// output directory.
func ClusterDir(n int) string { return fmt.Sprintf(clusterDir, fmt.Sprint(n)) }

// PatchName names the patch of fix i.
func PatchName(i int) string { return fmt.Sprintf("fix-%d.patch", i+1) }

// ScheduleName names the schedule of failure i.
func ScheduleName(i int) string { return fmt.Sprintf("failure-%d.schedule", i+1) }

// outcome are the files of a repair that could be taken for those of another one.
var outcome = []string{"fix-*.patch", "failure-*.schedule", "report.html", "report.md"}

// unfinished are files that a process leaves that is killed while it writes them.
var unfinished = []string{".fix-*.tmp", ".failure-*.tmp", ".result.json.*.tmp", ".dossier.json.*.tmp", ".mendel-*", ".report.*.tmp"}

// PrepareOut makes the output directory and tries to write there, before the
// work rather than after it. A directory that it makes is ignored by git; one that
// was there keeps what it has.
func PrepareOut(dir string) error {
	if dir == "" {
		return nil
	}
	const out = "choose another directory with --out"
	_, err := os.Stat(dir)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the output directory: %w; %s", err, out)
	}
	if isNew {
		if err := ignore(dir); err != nil {
			return fmt.Errorf("write to the output directory: %w; %s", err, out)
		}
	}
	probe, err := os.CreateTemp(dir, ".mendel-*")
	if err != nil {
		return fmt.Errorf("write to the output directory: %w; %s", err, out)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// ignored is what lets git ignore a directory with all that is in it.
const ignored = "# Made by Mendel.\n*\n"

// ignore lets git ignore a directory that was made for output, unless it lies in one
// that is ignored so.
func ignore(dir string) error {
	if above, err := os.ReadFile(filepath.Join(filepath.Dir(dir), ".gitignore")); err == nil && string(above) == ignored {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(ignored), 0o666)
}

// Remove removes the files of a directory that match one of the patterns.
func Remove(dir string, patterns ...string) error {
	for _, pattern := range patterns {
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
	return nil
}

// RemoveOutcome removes what an earlier repair left in a directory that could
// be taken for the outcome of this one.
func RemoveOutcome(dir string) error {
	return Remove(dir, append(slices.Clone(outcome), Name, dossier.Name)...)
}

// Save writes result.json, the patches and the schedules of the failures, by
// the names that the result has for them, and removes an earlier run's. An empty
// dir is no error, and nothing is written.
func (r *Result) Save(dir string, schedules map[string]*checker.File) error {
	if dir == "" {
		return nil
	}
	if err := Remove(dir, append(slices.Clone(outcome), unfinished...)...); err != nil {
		return err
	}
	if err := r.forgetClusters(dir); err != nil {
		return err
	}
	// Each is tried, and the patches first: a disk may have room for some.
	var problem error
	for _, f := range r.Fixes {
		if err := gotool.WriteFile(filepath.Join(dir, f.Patch), []byte(f.Diff)); err != nil {
			problem = errors.Join(problem, fmt.Errorf("save a patch: %w", err))
		}
	}
	data, err := r.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		problem = errors.Join(problem, fmt.Errorf("save the result: %w", err))
	}
	for _, f := range r.Failures {
		if f.Schedule != "" {
			problem = errors.Join(problem, checker.WriteSchedule(filepath.Join(dir, f.Schedule), schedules[f.Schedule]))
		}
	}
	return problem
}

// forgetClusters removes what earlier repairs of clusters left in the output
// directory that could be taken for the outcome of this one.
func (r *Result) forgetClusters(dir string) error {
	old, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf(clusterDir, "*")))
	if err != nil {
		return fmt.Errorf("look for an earlier run's files: %w", err)
	}
	for _, name := range old {
		if slices.ContainsFunc(r.Clusters, func(c Cluster) bool { return c.Out == filepath.Base(name) && c.Status != "" }) {
			continue
		}
		if err := RemoveOutcome(name); err != nil {
			return err
		}
	}
	return nil
}

// Read reads the result in an output directory.
func Read(dir string) (*Result, error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		return nil, fmt.Errorf("read the result: %w", err)
	}
	r := &Result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("read the result in %s: %w", filepath.Join(dir, Name), err)
	}
	return r, nil
}

// JSON is the result as in result.json.
func (r *Result) JSON() ([]byte, error) { return Indent(r) }

// Indent encodes a value for files that people look into: indented, with "<-"
// and "&" as they are.
func Indent(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return b.Bytes(), nil
}
