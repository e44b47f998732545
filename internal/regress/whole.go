package regress

import (
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"go/version"
	"strings"

	"mendel/analysis/evidence"
)

// plain asks whether the test itself fails whatever the schedule.
func (m *making) plain(ctx context.Context) (*Test, error) {
	t := &Test{Name: m.file.Test, Means: Plain, File: m.test.file.Name}
	m.o.Phase("running %s", t.Name)
	exe, err := m.build(ctx, t, m.race)
	if err != nil {
		return nil, err
	}
	before, err := m.red(ctx, exe, t.Name, "", few)
	switch {
	case err != nil:
		return nil, err
	case before.Failed < before.Runs:
		return nil, none("%s does not fail as it should in run %d", t.Name, before.Runs)
	}
	return m.accept(ctx, t)
}

// bubble runs the test in a bubble of testing/synctest, which tells goroutines that are blocked.
func (m *making) bubble(ctx context.Context) (*Test, error) {
	switch {
	case !m.wanted.blocks():
		return nil, none("a bubble tells only that goroutines are blocked")
	case m.test.inBubble():
		return nil, none("the test runs in one")
	case m.wanted.locks:
		return nil, none("a bubble does not tell goroutines that wait for locks")
	}
	return m.whole(ctx, Bubble, inBubble)
}

// watched runs the test under package order, which tells a deadlock, whatever the order.
func (m *making) watched(ctx context.Context) (*Test, error) {
	switch {
	case m.file.Kind != evidence.Deadlock:
		return nil, none("package order tells only deadlocks of the test")
	case m.test.inBubble():
		return nil, none("the test runs in a bubble, which tells them")
	}
	return m.whole(ctx, Watched, underOrder)
}

// rounds are how often a test is repeated to see whether it fails, the most first. One that is written
// repeats it margin times as often as it needs, so that it is as good as sure to fail.
var rounds = []int{200, 40, 10}

const margin = 5

// repeated repeats the test, where goroutines may be blocked in bubbles, or under package order.
func (m *making) repeated(ctx context.Context) (*Test, error) {
	within := []enclosure{bare}
	switch {
	case m.test.inBubble():
	case m.file.Kind == evidence.Blocked:
		within = []enclosure{inBubble}
	case m.file.Kind == evidence.Deadlock && m.wanted.locks:
		within = []enclosure{underOrder}
	case m.file.Kind == evidence.Deadlock:
		within = []enclosure{inBubble, underOrder}
	}
	if err := m.test.prepare(); err != nil {
		return nil, none("%v", err)
	}
	var reason error
	for _, w := range within {
		t, err := m.often(ctx, w)
		if _, ok := err.(*noTest); !ok {
			return t, err
		}
		reason = err
	}
	return nil, reason
}

// often repeats the test as often as it needs to fail.
func (m *making) often(ctx context.Context, within enclosure) (*Test, error) {
	needs := 0
	for _, n := range rounds {
		t := m.newTest(Repeated, within)
		t.Rounds = n
		err := m.tried(ctx, t, within)
		if _, ok := err.(*noTest); ok && needs > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		needs = n
	}
	t := m.newTest(Repeated, within)
	t.Rounds = margin * needs
	if err := m.callerSource(t, within); err != nil {
		return nil, err
	}
	return m.accept(ctx, t)
}

// An enclosure is that in which a test is called. Go test alone does not tell goroutines that are blocked.
type enclosure int

const (
	bare enclosure = iota
	inBubble
	underOrder
)

// whole makes a test that calls the one that failed.
func (m *making) whole(ctx context.Context, means Means, within enclosure) (*Test, error) {
	if err := m.test.prepare(); err != nil {
		return nil, none("%v", err)
	}
	t := m.newTest(means, within)
	if err := m.tried(ctx, t, within); err != nil {
		return nil, err
	}
	return m.accept(ctx, t)
}

func (m *making) newTest(means Means, within enclosure) *Test {
	return &Test{Name: m.test.name, Means: means, File: m.path(), Order: within == underOrder}
}

// tried writes a test and runs it a few times; the error says if it does not fail.
func (m *making) tried(ctx context.Context, t *Test, within enclosure) error {
	if err := m.callerSource(t, within); err != nil {
		return err
	}
	m.o.Phase("running %s, %s", t.Name, t.Means)
	exe, err := m.build(ctx, t, m.race)
	if err != nil {
		return err
	}
	before, err := m.red(ctx, exe, t.Name, "", few)
	switch {
	case err != nil:
		return err
	case before.Failed == before.Runs:
		return nil
	case t.Rounds > 0:
		return none("%s, repeated %d times, does not fail as it should in run %d", m.file.Test, t.Rounds, before.Runs)
	}
	return none("%s does not fail so as it should in run %d", m.file.Test, before.Runs)
}

// callerSource makes the text of a test that calls the one that failed.
func (m *making) callerSource(t *Test, within enclosure) error {
	directive, imports := "", []string{"testing"}
	call := m.file.Test
	function := call
	switch within {
	case inBubble:
		directive, imports = m.clock(), append(imports, synctestPath)
		call = fmt.Sprintf("synctest.Test(t, %s)", call)
		function = "func(t *testing.T) { " + call + " }"
	case underOrder:
		imports = append(imports, "time")
		call = fmt.Sprintf("order.Try(t, \"begin -> end\", func(t *testing.T) {\norder.At(\"begin\")\n%s(t)\norder.At(\"end\")\n}, order.Within(time.Second))", call)
		function = "func(t *testing.T) {\n" + call + "\n}"
	}
	words := m.what(t)
	if t.Rounds > 0 {
		imports = append([]string{"runtime"}, imports...)
		words += fmt.Sprintf("\nIt is repeated, with %d processors, because it does not fail each time.", mostProcessors)
		call = fmt.Sprintf("defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(%d))\nfor n := 0; n < %d && t.Run(\"\", %s); n++ {\n}", mostProcessors, t.Rounds, function)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n", directive, m.test.file.AST.Name.Name)
	for _, name := range imports {
		fmt.Fprintf(&b, "\t%q\n", name)
	}
	if within == underOrder {
		fmt.Fprintf(&b, "\n\t%q\n", m.test.order)
	}
	fmt.Fprintf(&b, ")\n\n%sfunc %s(t *testing.T) {\n%s\n}\n", comment(words), t.Name, call)
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return fmt.Errorf("make a test: %w", err)
	}
	t.Source = string(text)
	return nil
}

// clock is the directive that bubbles need in modules of old versions of Go.
func (m *making) clock() string {
	if v := m.test.pkg.Types.GoVersion(); v != "" && version.Compare(v, "go1.23") < 0 {
		return "//go:debug asynctimerchan=0\n\n"
	}
	return ""
}

// what is the comment above a test.
func (m *making) what(t *Test) string {
	text := fmt.Sprintf("%s fails as %s does in a schedule that mendel has found:\n%s.", t.Name, m.file.Test, oneLine(m.file.Message))
	if t.Means == Locks && t.Orders != "" {
		text += fmt.Sprintf("\nAll goroutines that it starts wait for %s, and have it in turn then.", t.Orders)
	}
	if m.race {
		text += "\nOnly the race detector sees it: go test -race."
	}
	return text
}

// inBubble reports whether a test runs in a bubble of testing/synctest.
func (c *copied) inBubble() bool {
	found := false
	ast.Inspect(c.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			p, ok := c.pkg.Info.Uses[id].(*types.PkgName)
			found = found || ok && p.Imported().Path() == synctestPath
		}
		return true
	})
	return found
}

const synctestPath = "testing/synctest"
