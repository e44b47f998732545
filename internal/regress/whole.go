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
	}
	return m.whole(ctx, Bubble, inBubble, 0)
}

// watched runs the test under package order, which tells a deadlock, whatever the order.
func (m *making) watched(ctx context.Context) (*Test, error) {
	switch {
	case m.file.Kind != evidence.Deadlock:
		return nil, none("package order tells only deadlocks of the test")
	case m.test.inBubble():
		return nil, none("the test runs in a bubble, which tells them")
	}
	return m.whole(ctx, Watched, underOrder, 0)
}

// rounds are how often a test is repeated to see whether it fails. One that is written repeats it
// margin times as often, so that it is as good as sure to fail.
var rounds = []int{10, 40, 200}

const margin = 5

// repeated repeats the test, where goroutines may be blocked in bubbles, or under package order.
func (m *making) repeated(ctx context.Context) (*Test, error) {
	within := []enclosure{bare}
	switch {
	case m.test.inBubble():
	case m.file.Kind == evidence.Blocked:
		within = []enclosure{inBubble}
	case m.file.Kind == evidence.Deadlock:
		within = []enclosure{inBubble, underOrder}
	}
	var reason error
	for _, w := range within {
		for _, n := range rounds {
			t, err := m.whole(ctx, Repeated, w, n)
			if _, ok := err.(*noTest); !ok {
				return t, err
			}
			reason = err
		}
	}
	return nil, reason
}

// An enclosure is that in which a test is called. Go test alone does not tell goroutines that are blocked.
type enclosure int

const (
	bare enclosure = iota
	inBubble
	underOrder
)

// whole makes a test that calls the one that failed, so many times if that is not 0.
func (m *making) whole(ctx context.Context, means Means, within enclosure, n int) (*Test, error) {
	if err := m.test.prepare(); err != nil {
		return nil, none("%v", err)
	}
	t := &Test{Name: m.test.name, Means: means, File: m.path(), Rounds: n, Order: within == underOrder}
	var err error
	if t.Source, err = m.callerSource(t, within); err != nil {
		return nil, err
	}
	m.o.Phase("running %s, %s", t.Name, means)
	exe, err := m.build(ctx, t, m.race)
	if err != nil {
		return nil, err
	}
	before, err := m.red(ctx, exe, t.Name, "", few)
	switch {
	case err != nil:
		return nil, err
	case before.Failed == before.Runs:
	case n > 0:
		return nil, none("%s, repeated %d times, does not fail as it should in run %d", m.file.Test, n, before.Runs)
	default:
		return nil, none("%s does not fail so as it should in run %d", m.file.Test, before.Runs)
	}
	t.Rounds *= margin
	if t.Source, err = m.callerSource(t, within); err != nil {
		return nil, err
	}
	return m.accept(ctx, t)
}

// callerSource is the text of a test that calls the one that failed.
func (m *making) callerSource(t *Test, within enclosure) (string, error) {
	directive, imports := "", []string{"testing"}
	call := m.file.Test
	function := call
	switch within {
	case inBubble:
		directive, imports = m.clock(), append(imports, synctestPath)
		call = fmt.Sprintf("synctest.Test(t, %s)", call)
		function = "func(t *testing.T) { " + call + " }"
	case underOrder:
		imports = append(imports, "time", m.test.order)
		call = fmt.Sprintf("order.Try(t, \"begin -> end\", func(t *testing.T) {\norder.At(\"begin\")\n%s(t)\norder.At(\"end\")\n}, order.Within(time.Second))", call)
		function = "func(t *testing.T) {\n" + call + "\n}"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n", directive, m.test.file.AST.Name.Name)
	for _, name := range imports {
		fmt.Fprintf(&b, "\t%q\n", name)
	}
	fmt.Fprintf(&b, ")\n\n%sfunc %s(t *testing.T) {\n", comment(m.what(t)), t.Name)
	if t.Rounds > 0 {
		fmt.Fprintf(&b, "for n := 0; n < %d && t.Run(\"\", %s); n++ {\n}\n}\n", t.Rounds, function)
	} else {
		fmt.Fprintf(&b, "%s\n}\n", call)
	}
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("make a test: %w", err)
	}
	return string(text), nil
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
