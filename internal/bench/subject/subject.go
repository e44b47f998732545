package subject

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Subject describes a program with a known bug, as its subject.json does.
type Subject struct {
	Name        string `json:"name"`
	Origin      string `json:"origin"`
	Class       string `json:"class,omitempty"` // of the bug, in a subject of our own: "double close"; "": a program of CORE's
	Kind        string `json:"kind"`            // of the failure
	Bug         string `json:"bug"`
	GoodFix     string `json:"good_fix"`
	PoorFix     string `json:"poor_fix"`
	COREIMCTime string `json:"core_imc_time,omitempty"` // mean time to a fix that CORE-IMC needed (Kelk 2015), "3m29s"; "": it found none

	Dir string `json:"-"` // where it lies
}

// Corrected is the directory of the subject's corrected copy.
func (s Subject) Corrected() string { return filepath.Join(s.Dir, "testdata", "fixed") }

// Wider is the file of the subject's wider test: other paths, fields and errors
// than its own tests have. No repair sees it.
func (s Subject) Wider() string {
	return filepath.Join(s.Dir, "testdata", "wider", "wider_test.go")
}

// Published is CORE-IMC's mean time to a fix; 0: it found none.
func (s Subject) Published() time.Duration {
	if s.COREIMCTime == "" {
		return 0
	}
	d, _ := time.ParseDuration(s.COREIMCTime) // Read has checked it
	return d
}

// Sets of subjects.
const (
	CoreSet = "core" // those that CORE was evaluated on
	OwnSet  = "own"  // the others
	AllSets = "all"
)

// InSet picks the subjects of a set.
func InSet(subjects []Subject, set string) []Subject {
	return slices.DeleteFunc(slices.Clone(subjects), func(s Subject) bool {
		return set == CoreSet && s.Class != "" || set == OwnSet && s.Class == ""
	})
}

// Read reads the subjects below a directory, all of them or those named.
func Read(dir string, only []string) ([]Subject, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "subject.json"))
	if err != nil {
		return nil, fmt.Errorf("list the subjects: %w", err)
	}
	var subjects []Subject
	var names []string
	for _, name := range files {
		s, err := readSubject(name)
		if err != nil {
			return nil, err
		}
		names = append(names, s.Name)
		if len(only) == 0 || slices.Contains(only, s.Name) {
			subjects = append(subjects, s)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no */subject.json below %s; run in Mendel's source or name the directory with --subjects", dir)
	}
	for _, o := range only {
		if !slices.Contains(names, o) {
			return nil, fmt.Errorf("no subject %s below %s; there are %s", o, dir, strings.Join(names, ", "))
		}
	}
	return subjects, nil
}

// readSubject reads one subject.json.
func readSubject(name string) (Subject, error) {
	s := Subject{Dir: filepath.Dir(name)}
	data, err := os.ReadFile(name)
	if err != nil {
		return s, fmt.Errorf("read a subject: %w", err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	if s.COREIMCTime != "" {
		if _, err := time.ParseDuration(s.COREIMCTime); err != nil {
			return s, fmt.Errorf("%s: core_imc_time: %w", name, err)
		}
	}
	return s, nil
}
