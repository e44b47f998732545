package cover

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/interleave/instrument"
	"mendel/internal/store"
)

// A memory is what is known of the interleavings of a package's tests, over tests
// and runs of the command. It holds for one source: of what was known for another one
// only what failed is kept, to be forced again.
type memory struct {
	lock   *store.Lock
	db     *store.Store // nil: nothing is kept
	pkg    string
	names  []string          // of sites, which survive changes elsewhere
	sites  map[string]uint32 // by name
	source string            // fingerprint of the program without its tests
	tests  map[string]string

	exposed interleave.Set           // by any run of any test
	before  interleave.Set           // of these, by earlier runs of the command
	tries   map[interleave.IRoot]int // runs that were to force it
	rows    map[interleave.IRoot]*store.IRoot
	changed interleave.Set // rows that are not in the store yet
	stale   []store.IRoot  // rows that say nothing of this source
	failed  []interleave.IRoot
}

// remember opens the memory in the output directory.
func (c *covering) remember() error {
	m := &memory{
		pkg: c.result.Target.Package, names: siteNames(c.hooked.Sites), tests: map[string]string{},
		exposed: interleave.Set{}, before: interleave.Set{}, tries: map[interleave.IRoot]int{},
		rows: map[interleave.IRoot]*store.IRoot{}, changed: interleave.Set{},
	}
	c.memory = m
	c.fingerprint()
	m.sites = map[string]uint32{}
	for i, name := range m.names {
		m.sites[name] = uint32(i + 1)
	}
	if c.o.Out == "" || c.o.Strategy != Maple {
		return nil
	}
	var err error
	if m.lock, err = store.Acquire(c.o.Out); err != nil {
		return err
	}
	if m.db, _, err = store.Open(c.o.Out, c.o.Fresh); err != nil || c.o.Fresh {
		return err
	}
	known, err := m.db.IRoots(m.pkg)
	if err != nil {
		return err
	}
	m.recall(known, c.sourceOf)
	c.predictRemembered()
	return nil
}

// predictRemembered counts what earlier runs knew of the tests as predicted.
func (c *covering) predictRemembered() {
	for r, row := range c.memory.rows {
		if t := c.test(row.Test); t != nil {
			t.predicted[r] = true
		}
	}
}

// fingerprint hashes the program, and each test file.
func (c *covering) fingerprint() {
	h := sha256.New()
	for _, pkg := range c.program.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				sum := sha256.Sum256(f.Source)
				c.memory.tests[f.Rel] = hex.EncodeToString(sum[:8])
				continue
			}
			fmt.Fprintf(h, "%q %d\n%s\n", f.Rel, len(f.Source), f.Source)
		}
	}
	c.memory.source = hex.EncodeToString(h.Sum(nil)[:16])
}

// sourceOf is the fingerprint of the source on which it depends what an iRoot is: the
// program, and the test files in which ends are.
func (c *covering) sourceOf(r interleave.IRoot) string {
	source, seen := c.memory.source, map[string]bool{}
	for _, e := range r.Ends[:r.Len()] {
		if s := c.hooked.Sites[e.Site-1]; s.Test && !seen[s.File] {
			seen[s.File] = true
			source += " " + c.memory.tests[s.File]
		}
	}
	return source
}

// sourceOfAll is the fingerprint of the program and its tests.
func (c *covering) sourceOfAll() string {
	h := sha256.New()
	fmt.Fprintln(h, c.memory.source)
	for _, name := range slices.Sorted(maps.Keys(c.memory.tests)) {
		fmt.Fprintln(h, name, c.memory.tests[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// recall takes over what is known.
func (m *memory) recall(known []store.IRoot, sourceOf func(interleave.IRoot) string) {
	for _, row := range known {
		var ends []end
		r, ok := interleave.IRoot{}, false
		if json.Unmarshal(row.Ends, &ends) == nil {
			r, ok = m.resolve(row.Idiom, ends)
		}
		current := ok && row.Source == sourceOf(r)
		switch {
		case !ok, !current && row.Failed == "":
			m.stale = append(m.stale, row)
			continue
		case row.Failed != "":
			m.failed = append(m.failed, r)
		}
		m.rows[r] = &row
		if !current {
			row.Exposed, row.Tries = false, 0
		}
		if m.tries[r] = row.Tries; row.Exposed {
			m.exposed[r], m.before[r] = true, true
		}
	}
	slices.SortFunc(m.failed, interleave.IRoot.Compare)
}

// resolve finds an iRoot by the names of its ends; ok is false if a place is gone.
func (m *memory) resolve(idiom int, ends []end) (r interleave.IRoot, ok bool) {
	if r.Idiom = idiom; r.Idiom < 1 || r.Idiom > interleave.Idioms || len(ends) != r.Len() {
		return r, false
	}
	for i, e := range ends {
		kind, ok := hook.KindOf(e.Kind)
		site := m.sites[e.Site]
		if !ok || site == 0 {
			return r, false
		}
		r.Ends[i] = interleave.End{Site: site, Kind: kind}
	}
	return r, true
}

// An end is one of a row.
type end struct {
	Kind string `json:"kind"`
	Site string `json:"site"` // as siteNames has it
}

// retries is how often what failed in an earlier run of the command is forced before it
// counts as passing: as often as what fails for the first time is repeated.
const retries = again

// regress forces what failed in earlier runs of the command, as it was forced then.
func (c *covering) regress(ctx context.Context) error {
	for _, r := range c.memory.failed {
		row := *c.memory.rows[r]
		t := c.test(row.Test)
		if t == nil || c.over() {
			continue
		}
		if c.result.FailedBefore++; c.result.FailedBefore == 1 {
			c.o.Observer.Phase("forcing what failed before")
		}
		for range retries {
			a := c.attempt(ctx, candidate{t, r}, row.Seed, row.Late)
			if a.err != nil {
				return a.err
			}
			c.note(a)
			if !a.outcome.Pass {
				c.result.FailedAgain++
				break
			}
		}
	}
	return nil
}

// row is what is to be stored of an iRoot.
func (c *covering) row(t *test, r interleave.IRoot) *store.IRoot {
	m := c.memory
	if m.rows[r] == nil {
		m.rows[r] = &store.IRoot{Test: t.Name}
	}
	m.changed[r] = true
	return m.rows[r]
}

// exposes takes over what a run of a test exposed.
func (c *covering) exposes(t *test, exposed interleave.Set) {
	for r := range exposed {
		if !c.memory.exposed[r] {
			c.memory.exposed[r] = true
			c.row(t, r).Exposed = true
		}
	}
}

// tried takes over that an attempt was made. What failed is remembered once for each
// failure: shown says that no run before has shown it.
func (c *covering) tried(a attempt, shown bool) {
	row := c.row(a.test, a.root)
	c.memory.tries[a.root]++
	switch {
	case a.outcome.Pass || len(a.outcome.Failures) == 0:
		row.Failed = ""
	case shown || row.Failed != "":
		row.Failed, row.Test, row.Seed, row.Late = a.outcome.Failures[0].Signature, a.test.Name, a.seed, a.late
	}
}

// standsFor takes over that another iRoot than the one that was forced stands for a failure.
func (c *covering) standsFor(was interleave.IRoot, f *Failure) {
	if f.Forced == nil || f.root == was {
		return
	}
	if old := c.memory.rows[was]; old != nil && old.Failed == f.Signature {
		c.row(f.test, was).Failed = ""
	}
	row := c.row(f.test, f.root)
	row.Failed, row.Test, row.Seed, row.Late = f.Signature, f.test.Name, f.Seed, f.Late
}

// endsOf are the ends of an iRoot by name.
func (c *covering) endsOf(r interleave.IRoot) []end {
	ends := []end{}
	for _, e := range r.Ends[:r.Len()] {
		ends = append(ends, end{e.Kind.String(), c.memory.names[e.Site-1]})
	}
	return ends
}

// keep stores what is new.
func (c *covering) keep() error {
	m := c.memory
	if m == nil || m.db == nil {
		return nil
	}
	var rows []store.IRoot
	for r := range m.changed {
		row := m.rows[r]
		text, err := json.Marshal(c.endsOf(r))
		if err != nil {
			return fmt.Errorf("keep an interleaving: %w", err)
		}
		row.Idiom, row.Ends, row.Source, row.Tries, row.Text = r.Idiom, text, c.sourceOf(r), m.tries[r], c.root(r).Text
		rows = append(rows, *row)
	}
	if err := m.db.KeepIRoots(m.pkg, rows, m.stale); err != nil {
		return err
	}
	clear(m.changed)
	m.stale = nil
	return nil
}

// forget stores what is new, and closes the memory.
func (c *covering) forget() error {
	m := c.memory
	if m == nil {
		return nil
	}
	err := c.keep()
	if m.db != nil {
		err = errors.Join(err, m.db.Close())
	}
	if m.lock != nil {
		err = errors.Join(err, m.lock.Release())
	}
	return err
}

// siteNames names sites by function, operation and operand, and numbers those that are
// alike: so a name survives changes elsewhere.
func siteNames(sites []instrument.Site) []string {
	names, count := make([]string, len(sites)), map[string]int{}
	for i, s := range sites {
		name := strings.Join([]string{s.File, s.Function, s.Operation, s.Operand}, " ")
		count[name]++
		names[i] = fmt.Sprintf("%s #%d", name, count[name])
	}
	return names
}
