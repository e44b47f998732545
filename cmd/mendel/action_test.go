package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"mendel/internal/sample"
)

// An action is what action.yml says.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Uses, Shell, Run string
	Directory                      string `yaml:"working-directory"`
	Env, With                      map[string]string
}

func readAction(t *testing.T) (action, string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

// Each input is used, and nothing is used that is no input and no output of a step
// before.
func TestActionIsWhole(t *testing.T) {
	a, text := readAction(t)
	if a.Runs.Using != "composite" {
		t.Errorf("it is %q, no composite action", a.Runs.Using)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("there is no input %s", m[1])
		}
	}
	for name, in := range a.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("input %s is not used, or not described", name)
		}
	}
	known := map[string]bool{}
	for _, s := range a.Runs.Steps {
		for _, m := range regexp.MustCompile(`steps\.([a-z-]+)`).FindAllStringSubmatch(fmt.Sprint(s.Env, s.With, s.If), -1) {
			if !known[m[1]] {
				t.Errorf("step %q uses step %s, which is none before it", s.Name, m[1])
			}
		}
		known[s.ID] = true
		switch {
		case s.Uses != "" && !regexp.MustCompile(`^[\w.-]+/[\w./-]+@v\d+$`).MatchString(s.Uses):
			t.Errorf("step %q uses %s without a version", s.Name, s.Uses)
		case s.Run != "" && (s.Shell != "bash" || strings.Contains(s.Run, "${{")):
			t.Errorf("step %q: inputs belong into the environment of a script of bash: %s", s.Name, s.Run)
		}
	}
}

// The workflow with the action in docs/ci.md uses inputs that there are.
func TestActionDocument(t *testing.T) {
	a, _ := readAction(t)
	var workflow struct {
		Jobs map[string]struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal([]byte(fenced(t, documents(t)["docs/ci.md"], "yaml", "/mendel@")), &workflow); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if !strings.Contains(s.Uses, "/mendel@") {
				continue
			}
			found = true
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("there is no input %s", name)
				}
			}
		}
	}
	if !found {
		t.Error("the workflow does not use the action")
	}
}

// A runner does what GitHub's does with the steps of an action that are scripts.
type runner struct {
	t       *testing.T
	action  action
	inputs  map[string]string
	outputs map[string]string // by step and name
	repo    string
	env     []string
	n       int
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// value replaces the expressions in a text.
func (r *runner) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		for one := range strings.SplitSeq(expression.FindStringSubmatch(e)[1], " || ") {
			got := ""
			if name, ok := strings.CutPrefix(one, "inputs."); ok {
				if got, ok = r.inputs[name]; !ok {
					got = r.action.Inputs[name].Default
				}
			} else if name, ok := strings.CutPrefix(one, "steps."); ok {
				got = r.outputs[strings.Replace(name, ".outputs.", ".", 1)]
			} else {
				got = "the value of " + one
			}
			if got != "" {
				return got
			}
		}
		return ""
	})
}

// run runs a step, and returns what it printed and its exit code.
func (r *runner) run(id string) (string, int) {
	r.t.Helper()
	for _, s := range r.action.Runs.Steps {
		if s.Run == "" || s.ID != id && s.Name != id {
			continue
		}
		r.n++
		written := filepath.Join(r.t.TempDir(), fmt.Sprint("output", r.n))
		c := exec.Command("bash", "-c", s.Run)
		c.Dir = filepath.Join(r.repo, r.value(s.Directory))
		c.Env = append(append(os.Environ(), r.env...), "GITHUB_OUTPUT="+written)
		for name, value := range s.Env {
			c.Env = append(c.Env, name+"="+r.value(value))
		}
		out, err := c.CombinedOutput()
		if _, ended := err.(*exec.ExitError); err != nil && !ended {
			r.t.Fatal(err)
		}
		text, _ := os.ReadFile(written) // there is none if nothing was told
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			r.outputs[s.ID+"."+name] = value
		}
		return string(out), c.ProcessState.ExitCode()
	}
	r.t.Fatalf("there is no step %s", id)
	return "", 0
}

// fakeGh records what it is asked for. There is a pull request if the file says so.
const fakeGh = `#!/bin/sh
printf '%s\n' "$*" >>"$GH_LOG"
case "$1 $2" in
"pr list") cat "$GH_LOG.open" 2>/dev/null ;;
"pr create") echo https://example.com/pull/7 ;;
esac
exit 0
`

// The action checks and repairs a module in a subdirectory, and opens a pull request with
// the fix, or brings it up to date; the checkout stays as it is.
func TestAction(t *testing.T) {
	sample.Whole(t, "TestActionIsWhole and TestActionDocument read the action")
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("a repair takes some seconds, in a shell")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := readAction(t)
	repo, remote, temp, bin := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	for name, text := range racing {
		writeIn(t, filepath.Join(repo, "mod"), name, text)
	}
	writeIn(t, bin, "gh", fakeGh)
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(dir string, args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git(remote, "init", "-q", "--bare")
	git(repo, "init", "-q", "-b", "main")
	git(repo, "add", ".")
	git(repo, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "racing")
	git(repo, "remote", "add", "origin", remote)
	head := git(repo, "rev-parse", "HEAD")

	log := filepath.Join(temp, "gh.log")
	r := &runner{t: t, action: a, outputs: map[string]string{}, repo: repo, env: []string{
		"GITHUB_ACTION_PATH=" + root, "RUNNER_TEMP=" + temp, "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary.md"),
		"GITHUB_REF_NAME=main", "GITHUB_HEAD_REF=", "GH_LOG=" + log, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
	}}
	r.inputs = map[string]string{
		"directory": "mod", "budget": "30s", "repair-budget": "5m", "repair-flags": "--confirm 5 --checker=false", "pull-request": "true", "token": "secret",
	}
	for _, step := range []struct {
		id    string
		code  int
		holds string
	}{
		{"Build Mendel", 0, "built with"},
		{"check", 0, "::error title=Mendel::"},
		{"repair", 0, "::notice file=mod/racing.go"},
		{"pull-request", 0, "::notice title=Mendel::the fixes are in https://example.com/pull/7"},
		{"finish", 1, "tests fail under some interleavings"},
	} {
		out, code := r.run(step.id)
		if code != step.code || !strings.Contains(out, step.holds) {
			t.Fatalf("step %s ends with %d, want %d, with %q in\n%s", step.id, code, step.code, step.holds, out)
		}
	}
	for name, want := range map[string]string{
		"check.code": "1", "repair.code": "0", "pull-request.url": "https://example.com/pull/7", "finish.result": "failed",
	} {
		if got := r.outputs[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for name, holds := range map[string]string{
		log:                                   "pr create --base main --head mendel/fix --title ",
		r.value(a.Outputs["sarif"].Value):     `"ruleId": "mendel/race"`,
		r.outputs["check.sarif"]:              `"ruleId": "mendel/race"`,
		filepath.Join(temp, "summary.md"):     "1 failed, 1 fixed",
		filepath.Join(temp, "mendel-body.md"): "racing",
	} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), holds) {
			t.Errorf("%s has no %q, %v:\n%s", name, holds, err, text)
		}
	}
	if text := git(remote, "show", "mendel/fix:mod/racing.go"); !strings.Contains(text, "sync.Mutex") && !strings.Contains(text, "atomic") {
		t.Errorf("the branch has no fix:\n%s", text)
	}
	if now := git(repo, "rev-parse", "HEAD") + git(repo, "status", "--porcelain") + git(repo, "branch", "--format=%(refname:short)"); now != head+"main\n" {
		t.Errorf("the checkout has changed:\n%s", now)
	}

	writeIn(t, temp, "gh.log.open", "https://example.com/pull/5\n")
	if out, code := r.run("pull-request"); code != 0 || r.outputs["pull-request.url"] != "https://example.com/pull/5" {
		t.Errorf("the second time: exit code %d\n%s", code, out)
	}
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), "pr edit https://example.com/pull/5 --body-file ") {
		t.Errorf("the open pull request was not edited: %v\n%s", err, text)
	}
	for _, c := range []struct {
		check, repair, fail, result string
		code                        int
	}{
		{"0", "", "true", "clean", 0},
		{"0", "3", "true", "clean", 0},
		{"0", "1", "true", "failed", 1},
		{"1", "", "true", "failed", 1},
		{"1", "0", "false", "failed", 0},
		{"2", "", "true", "error", 2},
		{"1", "2", "true", "error", 2},
	} {
		r.outputs["check.code"], r.outputs["repair.code"], r.inputs["fail"] = c.check, c.repair, c.fail
		if out, code := r.run("finish"); code != c.code || r.outputs["finish.result"] != c.result {
			t.Errorf("%+v: %s, exit code %d\n%s", c, r.outputs["finish.result"], code, out)
		}
	}
	r.inputs["repair"] = "sometimes"
	if out, code := r.run("repair"); code != 2 || !strings.Contains(out, "want failed, always or never") {
		t.Errorf("repair: sometimes ends with %d\n%s", code, out)
	}
}
