package objections

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"testing"

	"mendel/internal/bench/cases"
)

const counter = `a lock that is not taken

Add and Value are used by several goroutines.

-- go.mod --
module example.com/counter

go 1.24
-- counter.go --
package counter

import "sync"

type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Add() { c.n++ }

func (c *Counter) Value() int { return c.n }
-- truth/fix.patch --
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
-- truth/wrong/half.patch --
Value reads without the lock; the program's own tests pass.

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
`

// The right patch has nothing against it, the wrong one a flag with the place.
func TestObjections(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	p, err := cases.Parse("small", "counter", []byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	var r objectionReport
	if err := r.program(t.Context(), p, t.TempDir(), 0); err != nil {
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
	var page bytes.Buffer
	if err := r.Write(&page, true); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page.Bytes(), []byte("Of 1 wrong patches 1 are refused")) {
		t.Errorf("the page has no figures:\n%s", &page)
	}
}

// A set that does not exist is no result.
func TestNoPrograms(t *testing.T) {
	if err := Run(t.Context(), Options{Sets: []string{"none"}}, io.Discard, io.Discard); err == nil {
		t.Error("no error")
	}
}
