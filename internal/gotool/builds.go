package gotool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Builds is the cost of all builds so far.
type Builds struct {
	Programs    int            // built
	Executables int            // linked, those that failed included
	Variants    int            // of Programs, those that are variants of functions in one executable
	By          map[string]int // Executables, by what they are for
	Alone       map[string]int // programs that could not share an executable, by why
	Time        time.Duration  // wall-clock, in which at least one build was under way
}

// Plus is the sum of two costs.
func (b Builds) Plus(more Builds) Builds {
	return Builds{
		b.Programs + more.Programs, b.Executables + more.Executables, b.Variants + more.Variants,
		Sum(b.By, more.By), Sum(b.Alone, more.Alone), b.Time + more.Time,
	}
}

// Sum adds counts; nil if there are none.
func Sum(a, b map[string]int) map[string]int {
	if len(a)+len(b) == 0 {
		return nil
	}
	all := map[string]int{}
	for _, counts := range []map[string]int{a, b} {
		for what, n := range counts {
			all[what] += n
		}
	}
	return all
}

// Counted is counts in words, the largest first: "checker, variants 9; noise, alone 2".
func Counted(counts map[string]int) string {
	var words []string
	for _, what := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		words = append(words, fmt.Sprintf("%s %d", what, counts[what]))
	}
	return strings.Join(words, "; ")
}

// A BuildMeter measures building. Its zero value begins; nil measures nothing. It is safe
// for concurrent use.
type BuildMeter struct {
	// Sum measures all that this one does, and what others do that have it: so builds of
	// several that run side by side take the time of one. nil: nobody asks for the sum.
	Sum *BuildMeter

	mu    sync.Mutex
	so    Builds
	at    int       // builds under way
	since time.Time // when the first of them began
}

// Begin notes that a build runs until end is called.
func (m *BuildMeter) Begin() (end func()) {
	if m == nil {
		return func() {}
	}
	endSum := m.Sum.Begin()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == 0 {
		m.since = time.Now()
	}
	m.at++
	return func() {
		defer endSum()
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.at--; m.at == 0 {
			m.so.Time += time.Since(m.since)
		}
	}
}

// Linked counts an executable that is going to be linked, by what it is for.
func (m *BuildMeter) Linked(by string) {
	m.count(Builds{Executables: 1, By: map[string]int{by: 1}})
}

// Built counts programs that have an executable, or clones in one.
func (m *BuildMeter) Built(programs int) { m.count(Builds{Programs: programs}) }

// Variants counts programs that are variants of functions in one executable.
func (m *BuildMeter) Variants(programs int) {
	m.count(Builds{Programs: programs, Variants: programs})
}

// Alone counts a program that could not share an executable with those that were to be
// built with it.
func (m *BuildMeter) Alone(why string) { m.count(Builds{Alone: map[string]int{why: 1}}) }

func (m *BuildMeter) count(more Builds) {
	if m == nil {
		return
	}
	m.Sum.count(more)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.so = m.so.Plus(more)
}

// Builds is what was measured until now.
func (m *BuildMeter) Builds() Builds {
	m.mu.Lock()
	defer m.mu.Unlock()
	so := m.so
	if m.at > 0 {
		so.Time += time.Since(m.since)
	}
	return so
}
