package instrument

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/gotool"
	"mendel/internal/sample"
)

const kernelDriver = `package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mendelrt/sched"
	"mendelrt/sched/explore"
)

func TestKernels(t *testing.T) {
	defer sched.OneProcessor()()
	for _, name := range slices.Sorted(maps.Keys(cmds)) {
		r, err := explore.Explore(nil, explore.Search{Strategy: "random", Executions: 20, Seed: 1, Run: sched.Options{Steps: 2000}}, cmds[name])
		if err != nil {
			t.Fatal(err)
		}
		verdict := string(r.Verdict) + " " + r.Reason
		if len(r.Failures) > 0 {
			verdict = r.Failures[0].Execution.Failure.Kind
		}
		fmt.Printf("%s: %s\n", name, verdict)
	}
}
`

// In the kernels of real bugs that every Go installation has, 20 schedules each
// are enough for most once they are rewritten: what they use of the language
// and the library is under control. mendel-bench goker checks them.
func TestKernels(t *testing.T) {
	sample.Whole(t, "TestUnderControl has what programs use of the language and the library")
	tool, err := gotool.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(tool.GOROOT, "src", "runtime", "testdata", "testgoroutineleakprofile", "goker", "*.go"))
	if err != nil || len(files) == 0 {
		t.Skipf("this Go installation has no kernels: %v", err)
	}
	archive := &txtar.Archive{Files: []txtar.File{{Name: "go.mod", Data: []byte("module example.com/kernels\n\ngo 1.26\n")},
		{Name: "kernels_test.go", Data: []byte("package main\n")}}}
	profile := regexp.MustCompile(`prof\.WriteTo\(.*\)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = profile.ReplaceAll(text, []byte("_, _ = prof, os.Stdout"))
		archive.Files = append(archive.Files, txtar.File{Name: filepath.Base(file), Data: text})
	}
	dir := extract(t, archive)
	s := load(t, dir, ".")
	o, problems := s.overlay(t, nil)
	for _, u := range problems {
		t.Error(u)
	}
	o[filepath.Join(dir, "driver_test.go")] = []byte(kernelDriver)
	out, _ := s.output(t, o, "-test.run=^TestKernels$")
	found := strings.Count(out, ": blocked\n") + strings.Count(out, ": deadlock\n") + strings.Count(out, ": race\n") + strings.Count(out, ": panic\n")
	if strings.Contains(out, "uncontrolled") || found < 35 {
		t.Errorf("%d found, want at least 35 and nothing uncontrolled:\n%s", found, out)
	}
	t.Logf("%d found", found)
}
