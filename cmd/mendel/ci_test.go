package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"mendel/internal/sample"
)

// A step of the workflow in docs/ci.md, as far as it concerns us.
type ciStep struct {
	name, id, uses, run string
	env                 map[string]string
}

// ciSteps reads the steps of the workflow: the subset of YAML that it is
// written in, by indentation.
func ciSteps(t *testing.T, workflow string) []ciStep {
	t.Helper()
	var steps []ciStep
	section := "" // key at the level of a step
	for line := range strings.Lines(workflow[strings.Index(workflow, "    steps:\n"):]) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(line, "\t") {
			t.Errorf("a tab in YAML: %q", line)
		}
		if rest, ok := strings.CutPrefix(line, "      - "); ok {
			steps = append(steps, ciStep{env: map[string]string{}})
			line = "        " + rest
		}
		if len(steps) == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		step := &steps[len(steps)-1]
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case indent == 8:
			section = strings.TrimSuffix(key, ":")
			switch section {
			case "name":
				step.name = value
			case "id":
				step.id = value
			case "uses":
				step.uses = value
			case "run", "env", "with", "if":
			default:
				t.Errorf("a step has no %q", section)
			}
		case section == "env":
			step.env[key] = value
		case section == "run":
			step.run += strings.TrimPrefix(line, "          ") + "\n"
		}
	}
	return steps
}

// fenced is the first code block of a language in a document that holds a text.
func fenced(t *testing.T, document, language, holds string) string {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(document, -1) {
		if strings.Contains(m[1], holds) {
			return m[1]
		}
	}
	t.Fatalf("no %s block with %q", language, holds)
	return ""
}

// output matches what one step hands to another.
var output = regexp.MustCompile(`\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}`)

// The workflow and the script of docs/ci.md do what they say in a module with a
// bug: the job fails, and leaves reports and a patch.
func TestCIDocument(t *testing.T) {
	sample.Whole(t, "TestDocumentedInvocations knows its commands and flags, and TestScripts/series_repair repairs packages")
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("a repair takes some seconds, in a shell")
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	// What it takes to be sure is not in question here.
	document := strings.ReplaceAll(string(text), "--budget 1h", "--budget 5m --confirm 5 --checker=false")
	module, temp := filepath.Join(t.TempDir(), "module"), t.TempDir()
	for name, text := range racing {
		writeIn(t, module, name, text)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(module, ".mendel")); err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{} // by step and name
	last := 0
	for _, step := range ciSteps(t, fenced(t, document, "yaml", "jobs:")) {
		if step.run == "" {
			if step.uses == "" {
				t.Errorf("step %q does nothing", step.name)
			}
			continue
		}
		env := []string{"RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary.md")}
		for name, value := range step.env {
			env = append(env, name+"="+output.ReplaceAllStringFunc(value, func(s string) string {
				m := output.FindStringSubmatch(s)
				got, ok := outputs[m[1]+"."+m[2]]
				if !ok {
					t.Errorf("step %q uses %s, which no step before it writes", step.name, s)
				}
				return got
			}))
		}
		last = shell(t, module, step.run, env)
		if want := step.name == "Fail if there is a bug"; (last != 0) != want {
			t.Fatalf("step %q ends with %d", step.name, last)
		}
		written, _ := os.ReadFile(filepath.Join(temp, "output"))
		for line := range strings.Lines(string(written)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			outputs[step.id+"."+name] = value
		}
	}
	if last != 1 || outputs["repair.code"] != "0" {
		t.Errorf("the job ends with %d, the repair with %q", last, outputs["repair.code"])
	}
	for name, holds := range map[string]string{
		filepath.Join(temp, "summary.md"):                        "# Mendel: 1 package, 1 failed, 1 fixed",
		filepath.Join(module, "mendel.sarif"):                    `"ruleId": "mendel/race"`,
		filepath.Join(module, "mendel-out/1-racing/report.html"): "</html>",
		filepath.Join(module, "mendel-out/1-racing/fix-1.patch"): "--- a/racing.go",
	} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), holds) {
			t.Errorf("%s has no %q, %v", name, holds, err)
		}
	}
	nightly := fenced(t, document, "sh", "nightly.sh")
	for _, tt := range []struct {
		repair, report string // in place of the commands
		code           int
	}{
		{"(exit 0)", "mendel report", 1},
		{"(exit 1)", "mendel report", 1},
		{"(exit 2)", "false", 1},
		{"(exit 3)", "mendel report", 0},
		{"(exit 3)", "false", 2},
	} {
		script := regexp.MustCompile("(?m)^mendel repair .*$").ReplaceAllString(nightly, tt.repair)
		if code := shell(t, module, strings.ReplaceAll(script, "mendel report", tt.report), nil); code != tt.code {
			t.Errorf("the script ends with %d, want %d, of %+v", code, tt.code, tt)
		}
	}
	if text, err := os.ReadFile(filepath.Join(module, "mendel-out", "mendel.sarif")); err != nil || !strings.Contains(string(text), "mendel/race") {
		t.Errorf("the script leaves no SARIF log, %v", err)
	}
}

// shell runs a script as GitHub's runner does and returns its exit code.
func shell(t *testing.T, dir, script string, env []string) int {
	t.Helper()
	c := exec.Command("bash", "-e", "-c", script)
	if strings.HasPrefix(script, "#!/bin/sh\n") {
		c = exec.Command("sh", "-c", script, "nightly.sh", ".")
	}
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", script, out)
	return c.ProcessState.ExitCode()
}

// racing is a module with a race.
var racing = map[string]string{
	"go.mod":    "module example.com/racing\n\ngo 1.25\n",
	"racing.go": "// Package racing counts.\npackage racing\n\n// A Counter counts.\ntype Counter struct{ n int }\n\n// Add counts one more.\nfunc (c *Counter) Add() {\n\tc.n++\n}\n",
	"racing_test.go": `package racing

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(c.Add)
	}
	wg.Wait()
}
`,
}

func writeIn(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
