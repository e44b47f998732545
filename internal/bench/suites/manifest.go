package suites

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/gate"
)

//go:embed manifest.json
var manifestText []byte

// A manifest is what is checked, and what was made of failures.
type manifest struct {
	Libraries  []source    `json:"libraries"`
	Judgements []judgement `json:"judgements"`
}

// A source is a library at a version.
type source struct {
	Module   string   `json:"module"`
	Version  string   `json:"version"`
	Packages []string `json:"packages,omitempty"` // patterns; none: all
}

func (s source) String() string { return s.Module + "@" + s.Version }

// patterns are the packages for a command.
func (s source) patterns() []string {
	if len(s.Packages) == 0 {
		return []string{"./..."}
	}
	return s.Packages
}

// An opinion is what somebody who has read a failure makes of it.
type opinion string

const (
	bug      opinion = "bug"   // a maintainer would mend it
	flake    opinion = "flake" // the test fails on a machine that is slow enough
	left     opinion = "left"  // the test leaves goroutines, and does no harm by that
	wrong    opinion = "false" // the program cannot do that
	unjudged opinion = ""
)

// A judgement is an opinion on failures of a test.
type judgement struct {
	Library string        `json:"library"` // module@version
	Test    string        `json:"test"`
	Kind    evidence.Kind `json:"kind"`
	Part    string        `json:"part,omitempty"` // of the message; "": any
	Is      opinion       `json:"is"`
	Why     string        `json:"why"`
}

// about reports whether a judgement is about a failure.
func (j judgement) about(library string, f gate.Failure) bool {
	return j.Library == library && j.Test == f.Test && j.Kind == f.Kind && strings.Contains(f.Message, j.Part)
}

// readManifest reads a manifest and refuses what cannot be meant.
func readManifest(text []byte) (*manifest, error) {
	var m manifest
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("read the manifest of libraries: %w", err)
	}
	known := map[string]bool{}
	for _, s := range m.Libraries {
		if s.Module == "" || !strings.HasPrefix(s.Version, "v") || known[s.String()] {
			return nil, fmt.Errorf("manifest of libraries: %s has no module or version, or is there twice", s)
		}
		known[s.String()] = true
	}
	for _, j := range m.Judgements {
		switch {
		case !known[j.Library]:
			return nil, fmt.Errorf("manifest of libraries: a judgement of %s, which is not in it", j.Library)
		case !slices.Contains([]opinion{bug, flake, left, wrong}, j.Is) || j.Test == "" || j.Kind == "" || j.Why == "":
			return nil, fmt.Errorf("manifest of libraries: %s, %s: a judgement says bug, flake, left or false of a test's kind of failure, and why", j.Library, j.Test)
		}
	}
	return &m, nil
}

// judge finds what is thought of a failure.
func (m *manifest) judge(library string, f gate.Failure) (opinion, string) {
	for _, j := range m.Judgements {
		if j.about(library, f) {
			return j.Is, j.Why
		}
	}
	return unjudged, ""
}
