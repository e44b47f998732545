package scenario

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// A Trier tries patches of a program with scenarios. It is safe for concurrent use; patches take
// turns.
type Trier struct {
	Tool    *gotool.Toolchain
	Program *analysis.Program
	Budget  time.Duration // for exploring the scenarios of a patch; what is built for it takes its own time

	mu     sync.Mutex
	latest []kept // at most mostKept; what patches of the same functions share
}

// kept are drivers with what their files were made of.
type kept struct {
	key     [sha256.Size]byte
	drivers *Drivers // nil: no scenario can be used
}

// mostKept is how many drivers are kept: a search validates mutants of few functions.
const mostKept = 4

// A Result is what scenarios show of a patch.
type Result struct {
	Made       int // scenarios
	Tried      int // of these, those that can be used
	Objections []Objection
}

// Try makes scenarios for what a patch, the files that it changes by absolute names, touches, and explores them.
func (t *Trier) Try(ctx context.Context, files map[string][]byte) (r Result, err error) {
	return t.TryLike(ctx, files, files)
}

// TryLike is Try with the scenarios that are made for another patch.
func (t *Trier) TryLike(ctx context.Context, other, files map[string][]byte) (r Result, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Make(t.Program, Touched(t.Program, other))
	r.Made = len(s.Scenarios)
	d, err := t.drivers(ctx, s)
	if err != nil || d == nil {
		return r, err
	}
	r.Tried = len(d.scenarios)
	r.Objections, err = d.Try(ctx, files, t.Budget)
	return r, err
}

// eachTime is how long the scenarios that failed are explored in each of several programs. Guessed:
// they have failed within a part of the time for all.
const eachTime = time.Second

// TryEach tries several patches with the scenarios that object to one: it returns how many of them
// fail with each; -1 of one that does not build. The scenarios are those made for another patch.
func (t *Trier) TryEach(ctx context.Context, other map[string][]byte, sets []map[string][]byte, objections []Objection) ([]int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	d, err := t.drivers(ctx, Make(t.Program, Touched(t.Program, other)))
	if err != nil {
		return nil, err
	}
	if d == nil {
		return make([]int, len(sets)), nil
	}
	return d.TryEach(ctx, sets, d.named(scenariosOf(objections)), eachTime)
}

// named are the drivers' scenarios of the names that some have, which may be another suite's like it.
func (d *Drivers) named(some []*Scenario) []*Scenario {
	var own []*Scenario
	for _, x := range d.scenarios {
		if slices.ContainsFunc(some, func(o *Scenario) bool { return o.Name == x.Name }) {
			own = append(own, x)
		}
	}
	return own
}

// drivers opens the scenarios of a suite, unless the same ones are open.
func (t *Trier) drivers(ctx context.Context, s *Suite) (*Drivers, error) {
	key := s.key()
	for _, k := range t.latest {
		if k.key == key {
			return k.drivers, nil
		}
	}
	d, err := Open(ctx, t.Tool, t.Program, s)
	if err != nil {
		return nil, err
	}
	if len(t.latest) == mostKept {
		if err := t.latest[0].drivers.Close(); err != nil {
			return nil, err
		}
		t.latest = t.latest[1:]
	}
	t.latest = append(t.latest, kept{key, d})
	return d, nil
}

// Close removes what is open.
func (t *Trier) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	for _, k := range t.latest {
		err = errors.Join(err, k.drivers.Close())
	}
	t.latest = nil
	return err
}

// key tells suites apart.
func (s *Suite) key() (key [sha256.Size]byte) {
	h := sha256.New()
	files := s.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\n%s\n", name, files[name])
	}
	h.Sum(key[:0])
	return key
}
