package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mendel"
)

// completions are what a shell is told for a line that is not complete, and how it
// is to go on.
func completions(t *testing.T, line ...string) (values []string, directive string) {
	t.Helper()
	root := newRootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, line...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestCompletion(t *testing.T) {
	const files, nothing, noSpace, dirs, extension = ":0", ":4", ":6", ":16", ":8"
	for _, c := range []struct {
		line      string
		want      []string
		directive string
	}{
		{"check --strategy ", []string{"auto", "dfs", "mcm", "states", "predict", "random", "pct", "pctlarge", "pos"}, nothing},
		{"check --strategy p", []string{"predict", "pct", "pctlarge", "pos"}, nothing},
		{"report --format ", mendel.ReviewFormats(), nothing},
		{"repair --color n", []string{"never"}, nothing},
		{"localize --noise functions,s", []string{"functions,sections", "functions,shared"}, noSpace},
		{"seed --operators dropsec", []string{"dropsection"}, noSpace},
		{"repair --resume ", nil, dirs},
		{"repair -C ", nil, dirs},
		{"repair ./", nil, dirs},
		{"status ", nil, dirs},
		{"replay ", []string{"schedule"}, extension},
		{"repair --from ", nil, files},
		{"rep", []string{"repair", "replay", "reproduce", "report"}, nothing},
	} {
		got, directive := completions(t, strings.Split(c.line, " ")...)
		if !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 || directive != c.directive {
			t.Errorf("%q is completed by %q %s, want %q %s", c.line, got, directive, c.want, c.directive)
		}
	}
}

// Whatever the usage of a flag lists as its values is completed, and accepted.
func TestFlagValuesAreAccepted(t *testing.T) {
	for _, v := range flagValues()["strategy"] {
		o := mendel.CheckOptions{Strategy: v, Dir: "nowhere"}
		if _, err := mendel.Check(t.Context(), o); err == nil || strings.Contains(err.Error(), "--strategy") {
			t.Errorf("--strategy %s: %v", v, err)
		}
	}
	for _, v := range flagValues()["color"] {
		if _, err := wantColor(v, &bytes.Buffer{}); err != nil {
			t.Error(err)
		}
	}
	for _, v := range flagValues()["method"] {
		o := mendel.LocalizeOptions{Method: v, Dir: "nowhere"}
		if _, err := mendel.Localize(t.Context(), o); err == nil || strings.Contains(err.Error(), "--method") {
			t.Errorf("--method %s: %v", v, err)
		}
	}
	o := mendel.LocalizeOptions{Noise: flagValues()["noise"], Dir: "nowhere"}
	if _, err := mendel.Localize(t.Context(), o); err == nil || strings.Contains(err.Error(), "--noise") {
		t.Errorf("--noise: %v", err)
	}
}

func TestMisspeltCommand(t *testing.T) {
	for give, want := range map[string]string{
		"repiar": `there is no command "repiar"; did you mean repair or replay?`,
		"chek":   `there is no command "chek"; did you mean check?`,
		"rep":    `there is no command "rep"; did you mean repair or replay or reproduce or report?`,
		"mutate": `there is no command "mutate"; mendel help lists the commands`,
	} {
		root := newRootCommand()
		root.SetArgs([]string{give})
		if err := root.Execute(); err == nil || err.Error() != want {
			t.Errorf("mendel %s: %v, want %s", give, err, want)
		}
	}
}
