package analysis

import (
	"crypto/sha256"
	"encoding/binary"
	"go/token"
	"maps"
	"slices"
	"sync"
)

// recentText is how much source text the packages have whose types are kept. A kept byte
// of text takes nine bytes of memory in go.uber.org/zap/zapcore, so this is 300 MB. A package
// of a megabyte, with its tests, fits as often as a generation has mutants.
const recentText = 32 << 20

// recent are the latest results of [Program.Recheck]. A mutant is asked for by all that
// judge its source: the space of edits, the checker, noise, validation.
type recent struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*rechecked
	order []*rechecked // oldest first
	text  int          // of all of them, in bytes
}

// A rechecked is one result.
type rechecked struct {
	once sync.Once
	key  [sha256.Size]byte
	text int
	fset *token.FileSet
	pkgs []*Package
	err  error
}

// of is what find returns for some files. It is asked once for equal ones, as long as its
// answer is kept.
func (r *recent) of(files map[string][]byte, find func() (*token.FileSet, []*Package, error)) (*token.FileSet, []*Package, error) {
	key := keyOf(files)
	r.mu.Lock()
	c := r.known[key]
	if c == nil {
		c = &rechecked{key: key}
		r.known[key] = c
	}
	r.mu.Unlock()
	c.once.Do(func() {
		c.fset, c.pkgs, c.err = find()
		r.keep(c)
	})
	return c.fset, slices.Clone(c.pkgs), c.err
}

// keep keeps an answer, and drops the oldest for it.
func (r *recent) keep(c *rechecked) {
	for _, pkg := range c.pkgs {
		for _, f := range pkg.Files {
			c.text += len(f.Source)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = append(r.order, c)
	for r.text += c.text; r.text > recentText && len(r.order) > 1; r.order = r.order[1:] {
		delete(r.known, r.order[0].key)
		r.text -= r.order[0].text
	}
}

// keyOf tells sets of files apart.
func keyOf(files map[string][]byte) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, part := range [][]byte{[]byte(name), files[name]} {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part))))
			h.Write(part)
		}
	}
	h.Sum(key[:0])
	return key
}
