package captures_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"mendel/mutate/fact/captures"
	"mendel/mutate/internal/mutatetest"
)

const capturing = `package capturing

import "sync"

type hub struct {
	mu      sync.Mutex
	n       int
	list    []int
	notify  func(int)
	current *hub
	part    part
	steady  chan int // never replaced
	set     chan int
}

type part struct{ n int }

func (p part) show()     {}
func (p *part) change()  {}
func (h *hub) wait(int) (int, error) { return <-h.steady, nil }
func twice(a, b func(int)) {}
func each(list []int)      {}

func (h *hub) run(next int) (result int, err error) {
	h.mu.Lock()
	h.n = 1
	h.notify(h.n)
	h.current.wait(next)
	h.steady <- next
	h.set <- h.n
	for range h.list {
	}
	select {
	case <-h.set:
	case h.steady <- h.n:
	}
	each(h.list)
	twice(h.notify, h.current.notify)
	h.part.show()
	h.n, err = h.wait(1)
	_ = len(h.list)
	_ = h.n + <-h.steady
	h.mu.Unlock()
	return h.current.wait(h.n)
}

func (h *hub) replace(o *hub) {
	h.mu.Lock()
	h.list, h.notify, h.current, h.set, h.part = nil, nil, o, nil, part{}
	h.mu.Unlock()
}

func open() *hub {
	h := &hub{}
	h.steady = make(chan int) // nobody else knows h yet
	go h.run(1)
	go h.replace(h)
	return h
}
`

func TestCaptures(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": capturing})["(*hub).run"]
	s := fn.Sections()[0]
	want := []string{
		"no",                        // assigned to
		"notify=h.notify n=h.n",     // function value and argument
		"current=h.current",         // receiver; a parameter stays
		"",                          // nothing guarded
		"set=h.set n=h.n",           // channel and value
		"list=slices.Clone(h.list)", // ranged over
		"set=h.set n=h.n",           // those of all cases
		"no",                        // what a slice leads to is shared
		"no",                        // two of one name
		"no",                        // a struct
		"no",                        // assigned to
		"no",                        // what len looks at
		"no",                        // not the operation's
	}
	if len(s.Body) != len(want) {
		t.Fatalf("the section has %d statements, want %d", len(s.Body), len(want))
	}
	for i, stmt := range s.Body {
		captures, ok := captures.Of(fn, s, stmt)
		got := describeCaptures(captures)
		if !ok {
			got = "no"
		}
		if got != want[i] {
			t.Errorf("line %d: %q, want %q", fn.Program.Fset.Position(stmt.Pos()).Line, got, want[i])
		}
	}
}

func describeCaptures(captures []captures.Capture) string {
	var words []string
	for _, c := range captures {
		e := types.ExprString(c.Expr)
		if c.Clone != "" {
			e = c.Clone + ".Clone(" + e + ")"
		}
		words = append(words, fmt.Sprintf("%s=%s", c.Name, e))
	}
	return strings.Join(words, " ")
}

func TestResultNames(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": capturing})
	fn := functions["(*hub).run"]
	last := fn.Body.List[len(fn.Body.List)-1]
	call := fn.Calls(last)[0].Expr
	// result and err are the function's own results.
	if got := strings.Join(captures.ResultNames(fn, call), " "); got != "result2 err2" {
		t.Errorf("names %s, want result2 err2", got)
	}
}
