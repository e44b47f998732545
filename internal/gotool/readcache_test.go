package gotool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/cache"
)

func TestServeCache(t *testing.T) {
	dir := t.TempDir()
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	there, missing := cache.ActionID{1}, cache.ActionID{2}
	out, size, err := c.Put(there, strings.NewReader("compiled"))
	if err != nil {
		t.Fatal(err)
	}
	var asked, answered bytes.Buffer
	for i, r := range []cacheRequest{{Command: "get", ActionID: there[:]}, {Command: "get", ActionID: missing[:]}, {Command: "close"}} {
		r.ID = int64(i + 1)
		if err := json.NewEncoder(&asked).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := serveCache(dir, &asked, &answered); err != nil {
		t.Fatal(err)
	}
	var got []cacheAnswer
	for d := json.NewDecoder(&answered); ; {
		var a cacheAnswer
		if err := d.Decode(&a); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, a)
	}
	if len(got) != 4 || fmt.Sprint(got[0].KnownCommands) != "[get close]" {
		t.Fatalf("answers %+v, want what it can and three more", got)
	}
	if a := got[1]; a.ID != 1 || a.Miss || !bytes.Equal(a.OutputID, out[:]) || a.Size != size {
		t.Errorf("what is there: %+v", a)
	}
	if text, err := os.ReadFile(got[1].DiskPath); err != nil || string(text) != "compiled" {
		t.Errorf("file of what is there: %q, %v", text, err)
	}
	if a := got[2]; a.ID != 2 || !a.Miss {
		t.Errorf("what is not there: %+v", a)
	}
	if got[3].ID != 3 {
		t.Errorf("the end: %+v", got[3])
	}
}

const externalTest = `
-- go.mod --
module example.com/once

go 1.25
-- p.go --
package once
-- x_test.go --
package once_test

import (
	"testing"

	"example.com/once"
)

func TestP(t *testing.T) { println(once.P) }
`

// TestBuildOnce builds a package that is in no cache, and asks the go command whether it has to compile it.
func TestBuildOnce(t *testing.T) {
	privateTemp(t)
	dir := tree(t, externalTest)
	tool := open(t, dir)
	if tool.reader == "" {
		t.Skip("the build cache is a program of the user's")
	}
	version := func(n int) Overlay { // nobody has built it
		text := fmt.Sprintf("package once\n\nconst P = \"%d %d\"\n", time.Now().UnixNano(), n)
		return Overlay{filepath.Join(dir, "p.go"): []byte(text)}
	}
	compiles := func(o Overlay) bool {
		t.Helper()
		file, err := tool.writeOverlay(t.TempDir(), "", BuildOptions{Overlay: o}, actualNames{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := tool.query(t.Context(), "build", "-x", "-overlay="+file, ".")
		if err != nil || a.code != 0 {
			t.Fatalf("go build -x: %v, %s", err, a.stderr)
		}
		return strings.Contains(string(a.stderr), "compile")
	}
	first, second, third := version(1), version(2), version(3)
	buildAndRun(t, tool, BuildOptions{Package: ".", Overlay: first, Once: true})
	if compiles(first) {
		t.Error("the first build of its kind is not kept")
	}
	buildAndRun(t, tool, BuildOptions{Package: ".", Overlay: second})
	if compiles(second) {
		t.Error("a build is not kept")
	}
	buildAndRun(t, tool, BuildOptions{Package: ".", Overlay: third, Once: true})
	if !compiles(third) {
		t.Error("what is built once is kept")
	}
}
