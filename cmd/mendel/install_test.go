package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mendel/internal/sample"
)

var indented = regexp.MustCompile(`(?m)^    (\S.*)$`)

// installation are the lines to type in the README's section on it.
func installation(t *testing.T) (lines []string) {
	t.Helper()
	_, section, _ := strings.Cut(documents(t)["README.md"], "\n## Install\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range indented.FindAllStringSubmatch(section, -1) {
		lines = append(lines, m[1])
	}
	return lines
}

// The lines by which Mendel is installed do so: in its source, and as a tool of another
// module. Those for an image are run where there is Docker.
func TestInstall(t *testing.T) {
	sample.Whole(t, "TestDockerfile compares what is to be typed")
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds Mendel, in a shell")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin, module := t.TempDir(), t.TempDir()
	writeIn(t, module, "go.mod", "module example.com/service\n\ngo 1.26\n")
	writeIn(t, module, "service.go", "package service\n")
	writeIn(t, module, "service_test.go", "package service\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, module, "go.sum", string(sums)) // those that the checksum database has, which is not asked
	docker := exec.Command("docker", "info").Run() == nil
	in, run := root, 0
	for _, line := range installation(t) {
		if strings.HasPrefix(line, "docker ") {
			if in = module; strings.HasPrefix(line, "docker build") {
				in = root
			}
			if !docker {
				t.Logf("not run, for there is no Docker: %s", line)
				continue
			}
		} else if strings.HasPrefix(line, "go mod edit") {
			in = module
		}
		// The clone is this source, by its own name: what is built of it is built once.
		c := exec.Command("bash", "-e", "-c", strings.ReplaceAll(line, "../mendel", root))
		c.Dir = in
		c.Env = append(os.Environ(), "GOBIN="+bin, "PWD="+in)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		if strings.HasSuffix(line, "mendel version") && !strings.Contains(string(out), "built with go") {
			t.Errorf("%s prints\n%s", line, out)
		}
		run++
	}
	if run < 4 {
		t.Errorf("%d lines were run, want those of the source and of the tool", run)
	}
	if out, err := exec.Command(filepath.Join(bin, "mendel"), "version").CombinedOutput(); err != nil || !strings.Contains(string(out), "built with go") {
		t.Errorf("what was installed: %v\n%s", err, out)
	}
}

// What the Dockerfile runs is what the README says.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	lines := installation(t)
	found := regexp.MustCompile(`(?m)^RUN (.*)$`).FindAllStringSubmatch(string(text), -1)
	for _, m := range found {
		if !slices.Contains(lines, m[1]) {
			t.Errorf("the Dockerfile runs %q, which the README does not have", m[1])
		}
	}
	if len(found) == 0 {
		t.Error("the Dockerfile runs nothing")
	}
	// The image builds Mendel with a Go that is new enough.
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	for _, m := range regexp.MustCompile(`(?m)^FROM golang:(\S+)`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != wanted[1] {
			t.Errorf("the Dockerfile has Go %s, and go.mod %s", m[1], wanted[1])
		}
	}
}
