package objections

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/bench/tables"
)

const modulesText = `
-- counter/go.mod --
module example.com/counter

go 1.24
-- counter/counter.go --
package counter

import "sync"

type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Add() { c.n++ }

func (c *Counter) Value() int { return c.n }
-- counter/truth/truth.json --
{"wrong_fixes": [{"patch": "wrong/half.patch", "visible": true}]}
-- counter/truth/fix.patch --
--- a/counter.go
+++ b/counter.go
@@ -7,6 +7,14 @@
 	n  int
 }
 
-func (c *Counter) Add() { c.n++ }
+func (c *Counter) Add() {
+	c.mu.Lock()
+	defer c.mu.Unlock()
+	c.n++
+}
 
-func (c *Counter) Value() int { return c.n }
+func (c *Counter) Value() int {
+	c.mu.Lock()
+	defer c.mu.Unlock()
+	return c.n
+}
-- counter/truth/wrong/half.patch --
--- a/counter.go
+++ b/counter.go
@@ -7,6 +7,10 @@
 	n  int
 }
 
-func (c *Counter) Add() { c.n++ }
+func (c *Counter) Add() {
+	c.mu.Lock()
+	defer c.mu.Unlock()
+	c.n++
+}
 
 func (c *Counter) Value() int { return c.n }
-- other/go.mod --
module example.com/other
`

// The right patch has nothing against it, the wrong one a flag with the place. A module
// without patches is left out.
func TestObjections(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir, out := t.TempDir(), t.TempDir()
	for _, f := range txtar.Parse([]byte(modulesText)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout bytes.Buffer
	if err := Run(t.Context(), Options{Dir: dir, Out: out}, &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	var r objectionReport
	if _, err := tables.ReadSaved(filepath.Join(out, "objections.json"), &r); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(r.Patches)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"module":"counter","patch":"fix","right":true,"refused":false},` +
		`{"module":"counter","patch":"wrong/half","right":false,"passes":true,"refused":true,"flags":["incomplete-guard"],` +
		`"why":["Counter.n is read without Counter.mu, which the change puts around other uses of it in (*Counter).Value (counter.go:16)"]}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !bytes.Contains(stdout.Bytes(), []byte("Of 1 wrong patches 1 are refused")) {
		t.Errorf("the page has no figures:\n%s", &stdout)
	}
}

// A directory that has none of the modules is no result.
func TestNoModules(t *testing.T) {
	for _, o := range []Options{{}, {Dir: t.TempDir()}} {
		if err := Run(t.Context(), o, io.Discard, io.Discard); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
