//go:build unix

package gotool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asks is a test that asks its runtime for the leak profile.
const asks = `
-- go.mod --
module example.com/m

go 1.25
-- m_test.go --
package m

import (
	"runtime/pprof"
	"testing"
)

func TestAsk(t *testing.T) { println("profile:", pprof.Lookup("goroutineleak") != nil) }
`

// What LeakProfile says of the toolchain that is here is so in a program built with it.
func TestLeakProfile(t *testing.T) {
	privateTemp(t)
	if testing.Short() {
		t.Skip("may build the standard library anew")
	}
	tool := open(t, tree(t, asks))
	env, ok, err := tool.LeakProfile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := buildAndRun(t, tool, BuildOptions{Package: ".", Env: env})
	want := "profile: false"
	if ok {
		want = "profile: true"
	}
	wantLines(t, out, want)
}

// Toolchains that know the experiment, that always have the profile, and that have never
// heard of it are told apart by what they do, not by their version.
func TestLeakProfileAsks(t *testing.T) {
	privateTemp(t)
	for name, test := range map[string]struct {
		own     string // the user's experiment, as set by "go env -w"
		knows   string // the experiments that the go command knows
		program string // what the program says
		env     string
		ok      bool
	}{
		"experiment":     {knows: "*", env: "GOEXPERIMENT=goroutineleakprofile", ok: true},
		"beside another": {own: "other", knows: "*", env: "GOEXPERIMENT=other,goroutineleakprofile", ok: true},
		"always":         {program: "true", ok: true},
		"never":          {program: "false"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := filepath.Join(t.TempDir(), "go")
			script := `#!/bin/sh
case "$1" in
env)
	[ -z "$GOEXPERIMENT" ] || [ -n "` + test.knows + `" ] || { echo "go: unknown GOEXPERIMENT $GOEXPERIMENT" >&2; exit 2; }
	echo "${GOEXPERIMENT:-` + test.own + `}" ;;
build) printf '#!/bin/sh\necho ` + test.program + `\n' >"$3"; chmod +x "$3" ;;
esac
`
			if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GOEXPERIMENT", "")
			tool := &Toolchain{Dir: t.TempDir(), path: fake}
			env, ok, err := tool.LeakProfile(t.Context())
			if err != nil || ok != test.ok || strings.Join(env, " ") != test.env {
				t.Errorf("%q, %t, %v; want %q, %t", env, ok, err, test.env, test.ok)
			}
		})
	}
}
