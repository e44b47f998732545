//go:build unix

package noise

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// killed is a module whose first test somebody else seems to kill, once, and
// whose second kills itself.
var killed = txtar.Parse([]byte(`
-- go.mod --
module example.com/zoo

go 1.25
-- killed.go --
package zoo
-- killed_test.go --
package zoo

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestOnce(t *testing.T) {
	if f, err := os.OpenFile(os.Getenv("KILLED"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
		kill()
	}
}

func TestAlways(t *testing.T) { kill() }

func kill() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	time.Sleep(time.Hour)
}
`))

// A run that somebody kills is made again, and its program is not blamed. One
// that kills itself fails.
func TestKilledFromOutside(t *testing.T) {
	ctx := context.Background()
	t.Setenv("KILLED", filepath.Join(t.TempDir(), "killed")) // what a run writes beside the test no other run finds
	h := harness(t, killed, Config{NoRace: true})
	b := build(t, h, Plain, nil)
	for _, c := range []struct {
		test string
		pass bool
	}{{"TestOnce", true}, {"TestAlways", false}} {
		_, before := h.Counts()
		o, err := h.run(ctx, b, c.test, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if o.Pass != c.pass {
			t.Errorf("%s: passed %t, want %t: %v", c.test, o.Pass, c.pass, o.Failures)
		}
		if _, runs := h.Counts(); runs-before != 2 {
			t.Errorf("%s: %d runs, want 2", c.test, runs-before)
		}
	}
}
