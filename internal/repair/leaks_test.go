package repair

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/internal/result"
)

// leaky is a program that leaves a goroutine behind in whatever schedule. What
// it waits for might end by itself, for all that a look at a running program
// shows: contexts with a time limit are about.
var leaky = map[string]string{
	"go.mod": "module example.com/feed\n\ngo 1.25\n",
	"feed.go": `package feed

import (
	"context"
	"time"
)

// Fetch asks the feed once. Somebody watches meanwhile.
func Fetch(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	go watch(ctx)
	if err := ping(ctx, time.Hour); err != nil {
		cancel()
		return err
	}
	return nil
}

func ping(ctx context.Context, d time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return limited.Err()
}

func watch(ctx context.Context) { <-ctx.Done() }
`,
	"feed_test.go": `package feed

import (
	"context"
	"testing"
)

func TestFetch(t *testing.T) {
	if err := Fetch(context.Background()); err != nil {
		t.Fatal(err)
	}
}
`,
}

// A goroutine that stays behind in every schedule, and that noise alone would
// never call blocked for ever, is a leak by the runtime's profile.
func TestLeaksByProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	if out, err := exec.Command("go", "env", "GOVERSION").Output(); err != nil || strings.HasPrefix(string(out), "go1.25") {
		t.Skip("this toolchain has no leak profile")
	}
	dir := t.TempDir()
	for name, text := range leaky {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res, err := Run(t.Context(), result.Wanted{Dir: dir, Out: t.TempDir(), NoRace: true, Budget: time.Minute, Count: 3, Confirm: 6})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Failures) == 0 || res.Failures[0].Seen == 0 || !strings.Contains(strings.Join(res.Notes, "\n"), "leak profile") {
		t.Errorf("%s: %s; failures %+v, notes %q", res.Status, res.Reason, res.Failures, res.Notes)
	}
	if res.Status != result.Fixed || !strings.Contains(res.Fixes[0].Diff, "defer cancel()") {
		t.Errorf("%s: %s; fixes %+v", res.Status, res.Reason, res.Fixes)
	}
}
