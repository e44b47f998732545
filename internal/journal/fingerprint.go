package journal

import (
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

	"mendel/internal/result"
)

// A Fingerprint is all that scores depend on and options do not say, hashed, by
// names for people.
type Fingerprint struct {
	Files  map[string]string `json:"files"` // of the program, as seen from the module's directory, with slashes
	Others map[string]string `json:"others"`
}

const (
	// testdataBytes are read below testdata; of what is more, names and sizes
	// have to do. Guessed: to hash them takes less than a tenth of a second.
	testdataBytes = 64 << 20
	// testdataFiles are looked at. What is more counts by the name of its directory.
	testdataFiles = 20_000
)

// NewFingerprint returns a fingerprint of nothing but the stored format and
// the version of the go command.
func NewFingerprint(goVersion string) Fingerprint {
	return Fingerprint{
		Files:  map[string]string{},
		Others: map[string]string{"the go command": goVersion, mendelItself: formatName()},
	}
}

// ChangedSince says in words what is different from an earlier fingerprint. The
// format is no difference: whoever can read it can go on.
func (f Fingerprint) ChangedSince(before Fingerprint) []string {
	others := func(f Fingerprint) map[string]string {
		others := maps.Clone(f.Others)
		delete(others, mendelItself)
		return others
	}
	return append(result.Changes(others(before), others(f)), result.Changes(before.Files, f.Files)...)
}

// Judging identifies what scores hold for: the source and the way of judging,
// all that is named in how, in the order of the version that stored them.
func Judging(f Fingerprint, testdata map[string]string, how ...any) (string, error) {
	data, err := json.Marshal(append([]any{f, testdata}, how...))
	if err != nil {
		return "", fmt.Errorf("identify what scores hold for: %w", err)
	}
	return result.Hash(data), nil
}

// HashTestdata hashes the directories below the testdata of a package's
// directory, each with the files in it and the names of its subdirectories. What
// cannot be read is hashed as such.
func HashTestdata(module, dir string) map[string]string {
	w := treeHasher{sums: map[string]string{}, bytes: testdataBytes, files: testdataFiles}
	dir = filepath.Join(dir, "testdata")
	if _, err := os.Stat(dir); err == nil {
		w.dir(dir, result.FromModule(module, dir))
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

// Common is what two hashings have in common: what went on between them has
// left it alone.
func Common(before, after map[string]string) map[string]string {
	same := maps.Clone(before)
	maps.DeleteFunc(same, func(name, hash string) bool { return after[name] != hash })
	return same
}

// Add adds a file of the program by its text.
func (f Fingerprint) Add(module, name string, text []byte) {
	f.Files[result.FromModule(module, name)] = result.Hash(text)
}

// Read adds a file of the program from disk, if it is there.
func (f Fingerprint) Read(module, name string) error {
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("look whether the source has changed: %w", err)
	default:
		f.Add(module, name, text)
	}
	return nil
}

// TestdataChanges says in words what has changed of what is kept of testdata.
// What is not kept is of no interest: the tests change it themselves.
func TestdataChanges(kept, now map[string]string) []string {
	now = maps.Clone(now)
	maps.DeleteFunc(now, func(name, _ string) bool { return kept[name] == "" })
	return result.Changes(kept, now)
}
