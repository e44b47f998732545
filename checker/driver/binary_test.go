package driver

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
	"mendel/internal/gotool"
)

// A binary is built as the checker does it, the runtime in GOROOT, and answers.
func TestBinary(t *testing.T) {
	binary, tool := build(t, "testdata/bank.txtar")
	answers := start(t, tool, binary, wire.Request{
		Mode: wire.Check, Tests: []string{"TestTransfer", "TestOpen", "TestAgain", "TestGone"},
		Search: wire.Search{Strategy: "dfs", Preemptions: -1, Minimise: 200},
	})
	if len(answers) != 6 || answers[0].Ready == nil || answers[1].Found == nil || !answers[5].Done {
		t.Fatalf("answers: %+v", answers)
	}
	if r := answers[0].Ready; r.Planted != "" || !slices.Equal(r.Missing, []string{"TestGone"}) {
		t.Errorf("%+v", r)
	}
	transfer, open, again := answers[2].Test, answers[3].Test, answers[4].Test
	if transfer.Verdict != explore.Failed || transfer.Failures[0].Failure.Kind != sched.Deadlock {
		t.Fatalf("TestTransfer: %+v", transfer)
	}
	for _, p := range transfer.Failures[0].Failure.Places {
		if base := filepath.Base(p.File); base != "bank.go" && base != "bank_test.go" {
			t.Errorf("TestTransfer: place %s is not the program's", p)
		}
	}
	if open.Verdict != explore.Exhausted {
		t.Errorf("TestOpen: %+v", open)
	}
	if again.Verdict != explore.Inconclusive || !again.Stateful {
		t.Errorf("TestAgain: %+v", again)
	}

	answers = start(t, tool, binary, wire.Request{
		Mode: wire.Replay, First: []wire.Schedule{{Test: "TestTransfer", Choices: transfer.Failures[0].Choices}},
	})
	if r := about(t, answers); r.Verdict != explore.Failed || r.Diverged != "" {
		t.Errorf("replay: %+v", r)
	}
	request := wire.Request{Mode: wire.Check, Tests: []string{"TestAgain"}}
	request.Search.OwnProcess = true
	if r := about(t, start(t, tool, binary, request)); r.Verdict != explore.Passed || r.Executions != 1 {
		t.Errorf("TestAgain in a process of its own: %+v", r)
	}
}

// Without a request the entry is skipped, and the other tests are what they were.
func TestBinaryWithoutRequest(t *testing.T) {
	binary, tool := build(t, "testdata/bank.txtar")
	result, err := gotool.Run(t.Context(), gotool.RunOptions{Path: binary, Args: []string{"-test.v", "-test.run=Zz|Transfer"}, Dir: tool.Dir})
	if err != nil {
		t.Fatal(err)
	}
	out := string(result.Output)
	if result.ExitCode != 0 || !strings.Contains(out, "--- SKIP: TestZzMendel") || !strings.Contains(out, "--- PASS: TestTransfer") {
		t.Errorf("exit code %d:\n%s", result.ExitCode, out)
	}
}

// build builds the test binary of a module with the runtime.
func build(t *testing.T, archive string) (binary string, tool *gotool.Toolchain) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if tool, err = gotool.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	overlay := gotool.Overlay{}
	for _, root := range []string{"sched", "shim", "wire", "state", "driver"} {
		err := fs.WalkDir(os.DirFS(".."), root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(filepath.Join("..", name))
			overlay[filepath.Join(tool.GOROOT, "src", "mendelrt", name)] = []byte(strings.ReplaceAll(string(text), `"mendel/checker/`, `"mendelrt/`))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	binary = filepath.Join(t.TempDir(), "bank.test")
	if err := tool.BuildTest(t.Context(), gotool.BuildOptions{Package: ".", Output: binary, Overlay: overlay}); err != nil {
		t.Fatal(err)
	}
	return binary, tool
}

// start runs the binary with a request and returns its answers.
func start(t *testing.T, tool *gotool.Toolchain, binary string, r wire.Request) (answers []wire.Answer) {
	t.Helper()
	dir := t.TempDir()
	r.Answers = filepath.Join(dir, "answers")
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	request := filepath.Join(dir, "request")
	if err := os.WriteFile(request, text, 0o666); err != nil {
		t.Fatal(err)
	}
	result, err := gotool.Run(t.Context(), gotool.RunOptions{
		Path: binary, Args: []string{"-test.run=^" + wire.Entry + "$", "-test.paniconexit0"}, Dir: tool.Dir,
		Env: []string{wire.Env + "=" + request}, Timeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if result.ExitCode != 0 {
		t.Errorf("exit code %d:\n%s", result.ExitCode, result.Output)
	}
	if text, err = os.ReadFile(r.Answers); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var a wire.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers = append(answers, a)
	}
	return answers
}
