package goker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
	"mendel/internal/gotool"
	"mendel/internal/sample"
	"mendel/mutate"
)

// leakyKernel sends to a channel whose receiver may have gone.
const leakyKernel = `package leaky

import "time"

func Leaky() {
	for i := 0; i < %d; i++ {
		go leak()
	}
}

func leak() {
	ch := make(chan int)
	go func() {
		ch <- 1
	}()
	select {
	case <-ch:
	case <-time.After(time.Microsecond):
	}
}
`

const bufferPatch = `--- a/leaky.go
+++ b/leaky.go
@@ -9,7 +9,7 @@
 }
 
 func leak() {
-	ch := make(chan int)
+	ch := make(chan int, 1)
 	go func() {
 		ch <- 1
 	}()
`

// leaky is a repair of the kernel, written once and with forty copies.
func leaky(t *testing.T, patch string) *kernelRepair {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	c := &kernelRepair{
		Name: "leaky", Patch: patch, Trial: trial.Trial{Status: mendel.Fixed},
		options: &Options{Seed: 1, Check: 2 * time.Second, Effort: programs.Effort{Runs: 3, NoRace: true}},
	}
	for i, copies := range []int{1, 40} {
		c.source[i] = filepath.Join(t.TempDir(), "leaky")
		k := kernel.Kernel{Name: "leaky", Entry: "Leaky", Source: fmt.Appendf(nil, leakyKernel, copies)}
		if err := k.WriteModule(c.source[i]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestVerifyKernel(t *testing.T) {
	c := leaky(t, bufferPatch)
	p, err := c.verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if problems := p.problems(); len(problems) > 0 || p.Runs != 3 || !p.Copies || !p.Check.Passed() {
		t.Errorf("a good patch: %q, %+v", problems, p)
	}
	c.Verified = p
	if !c.repaired() {
		t.Error("the kernel does not count as repaired")
	}
}

// A patch that does not mend, or hides, is found out.
func TestVerifyKernelProblems(t *testing.T) {
	comment := strings.NewReplacer("make(chan int, 1)", "make(chan int) // bounded")
	sleep := strings.NewReplacer(" 	go func() {\n", "+	time.Sleep(1)\n 	go func() {\n", "-9,7 +9,7", "-9,7 +9,8")
	for _, c := range sample.Of(2, []struct{ name, patch, want string }{
		{"useless", comment.Replace(bufferPatch), "checker: blocked"},
		{"sleeps", sleep.Replace(bufferPatch), "the fix puts in time.Sleep"},
		{"does not build", strings.ReplaceAll(bufferPatch, "int, 1", "int, x"), "undefined: x"},
		{"does not apply", strings.ReplaceAll(bufferPatch, "func leak", "func other"), "git apply"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			r := leaky(t, c.patch)
			p, err := r.verify(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if problems := strings.Join(p.problems(), "\n"); !strings.Contains(problems, c.want) {
				t.Errorf("problems %q, want %q", problems, c.want)
			}
			if r.Verified = p; r.repaired() {
				t.Error("it counts as repaired")
			}
		})
	}
}

// A kernel that goes on for ever is verified if the original does, too, and
// not if it is the patch that makes it.
func TestVerifyEndlessKernel(t *testing.T) {
	const source = "package leaky\n\nimport \"sync/atomic\"\n\nvar stop atomic.Bool\n\nfunc Leaky() {\n\tch := make(chan int)\n\tgo func() {\n\t\tch <- 1\n\t}()\n\tgo func() {\n\t\tfor !stop.Load() {\n\t\t}\n\t}()\n\tLEAKY\n}\n"
	for _, endless := range sample.Of(1, []bool{false, true}) {
		c := leaky(t, "")
		p := &kernelProof{}
		ends := map[bool]string{true: "stop.Store(false)", false: "stop.Store(true)"}
		benchtest.WriteFile(t, filepath.Join(c.source[0], "leaky.go"), strings.Replace(source, "LEAKY", ends[endless], 1))
		patched := filepath.Join(t.TempDir(), "patched")
		benchtest.WriteFile(t, filepath.Join(patched, "go.mod"), "module example.com/leaky\n\ngo 1.25\n")
		benchtest.WriteFile(t, filepath.Join(patched, "leaky_test.go"), kernel.Kernel{Name: "leaky", Entry: "Leaky"}.Test())
		benchtest.WriteFile(t, filepath.Join(patched, "leaky.go"), strings.NewReplacer("LEAKY", "stop.Store(false)", "make(chan int)", "make(chan int, 1)").Replace(source))
		if err := c.explore(t.Context(), p, patched); err != nil {
			t.Fatal(err)
		}
		if p.Check.Spun == 0 || p.Endless != endless || len(p.problems()) > 0 == endless {
			t.Errorf("the original is endless: %t; problems %q, %+v", endless, p.problems(), p)
		}
	}
}

func TestHides(t *testing.T) {
	c := leaky(t, "")
	c.Flags = []mutate.Flag{mutate.DropsGuard}
	patched := t.TempDir()
	benchtest.WriteFile(t, filepath.Join(patched, "leaky.go"), "package leaky\n\nimport \"time\"\n\nfunc Leaky() {\n\tdefer func() { recover() }()\n\t<-time.After(1)\n}\n")
	hides, err := c.hides(patched)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0 go statements are left of 2", "the fix drops a lock that guards data", "the fix puts in recover"}
	if strings.Join(hides, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", hides, want)
	}
	p := &kernelProof{Hides: hides}
	p.Check.Verdict = explore.Passed
	if problems := p.problems(); !slices.Equal(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}

// Where the loop that starts the copies is in the patch, it is that of the copies.
func TestForCopies(t *testing.T) {
	c := leaky(t, "")
	patch := "@@ -5,3 +5,4 @@\n func Leaky() {\n \tfor i := 0; i < 1; i++ {\n+\t\t// i < 1\n \t\tgo leak()\n"
	got, err := forCopies(patch, c.source[0], c.source[1], "leaky.go")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(patch, "\tfor i := 0; i < 1;", "\tfor i := 0; i < 40;", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	benchtest.WriteFile(t, filepath.Join(c.source[1], "leaky.go"), "package leaky\n")
	if _, err := forCopies(patch, c.source[0], c.source[1], "leaky.go"); err == nil {
		t.Error("sources of different lengths are compared line by line")
	}
}

// A report goes on where it was stopped, but not with what was made otherwise.
func TestOpenRepairs(t *testing.T) {
	tool, err := gotool.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Out: t.TempDir(), Effort: programs.Effort{Runs: 3, Limit: time.Minute}}
	r, err := openRepairs(tool, o)
	if err != nil {
		t.Fatal(err)
	}
	r.Kernels = []*kernelRepair{
		{Name: "a", Trial: trial.Trial{Status: mendel.Fixed, ChangedLines: 2, Seconds: 3}, Verified: &kernelProof{Check: verify.Check{Verdict: "passed", Words: "passed 9 schedules"}, Runs: 3}},
		{Name: "b", Trial: trial.Trial{Status: mendel.NotFixed, Reason: "nothing helps"}},
	}
	if err := (tables.Files{Dir: o.Out, Name: repairsName}).Save(r, nil); err != nil {
		t.Fatal(err)
	}
	md, err := os.ReadFile(filepath.Join(o.Out, repairsName+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Repaired 1 of 2", "no: nothing helps", "passed 9 schedules", "3 of one copy", "repaired 1 of 2 kernels, want 2"} {
		if !strings.Contains(string(md), want) {
			t.Errorf("%q is not in\n%s", want, md)
		}
	}
	again, err := openRepairs(tool, o)
	if err != nil || len(again.Kernels) != 2 || !again.Kernels[0].repaired() || again.Kernels[1].repaired() {
		t.Errorf("read again: %v, %+v", err, again)
	}
	o.Limit = time.Hour
	if _, err := openRepairs(tool, o); err == nil || !strings.Contains(err.Error(), "use another directory") {
		t.Errorf("repairs with other limits are mixed: %v", err)
	}
}
