package gotool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/cache"
)

// What is compiled of a mutant would lie in the user's build cache for days, and nobody
// builds that mutant again. But the library and the dependencies are to come from there. So builds
// that need not be kept read the cache and write nothing: the go command asks the program that
// GOCACHEPROG names for what is compiled (go doc cmd/go/internal/cacheprog), and puts nothing
// into it if it says that it only reads. That program is this same executable.

// readerVariable is the environment variable of a reader, with the build cache that it reads.
const readerVariable = "MENDEL_READ_CACHE"

// A reader does its work and ends before anything else of the program happens: every program of this module,
// those of tests too, may be started as one.
func init() {
	dir, set := os.LookupEnv(readerVariable)
	if !set || !ofModule() {
		return
	}
	if err := serveCache(dir, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "read the build cache %s: %v\n", dir, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// ofModule reports whether this program is one of this module: of others, nobody knows what they
// do when they start.
func ofModule() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Path == "mendel"
}

// A cacheRequest is what the go command asks a reader.
type cacheRequest struct {
	ID       int64
	Command  string
	ActionID []byte
}

// A cacheAnswer is what a reader answers. The first one says what it can do.
type cacheAnswer struct {
	ID            int64
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

// serveCache answers a go command until that has no more questions.
func serveCache(dir string, in io.Reader, out io.Writer) error {
	c, err := cache.Open(dir)
	if err != nil {
		return err
	}
	answers, requests := json.NewEncoder(out), json.NewDecoder(in)
	if err := answers.Encode(cacheAnswer{KnownCommands: []string{"get", "close"}}); err != nil {
		return err
	}
	for {
		var r cacheRequest
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("understand the go command: %w", err)
		}
		a := cacheAnswer{ID: r.ID}
		if r.Command == "get" {
			a.look(c, r.ActionID)
		}
		if err := answers.Encode(a); err != nil || r.Command == "close" {
			return err
		}
	}
}

// look finds what is compiled.
func (a *cacheAnswer) look(c *cache.Cache, action []byte) {
	var id cache.ActionID
	if a.Miss = copy(id[:], action) < len(id); a.Miss {
		return
	}
	file, entry, err := c.GetFile(id)
	if a.Miss = err != nil; a.Miss {
		return
	}
	a.OutputID, a.Size, a.Time, a.DiskPath = entry.OutputID[:], entry.Size, &entry.Time, file
}

// A keptBuilds is the kinds of builds whose library and dependencies are in the build cache.
type keptBuilds struct {
	mu    sync.Mutex
	kinds map[string]bool
}

// has reports whether there was a build of a kind.
func (k *keptBuilds) has(kind string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kinds[kind]
}

// add notes a build.
func (k *keptBuilds) add(kind string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kinds == nil {
		k.kinds = map[string]bool{}
	}
	k.kinds[kind] = true
}

// kind is what the library and the dependencies of a build depend on: its flags, and what it adds to
// the library.
func (t *Toolchain) kind(command string, o BuildOptions) string {
	added := map[string]bool{}
	for name := range o.Overlay {
		if t.inLibrary(name) {
			added[filepath.Dir(name)] = true
		}
	}
	return fmt.Sprintf("%s %q %q %v %q %q %q", command, o.Package, o.Flags, o.Race, o.Compiler, o.Env, slices.Sorted(maps.Keys(added)))
}

// reading is what the environment of a go command has that writes nothing into the build cache;
// nil if there is no way: the cache is a program of the user's, or this program cannot be started.
func (t *Toolchain) reading() []string {
	if t.reader == "" {
		return nil
	}
	if _, err := os.Stat(t.reader); err != nil {
		return nil // it was replaced or removed since it was started
	}
	return []string{`GOCACHEPROG="` + t.reader + `"`, readerVariable + "=" + t.cache}
}

// chooseReader finds the program that reads the build cache, if the user has no such program. A
// name with a quotation mark cannot be told to the go command.
func (t *Toolchain) chooseReader(users string) {
	if users != "" || !ofModule() {
		return
	}
	if path, err := os.Executable(); err == nil && !strings.Contains(path, `"`) {
		t.reader = path
	}
}
