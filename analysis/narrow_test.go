package analysis

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var wantMarker = regexp.MustCompile(`(type|func|var):"([^"]*)"`)

// wanted reads the markers of an archive: "bank.go:7: var Account.amount".
func wanted(a *txtar.Archive) []string {
	var want []string
	for _, f := range a.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			_, comment, ok := strings.Cut(line, "// want ")
			if !ok {
				continue
			}
			for _, m := range wantMarker.FindAllStringSubmatch(comment, -1) {
				want = append(want, fmt.Sprintf("%s:%d: %s %s", f.Name, i+1, m[1], m[2]))
			}
		}
	}
	slices.Sort(want)
	return want
}

func found(n *Narrowing) []string {
	var got []string
	types, functions, variables := n.Findings()
	for kind, fs := range map[string][]Finding{"type": types, "func": functions, "var": variables} {
		for _, f := range fs {
			got = append(got, fmt.Sprintf("%s: %s %s", n.place(f), kind, f.Name))
		}
	}
	slices.Sort(got)
	return got
}

// Type-checking and narrowing end with their context.
func TestEnds(t *testing.T) {
	p := loadText(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.25\n-- a.go --\npackage m\n\nfunc F() { go F() }\n-- a_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n")
	if len(executions(t.Context(), p)) != 1 {
		t.Error("not one execution")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if all := executions(ended, p); len(all) > 0 {
		t.Errorf("%d executions", len(all))
	}
	if _, err := Narrow(ended, p); !errors.Is(err, context.Canceled) {
		t.Errorf("narrow: %v", err)
	}
	if _, err := p.unit.check(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("check: %v", err)
	}
	if err := p.unit.dependencies(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("dependencies: %v", err)
	}
}

func TestNarrow(t *testing.T) {
	for name, a := range archives(t, "narrow") {
		t.Run(name, func(t *testing.T) {
			run := ""
			if _, rest, ok := strings.Cut(string(a.Comment), "run: "); ok {
				run = strings.TrimSpace(rest)
			}
			p := load(t, extract(t, a), ".", func(target *Target) { target.Run = run })
			n := narrow(t, p)
			if diff := cmp.Diff(wanted(a), found(n)); diff != "" {
				var table strings.Builder
				n.Table(&table)
				t.Errorf("findings (-want +got):\n%s\n%s", diff, &table)
			}
		})
	}
}
