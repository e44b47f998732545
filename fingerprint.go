package mendel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"mendel/checker/sched"
	"mendel/internal/store"
)

// A fingerprint is all that scores depend on and options do not say, hashed, by
// names for people.
type fingerprint struct {
	Files  map[string]string `json:"files"` // of the program, as seen from the module's directory, with slashes
	Others map[string]string `json:"others"`
}

// mendelItself names this Mendel in a fingerprint.
const mendelItself = "Mendel"

// fingerprint takes that of the program as it was loaded.
func (r *repairer) fingerprint() (fingerprint, error) {
	files, modules := r.program.Sources()
	f := fingerprint{Files: map[string]string{}, Others: map[string]string{
		"the go command": r.tool.Version, mendelItself: version(),
		"the version of a module": sum([]byte(strings.Join(modules, "\n"))),
	}}
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "GODEBUG", "GOARCH", "CGO_ENABLED", "GOWORK"} {
		f.Others[name] = os.Getenv(name)
	}
	if r.o.From != "" {
		text, err := os.ReadFile(r.o.From)
		if err != nil {
			return f, fmt.Errorf("look whether the evidence has changed: %w", err)
		}
		f.Others[cmp.Or(r.o.FromName, filepath.Base(r.o.From))] = sum(text)
	}
	module := r.program.Module
	for _, name := range []string{"go.mod", "go.sum", "vendor/modules.txt"} {
		files = append(files, inModule(module, name))
	}
	for _, name := range files {
		var text []byte
		if loaded := r.program.File(name); loaded != nil {
			text = loaded.Source
		} else if read, err := os.ReadFile(name); err == nil {
			text = read
		} else if errors.Is(err, fs.ErrNotExist) {
			continue
		} else {
			return f, fmt.Errorf("look whether the source has changed: %w", err)
		}
		f.Files[fromModule(module, name)] = sum(text)
	}
	return f, nil
}

// fromModule is an absolute name as seen from a module's directory.
func fromModule(module, name string) string {
	if rel, err := filepath.Rel(module, name); err == nil {
		name = rel
	}
	return filepath.ToSlash(name)
}

// inModule is the inverse of fromModule.
func inModule(module, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(module, name)
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:16])
}

// version identifies this Mendel by what is in its executable: operators,
// checker, noise and the way scores are made are. Where that cannot be read,
// what it was built of has to do.
func version() string {
	h := sha256.New()
	name, err := os.Executable()
	if err == nil {
		var f *os.File
		if f, err = os.Open(name); err == nil {
			_, err = io.Copy(h, f)
			_ = f.Close() // it was only read
		}
	}
	if info, ok := debug.ReadBuildInfo(); err != nil && ok {
		h.Reset()
		io.WriteString(h, info.String())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

const (
	// testdataBytes are read below testdata; of what is more, names and sizes
	// have to do. Guessed: to hash them takes less than a tenth of a second.
	testdataBytes = 64 << 20
	// testdataFiles are looked at. What is more counts by the name of its directory.
	testdataFiles = 20_000
)

// hashTestdata hashes the directories below the target's testdata, each with
// the files in it and the names of its subdirectories. What cannot be read is
// hashed as such.
func (r *repairer) hashTestdata() map[string]string {
	w := treeHasher{sums: map[string]string{}, bytes: testdataBytes, files: testdataFiles}
	dir := filepath.Join(r.program.Packages[0].Dir, "testdata")
	if _, err := os.Stat(dir); err == nil {
		w.dir(dir, fromModule(r.program.Module, dir))
	}
	return w.sums
}

// A treeHasher hashes directories.
type treeHasher struct {
	sums  map[string]string // by name for people
	bytes int64             // to be read yet
	files int               // to be looked at yet
}

func (w *treeHasher) dir(name, shown string) {
	entries, err := os.ReadDir(name)
	h := sha256.New()
	fmt.Fprintln(h, err != nil)
	for _, e := range entries {
		fmt.Fprintf(h, "%q %v\n", e.Name(), e.IsDir())
		if w.files--; w.files < 0 {
			break
		}
		if below := filepath.Join(name, e.Name()); e.IsDir() {
			w.dir(below, path.Join(shown, e.Name()))
		} else {
			w.file(below, h)
		}
	}
	w.sums[shown] = hex.EncodeToString(h.Sum(nil)[:16])
}

// file hashes a file or what a symbolic link leads to. Nothing else is opened:
// a pipe may wait for ever.
func (w *treeHasher) file(name string, h hash.Hash) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	fmt.Fprintln(h, info.Size())
	if w.bytes -= info.Size(); w.bytes < 0 {
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	_, _ = io.CopyN(h, f, info.Size()) // as much as there is
	_ = f.Close()                      // it was only read
}

// common is what two hashings have in common: what went on between them has
// left it alone.
func common(before, after map[string]string) map[string]string {
	same := maps.Clone(before)
	maps.DeleteFunc(same, func(name, hash string) bool { return after[name] != hash })
	return same
}

// changedSince tells what has changed since a run was begun and, below
// testdata, since its tests were run first.
func (r *repairer) changedSince(run *store.Run) ([]string, error) {
	var before fingerprint
	if err := json.Unmarshal(run.Source, &before); err != nil {
		return nil, err
	}
	changed := append(changes(before.Others, r.prints.Others), changes(before.Files, r.prints.Files)...)
	if len(run.Baseline) == 0 {
		return changed, nil
	}
	var kept keptBaseline
	if err := json.Unmarshal(run.Baseline, &kept); err != nil {
		return nil, err
	}
	r.testdata = kept.Testdata
	now := r.hashTestdata()
	maps.DeleteFunc(now, func(name, _ string) bool { return kept.Testdata[name] == "" })
	return append(changed, changes(kept.Testdata, now)...), nil
}

// changes words the differences of hashes, sorted by what is hashed.
func changes(before, after map[string]string) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		switch now, ok := after[name]; {
		case !ok:
			words = append(words, name+" is gone")
		case now != before[name]:
			words = append(words, name+" has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			words = append(words, name+" is new")
		}
	}
	return words
}

// judging identifies what scores hold for: the source and the way of judging,
// which depends on who has seen the original fail.
func (r *repairer) judging(base *baseline) (string, error) {
	o := r.o
	checked := []bool{base.checked != nil, base.failed == 0, base.leaks}
	if base.checked != nil {
		checked = append(checked, base.checked.Verdict == sched.Failed)
	}
	data, err := json.Marshal([]any{
		r.prints, r.testdata, r.result.Target.Package, o.Run, o.Tags, o.Flags, o.Count, o.Timeout, o.NoRace, o.NoNoise, checked,
	})
	if err != nil {
		return "", fmt.Errorf("identify what scores hold for: %w", err)
	}
	return sum(data), nil
}
