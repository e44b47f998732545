package mendel_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms of the design, each with all packages below its path.
// Imports go downward: to a lower floor, or within a room. The longest path
// that fits a package is its room.
var floors = map[string]int{
	"mendel/cmd/mendel-bench":       8,
	"mendel/internal/bench/core":    7, // an evaluation each, none of which needs another
	"mendel/internal/bench/goker":   7,
	"mendel/internal/bench/hostile": 7,
	"mendel/internal/bench/kill":    7,
	"mendel/internal/bench/judged":  7,
	"mendel/internal/bench/modules": 7,
	"mendel/internal/bench/patches": 7,
	"mendel/internal/bench/predict": 7,
	"mendel/internal/bench/real":    7,
	"mendel/internal/bench/regress": 7,
	"mendel/internal/bench/seeded":  7,
	"mendel/internal/bench/series":  7,
	"mendel/internal/bench/speed":   7,
	"mendel/internal/bench":         6, // what they share
	"mendel/cmd/mendel":             6,
	"mendel/internal/newop":         6, // a command: starts an operator
	"mendel":                        5, // itself alone
	"mendel/internal/mcpserver":     5,
	"mendel/internal/review":        5,
	"mendel/internal/batch":         5,
	"mendel/internal/repair":        5,
	"mendel/internal/gate":          5,
	"mendel/internal/stress":        5,
	"mendel/internal/check":         5,
	"mendel/internal/cover":         5,
	"mendel/internal/seed":          5,
	"mendel/internal/journal":       5,
	"mendel/internal/events":        5,
	"mendel/internal/result":        5,
	"mendel/internal/report":        5,
	"mendel/evolve":                 4,
	"mendel/validate":               4,
	"mendel/internal/localize":      4,
	"mendel/internal/regress":       4,
	"mendel/fitness":                3,
	"mendel/interleave":             3,
	"mendel/internal/scenario":      3,
	"mendel/internal/diagnosis":     3,
	"mendel/internal/operators":     3, // the generated list of all operators
	"mendel/checker":                2,
	"mendel/fitness/noise":          2,
	"mendel/mutate":                 2,
	"mendel/internal/dossier":       2,
	"mendel/internal/rewrite":       1,
	"mendel/analysis":               1,
	"mendel/internal/gotool":        0,
	"mendel/internal/settings":      0,
	"mendel/internal/change":        0,
	"mendel/internal/store":         0,
	"mendel/internal/binomial":      0,
	"mendel/internal/frugal":        0,
	"mendel/internal/overrun":       0,
	"mendel/internal/pin":           0, // for tests
	"mendel/internal/lean":          0, // for tests
	"mendel/internal/sample":        0, // for tests

	"mendel/internal/bench/capp":     7,
	"mendel/internal/bench/causal":   7,
	"mendel/internal/bench/maple":    7,
	"mendel/internal/bench/suites":   7,
	"mendel/internal/bench/sweep":    7,
	"mendel/internal/bench/winners":  7,
	"mendel/internal/bench/verdicts": 7,
	"mendel/internal/bench/localize": 7,

	"mendel/internal/bench/incremental": 7,
	"mendel/internal/bench/variants":    7,
	"mendel/internal/bench/objections":  7,

	"mendel/order":              0, // for users, and copied into their modules
	"mendel/internal/ordercopy": 0,
}

// sideways are the rooms of its floor that a room may import. They go one way:
// the rooms are listed from the highest to the lowest, and each names only
// rooms below it.
var sideways = []neighbours{
	{"mendel", []string{"review", "batch", "gate", "repair", "stress", "check", "cover", "seed", "journal", "result"}},
	{"mcpserver", []string{"events"}},
	{"review", []string{"batch", "result", "report"}},
	{"batch", []string{"repair", "journal", "result", "report"}},
	{"gate", []string{"check", "result", "report"}},
	{"repair", []string{"check", "cover", "seed", "journal", "result", "report"}},
	{"stress", []string{"check", "cover", "result", "report"}},
	{"check", []string{"cover", "result", "report"}},
	{"cover", []string{"result", "report"}},
	{"seed", []string{"result", "report"}},
	{"journal", []string{"result", "report"}},
	{"events", []string{"result"}},
	{"result", []string{"report"}},
	{"report", nil},
	{"rewrite", []string{"mendel/analysis"}},
	{"mendel/analysis", nil},
}

// neighbours are a room and those of its floor that it may import.
type neighbours struct {
	room string
	may  []string
}

// aside reports whether a room may import another one of its floor.
func aside(from, to string) bool {
	short := func(path string) string { return strings.TrimPrefix(path, "mendel/internal/") }
	return slices.ContainsFunc(sideways, func(s neighbours) bool {
		return s.room == short(from) && slices.Contains(s.may, short(to))
	})
}

// owners are the only rooms that may import a package, or those below it.
var owners = map[string][]string{
	"os/exec":                     {"mendel/internal/gotool", "mendel/internal/change", "mendel/internal/bench", "mendel/internal/bench/hostile", "mendel/internal/bench/kill", "mendel/cmd/mendel"}, // processes; the bench looks for commands and kills some, mendel opens a browser, change asks git
	"math/rand":                   {"mendel/evolve", "mendel/checker"},                                                                                                                               // eaopt's, and the shim of it; others use math/rand/v2
	"github.com/MaxHalford/eaopt": {"mendel/evolve"},
	"github.com/dave/dst":         {"mendel/mutate"},
	"github.com/spf13/cobra":      {"mendel/cmd/mendel", "mendel/cmd/mendel-bench"},
	"golang.org/x/term":           {"mendel/cmd/mendel"},
	"github.com/BurntSushi/toml":  {"mendel/internal/settings"},
	"modernc.org/sqlite":          {"mendel/internal/store", "mendel/internal/bench/kill"}, // which reads what a killed repair has left
	"github.com/gofrs/flock":      {"mendel/internal/store"},

	"github.com/modelcontextprotocol/go-sdk":   {"mendel/internal/mcpserver"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"mendel/internal/report"}, // in sariftest, which tests alone import
	"mendel/internal/report/sarif/sariftest":   {},
}

// standalone rooms are compiled into the program under test: they import the
// standard library and each other.
var standalone = []string{"mendel/order", "mendel/checker/sched", "mendel/checker/shim", "mendel/internal/rewrite/variant", "mendel/checker/wire", "mendel/checker/state", "mendel/checker/driver", "mendel/fitness/noise/hook", "mendel/interleave/hook", "mendel/analysis/evidence/symbol"}

type listed struct {
	ImportPath string
	Imports    []string
}

// list returns the module's packages as go list sees them.
func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func TestImportsGoDownward(t *testing.T) {
	packages := list(t)
	if len(packages) < 10 {
		t.Fatalf("go list names only %d packages", len(packages))
	}
	for _, p := range packages {
		for _, imported := range p.Imports {
			if why := forbidden(p.ImportPath, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
		if _, ok := room(p.ImportPath); !ok {
			t.Errorf("%s is on no floor: say in deps_test.go what it is for", p.ImportPath)
		}
	}
}

// forbidden says why a package must not import another; "" when it may.
func forbidden(from, to string) string {
	here, _ := room(from)
	for path, may := range owners {
		if below(to, path) && !below(to, path+"/v2") && !slices.Contains(may, here) {
			return path + " is for " + strings.Join(may, " and ") + " alone"
		}
	}
	inside := func(path string) bool {
		return slices.ContainsFunc(standalone, func(s string) bool { return below(path, s) })
	}
	if inside(from) && !inside(to) && strings.Contains(to, ".") {
		return "it goes into the program under test, which may have no such dependency"
	}
	there, ok := room(to)
	switch {
	case !ok:
		return "" // another module's
	case inside(from) && !inside(to):
		return "it goes into the program under test, which has no such package"
	case here == there, aside(here, there), floors[there] < floors[here]:
		return ""
	case floors[there] == floors[here]:
		return "it is on the same floor"
	}
	return "it is on a higher floor"
}

// room finds the room of a package of this module.
func room(path string) (longest string, ok bool) {
	for r := range floors {
		if (path == r || r != "mendel" && below(path, r)) && len(r) > len(longest) {
			longest, ok = r, true
		}
	}
	return longest, ok
}

func below(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// The rules themselves: what they forbid, and what not.
func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"mendel/evolve", "mendel/fitness", true},
		{"mendel/fitness", "mendel/evolve", false},
		{"mendel/fitness", "mendel/fitness/noise", true},
		{"mendel/fitness/noise", "mendel/fitness", false},
		{"mendel/evolve", "mendel/validate", false},
		{"mendel/mutate/swaplocks", "mendel/mutate", true},
		{"mendel/mutate/swaplocks", "mendel/mutate/internal/locking", true},
		{"mendel/mutate/swaplocks", "mendel/internal/operators", false},
		{"mendel/internal/operators", "mendel/mutate/swaplocks", true},
		{"mendel/mutate", "mendel/fitness/noise", false},
		{"mendel/cmd/mendel", "mendel", true},
		{"mendel", "mendel/cmd/mendel", false},
		{"mendel", "mendel/internal/repair", true},
		{"mendel/internal/repair", "mendel/internal/repair/original", true},
		{"mendel/internal/repair/original", "mendel/internal/cover", true},
		{"mendel/internal/repair/original", "mendel/internal/batch", false},
		{"mendel/internal/batch", "mendel/internal/repair", true},
		{"mendel/internal/batch", "mendel/internal/repair/original", true},
		{"mendel/internal/repair", "mendel/internal/batch", false},
		{"mendel/internal/journal", "mendel/internal/repair", false},
		{"mendel/internal/result", "mendel/internal/journal", false},
		{"mendel/internal/result", "mendel", false},
		{"mendel/internal/result", "mendel/internal/report/textreport", true},
		{"mendel/cmd/mendel-bench", "mendel/internal/bench/core", true},
		{"mendel/internal/bench/core", "mendel/internal/bench/verify", true},
		{"mendel/internal/bench/verify", "mendel/internal/bench/core", false},
		{"mendel/internal/bench/core", "mendel/internal/bench/goker", false},
		{"mendel/internal/bench/core", "github.com/spf13/cobra", false},
		{"mendel", "mendel/internal/bench/core", false},
		{"mendel/internal/report", "mendel", false},
		{"mendel/analysis", "mendel", false},
		{"mendel/analysis", "os/exec", false},
		{"mendel/internal/gotool", "os/exec", true},
		{"mendel/mutate/swaplocks", "github.com/dave/dst", true},
		{"mendel/analysis", "github.com/dave/dst/decorator", false},
		{"mendel/fitness", "math/rand", false},
		{"mendel/fitness", "math/rand/v2", true},
		{"mendel/checker/sched", "sync", true},
		{"mendel/checker/shim/time", "mendel/checker/sched", true},
		{"mendel/checker/sched", "mendel/checker", false},
		{"mendel/checker/sched", "mendel/internal/gotool", false},
		{"mendel/checker/sched", "golang.org/x/sys/unix", false},
		{"mendel/order", "testing", true},
		{"mendel/order", "mendel/internal/gotool", false},
	} {
		if why := forbidden(c.from, c.to); (why == "") != c.ok {
			t.Errorf("%s imports %s: %q, want allowed: %t", c.from, c.to, why, c.ok)
		}
	}
	if r, ok := room("mendel/new"); ok {
		t.Errorf("mendel/new is in %s", r)
	}
}

// The rooms of one floor are in an order, and each knows only rooms below it.
func TestRoomsHaveAnOrder(t *testing.T) {
	for i, from := range sideways {
		for _, to := range from.may {
			if !slices.ContainsFunc(sideways[i+1:], func(s neighbours) bool {
				return s.room == to
			}) {
				t.Errorf("%s may import %s, which is not below it", from.room, to)
			}
		}
	}
}
