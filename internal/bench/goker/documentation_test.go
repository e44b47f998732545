package goker

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/evidence"
	"mendel/internal/bench/kernel"
	"mendel/internal/gotool"
)

func TestKernelWords(t *testing.T) {
	words, links := kernelWords([]byte(`# Kernels

## Etcd/5509

[patch]:https://example.com/pull/5509/files
[pull request]:https://example.com/pull/5509

### Description

One thing
is locked. Another is not. The fix is to
lock it, too.

### Example execution

The fix of nothing.

## Moby/28462

### Description

It leaks. Often! And on.
`))
	if want := map[string]string{"etcd5509": "The fix is to lock it, too.", "moby28462": "It leaks. Often!"}; !maps.Equal(words, want) {
		t.Errorf("words %q, want %q", words, want)
	}
	if want := map[string]string{"etcd5509": "https://example.com/pull/5509/files"}; !maps.Equal(links, want) {
		t.Errorf("links %q, want %q", links, want)
	}
}

func TestKernelTypes(t *testing.T) {
	got := kernelTypes([]byte(`## Etcd/5509

| Bug ID |  Ref | Patch | Type | Sub-type |
| ---- | ---- | ---- | ---- | ---- |
|[etcd#5509]|[pull request]|[patch]| Resource | Double locking |

[etcd#5509]:(etcd5509_test.go)

|[Moby/28462]|[pull request]|[patch]| Mixed | Channel & Lock |
| a | table | of | something | else |
`))
	if want := map[string]string{"etcd5509": "Resource: Double locking", "moby28462": "Mixed: Channel & Lock"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestKnownLeaks(t *testing.T) {
	got, err := knownLeaks("x_test.go", []byte("package x\n\nvar cases = []testCase{\n"+
		"makeFlakyTest(\"Moby28462\",\n\t`monitor_moby28462\\(.* \\[sync\\.Mutex\\.Lock\\]`,\n\t`\\(\\*Daemon_moby28462\\)\\.StateChanged\\(.* \\[chan send\\]`,\n),\n"+
		"makeTest(\"Other\",\n\t`\\(*Store\\)\\.tick\\.func1\\.2\\(.*`,\n\t`Other\\.func2.1\\(.* `,\n\t`Other\\.func2.* `,\n\t`run\\.gowrap1\\(.*`),\n"+
		"makeTest(\"None\"),\nmake(\"Moby\", `x\\(.*`),\nmakeTest(name, `x\\(.*`),\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"Moby28462": {"(*Daemon_moby28462).StateChanged", "monitor_moby28462"},
		"Other":     {"(*Store).tick", "Other", "run"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leaks (-want +got):\n%s", diff)
	}
	if _, err := knownLeaks("x_test.go", []byte("func")); err == nil {
		t.Error("what is no Go is no error")
	}
}

// What this Go installation says names all its kernels, and functions of theirs.
func TestDocumentationHere(t *testing.T) {
	tool, err := gotool.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tool.GOROOT, filepath.FromSlash(kernel.Dir))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("this Go installation carries no kernels: %v", err)
	}
	kernels, err := kernel.Read(dir, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	known, err := readDocumentation(tool.GOROOT)
	if err != nil {
		t.Fatal(err)
	}
	var silent []string
	for _, k := range kernels {
		if known.types[k.Name] == "" {
			t.Errorf("%s: the README tells no type", k.Name)
		}
		leaks := known.leaks[k.Registered]
		if len(leaks) == 0 {
			silent = append(silent, k.Name)
		}
		for _, function := range leaks {
			name := function[strings.LastIndexByte(function, '.')+1:]
			if !strings.Contains(string(k.Source), name+"(") {
				t.Errorf("%s has no function %s", k.Name, function)
			}
		}
	}
	if !slices.Equal(silent, []string{"kubernetes1321"}) {
		t.Errorf("nothing is known of leaks of %q, want only kubernetes1321, which the installation leaves out", silent)
	}
}

func TestReadDocumentationWithoutFiles(t *testing.T) {
	known, err := readDocumentation(t.TempDir())
	if err != nil || len(known.types) > 0 || len(known.leaks) > 0 {
		t.Errorf("documentation %v, error %v", known, err)
	}
}

func TestBlockedAt(t *testing.T) {
	f := evidence.Failure{Stacks: []evidence.Stack{
		{Frames: []evidence.Frame{{Func: "sync.(*Mutex).Lock"}, {Func: "example.com/goker/x.(*Store).tick.func1.2"}}},
		{Frames: []evidence.Frame{{Func: "example.com/goker/x.X.func1"}}},
		{Frames: []evidence.Frame{{Func: "example.com/goker/x.TestY.Y.func1"}, {Func: "example.com/goker/x.(*T).Close-fm.(*T).Close.func1"}}},
	}}
	for function, want := range map[string]bool{"(*Store).tick": true, "X": true, "Y": true, "(*T).Close": true, "(*Store).tock": false, "Store": false} {
		if got := blockedAt(f, []string{"other", function}); got != want {
			t.Errorf("blocked in %s: %t, want %t", function, got, want)
		}
	}
}
