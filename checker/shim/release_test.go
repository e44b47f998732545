package shim_test

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"regexp"

	"strings"
	"testing"
)

// concurrent are the packages of the library with what starts goroutines, blocks or
// synchronises, and those below them.
var concurrent = regexp.MustCompile(`^(context|database/sql|io|iter|log/slog|math/rand|net|os|os/exec|os/signal|reflect|runtime|sync|testing|time|unique|weak)(/.*)?$`)

// judged says of what is new in these packages since Go 1.25 why it is under control, or
// that it is not. An asterisk stands for any text.
var judged = map[string]string{
	// Go 1.26
	"log/slog.*MultiHandler*":                          "neither blocks nor locks: calls the handlers that it is given",
	"net.Dialer.Dial*":                                 "waits for the network: outside control, and reported",
	"net/http.ClientConn*":                             "has the network below it: outside control; its requests are reported",
	"net/http.HTTP2Config.StrictMaxConcurrentRequests": "only a setting",
	"net/http.Transport.NewClientConn":                 "waits for the network: outside control, and reported",
	"net/http/httputil.ReverseProxy.Director":          "deprecated",
	"net/netip.Prefix.Compare":                         "computes",
	"os.ErrNoHandle":                                   "an error",
	"os.Process.WithHandle":                            "calls a function, in the same goroutine",
	"reflect.Value.Fields":                             "computes; the sequences of its kind are run by the caller",
	"reflect.Value.Methods":                            "computes",
	"reflect.Type.*":                                   "computes",
	"testing.B.ArtifactDir":                            "benchmarks are not run",
	"testing.F.ArtifactDir":                            "that of the test that its seeds are",
	"testing.T.ArtifactDir":                            "the real one, a directory",
	"testing.TB.ArtifactDir":                           "the real one, a directory",
	"testing/cryptotest.SetGlobalRandom":               "the real one: the seed is the test's",
	// Go 1.27
	"database/sql.ConvertAssign":             "computes",
	"database/sql/driver.RowsColumnScanner*": "an interface of drivers; the package is rewritten",
	"database/sql/driver.ScanContext*":       "an argument of drivers",
	"math/rand/v2.Rand.N":                    "of the real type, which the program seeds",
	"net/http.DefaultMaxHeaderValueCount":    "a constant",
	"net/http.Server.DisableClientPriority":  "only a setting",
	"net/http.Server.MaxHeaderValueCount":    "only a setting",
	"net/http/httptest.NewTestServer":        "replaced: shim/httptest",
	"testing/synctest.Sleep":                 "replaced: shim/synctest",
}

// What a release adds to these packages was looked at. The list of it is in GOROOT/api,
// unless the toolchain is one of the module cache.
func TestNewInRelease(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "api", "go1.*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, file := range files {
		var minor int
		if _, err := fmt.Sscanf(filepath.Base(file), "go1.%d.txt", &minor); err != nil || minor < 26 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if name := newName(line); name != "" {
				looked++
				if !isJudged(name) {
					t.Errorf("%s: %s is new: control it, or say in this file why not\n%s", filepath.Base(file), name, line)
				}
			}
		}
	}
	if looked == 0 {
		t.Skip("this toolchain has no list of what is new")
	}
}

var (
	newMethod   = regexp.MustCompile(`^pkg (\S+)(?: \([^)]*\))?, method \(\*?(\w+)(?:\[[^\]]*\])?\) (\w+)`)
	newMember   = regexp.MustCompile(`^pkg (\S+)(?: \([^)]*\))?, type (\w+)(?:\[[^\]]*\])? (?:struct|interface), (\w+)`)
	newDeclared = regexp.MustCompile(`^pkg (\S+)(?: \([^)]*\))?, (?:func|type|var|const) (\w+)`)
)

// newName is the name of what a line of a list is about, "net.Dialer.DialIP", if it is in
// a concurrent package.
func newName(line string) string {
	for _, form := range []*regexp.Regexp{newMethod, newMember, newDeclared} {
		if m := form.FindStringSubmatch(line); m != nil {
			if !concurrent.MatchString(m[1]) {
				return ""
			}
			return strings.Join(m[1:], ".")
		}
	}
	return ""
}

func isJudged(name string) bool {
	for pattern := range judged {
		if ok, _ := filepath.Match(strings.ReplaceAll(pattern, "/", "|"), strings.ReplaceAll(name, "/", "|")); ok {
			return true
		}
	}
	return false
}
