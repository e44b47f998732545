package hostile

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// The command runs hostile tests and finds that nothing is left of them. The
// fork bombs are left to the command itself: tests of other packages run beside.
func TestHostile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux contains them all")
	}
	out := t.TempDir()
	o := Options{Only: []string{"Daemonises", "LocksDirectories", "ReplacesTempDir", "Relay"}, Ways: []string{byNoise}, Memory: 512, Disk: 64, Out: out}
	var stdout strings.Builder
	if err := Run(t.Context(), o, &stdout, t.Output()); err != nil {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	data, err := os.ReadFile(filepath.Join(out, "hostile.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	ended := map[string]string{}
	for _, c := range r.Cases {
		ended[c.Name] = c.Ended
		if c.Processes != 0 || len(c.Files) != 0 {
			t.Errorf("%s: %d processes and %v are left", c.Name, c.Processes, c.Files)
		}
	}
	for _, name := range []string{"TestDaemonises", "TestLocksDirectories", "TestReplacesTempDir", "TestRelay"} {
		if ended[name] != endedPassed {
			t.Errorf("%s ended %q, want %q", name, ended[name], endedPassed)
		}
	}
}

// What is left behind is seen, whoever looks for it in vain.
func TestSandboxSees(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	a, err := newSandbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.remove(); err != nil {
			t.Error(err)
		}
	}()
	var started *os.Process
	careless := func(context.Context, kind) (_, _ string, err error) {
		started, err = os.StartProcess(a.imp(), []string{a.imp(), "sleep"}, &os.ProcAttr{})
		if err != nil {
			return "", "", err
		}
		for len(a.started()) == 0 { // it is the one that starts it until it has begun
			time.Sleep(time.Millisecond)
		}
		return endedPassed, "", os.WriteFile(filepath.Join(a.tmp(), "file"), nil, 0o600)
	}
	k := kind{test: "TestCareless", limit: time.Minute, ends: []string{endedFailed}}
	c, err := a.watch(t.Context(), k, byNoise, careless)
	if started != nil {
		_ = started.Kill()
		_, _ = started.Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.judge(k, 1<<30)
	want := []string{"ended passed (), and not by itself", "left 1 processes behind", "left files behind: tmp/file"}
	if !slices.Equal(c.Problems, want) {
		t.Errorf("problems %q, want %q", c.Problems, want)
	}
	if len(a.processes()) != 0 {
		t.Error("a process that has ended is seen")
	}
}

func TestJudgeHostile(t *testing.T) {
	k := kind{test: "TestX", limit: time.Second, ends: []string{atMemory}}
	good := outcome{Path: byNoise, Ended: atMemory, Seconds: 1.5, Limit: 1, Peak: 100}
	for _, test := range []struct {
		change func(*outcome)
		want   string
	}{
		{func(*outcome) {}, ""},
		{func(c *outcome) { c.Ended = onTime }, "and not memory"},
		{func(c *outcome) { c.Ended, c.Path = onTime, byCheck }, ""},
		{func(c *outcome) { c.Seconds = 12 }, "after its limit"},
		{func(c *outcome) { c.Peak = 126 }, "memory"},
		{func(c *outcome) { c.Processes = 1 }, "processes"},
		{func(c *outcome) { c.Files = []string{"tmp/x"} }, "tmp/x"},
		{func(c *outcome) { c.Stall = 3 }, "stood still"},
	} {
		c := good
		test.change(&c)
		c.judge(k, 100)
		got := strings.Join(c.Problems, "; ")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%+v: %q, want %q", c, got, test.want)
		}
		r := report{Cases: []*outcome{&c}}
		if len(r.Failures()) != len(c.Problems) {
			t.Errorf("failures %q of problems %q", r.Failures(), c.Problems)
		}
	}
}

// Every kind that is run is a test of the module.
func TestHostileKinds(t *testing.T) {
	var source string
	for _, f := range txtar.Parse(sourceText).Files {
		if f.Name == "hostile_test.go" {
			source = string(f.Data)
		}
	}
	for _, k := range kinds {
		if k.build == nil && !strings.Contains(source, "func "+k.test+"(t *testing.T)") {
			t.Errorf("there is no %s", k.test)
		}
	}
	if tests := strings.Count(source, "\nfunc Test"); tests != slices.IndexFunc(kinds, func(k kind) bool { return k.build != nil })+2 {
		t.Errorf("%d tests, and other kinds", tests)
	}
}

func TestHostileRefuses(t *testing.T) {
	for _, o := range []Options{
		{Ways: []string{"nowhere"}, Memory: 1, Disk: 1},
		{Ways: []string{byNoise}, Disk: 1},
		{Ways: []string{byNoise}, Memory: 1},
	} {
		if err := Run(t.Context(), o, t.Output(), t.Output()); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
