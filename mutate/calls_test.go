package mutate_test

import (
	"slices"
	"testing"

	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/mutatetest"
)

const calls = `package calls

import (
	"sync"
	"time"
)

type ledger struct {
	mu     sync.Mutex
	amount int
}

type account struct {
	ledger
	books *ledger
}

var total int

func (l *ledger) add(n int)     { l.amount += n; total += n }
func (l *ledger) drop(o *ledger) { l = o; l.amount = 0 }
func take(_ int, from *ledger)  { from.amount-- }

func (a *account) pay(to *account, n int) {
	a.add(n)
	to.books.add(-n)
	take(n, a.books)
	go a.add(1)
	defer a.add(2)
	func() { a.add(3) }()
	other(a).add(4)
	a.drop(a.books)
}

func other(a *account) *account { return a }

func changed(a, b *account) {
	a.amount++
	a.books = b.books
	b = nil
	var l ledger
	l.amount++
}

func made() *account {
	a := &account{}
	a.ledger.amount = 1
	a.books = new(ledger)
	a.books.amount = 2
	publish(a)
	a.amount = 3
	return a
}

func captured() {
	a := &account{}
	a.amount = 1
	go func() { a.amount++ }()
	a.amount = 2
}

func publish(a *account) { total = a.amount }

func waits(c chan int, wg *sync.WaitGroup, cond *sync.Cond) {
	total++
	c <- total
	wg.Wait()
	cond.Wait()
	time.Sleep(1)
	for range c {
	}
	select {
	case c <- 1:
	default:
	}
}
`

func TestCalls(t *testing.T) {
	pay := mutatetest.Functions(t, map[string]string{"in.go": calls})["(*account).pay"]
	var got []string
	for _, c := range pay.Calls(pay.Body.List...) {
		accesses := c.To.Accesses(c.To.Body.List...)
		for _, a := range accesses {
			if a.Var.Name() == "amount" {
				got = append(got, c.To.Name+" "+c.Name(c.To.Base(a.Expr)).String())
			}
		}
	}
	// A parameter without a name takes its place; the result of a call has no
	// name here, and what drop assigns to is not what it was given.
	want := []string{"(*ledger).add a", "(*ledger).add to.books", "take a.books", "(*ledger).add ", "(*ledger).drop "}
	if !slices.Equal(got, want) {
		t.Errorf("calls are %q, want %q", got, want)
	}
}

func TestReassigns(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": calls})["changed"]
	for _, tt := range []struct {
		path        string
		from, to    int // statements
		wantChanged bool
	}{
		{"a.amount", 0, 1, true},
		{"a.books", 0, 1, false},
		{"a.books", 1, 2, true},
		{"b.books", 1, 2, false},
		{"b.books", 2, 3, true},
		{"l.amount", 3, 4, true},
		{"l.amount", 0, 3, false},
		{"all[a.amount].mu", 0, 1, true},
		{"amount", 0, 1, false},
		{"a.booksMu", 1, 2, false},
	} {
		if got := fn.Reassigns(tt.path, fn.Body.List[tt.from:tt.to]...); got != tt.wantChanged {
			t.Errorf("%s in the statements %d to %d: %v", tt.path, tt.from, tt.to, got)
		}
	}
}

func TestFresh(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": calls})
	for name, want := range map[string][]bool{
		// a.ledger.amount and a.books before the account is published, what
		// a.books leads to (a name is needed for nothing else), and after.
		"made":     {true, true, true, true, true, false},
		"captured": {true, false},
		// Parameters; and l, a variable whose memory nobody else knows.
		"changed": {false, false, false, true},
	} {
		fn := functions[name]
		var got []bool
		for _, a := range fn.Accesses(fn.Body.List...) {
			if fn.Base(a.Expr).Root != nil {
				got = append(got, fn.Fresh(a.Expr))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestWaits(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": calls})
	fn, add := functions["waits"], functions["(*ledger).add"]
	lock := fn.Program.Locks(add.File, add.Body.List[0])[0]
	want := []bool{false, true, true, false, true, true, false}
	for i, s := range fn.Body.List {
		if got := held.Waits(fn, lock, s); got != want[i] {
			t.Errorf("line %d: %v, want %v", fn.Program.Fset.Position(s.Pos()).Line, got, want[i])
		}
	}
}

func TestQuiet(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{
		"in.go": `package calls

var total int

type adder interface{ Add() }

type one struct{}

func (one) Add()    { total++ }
func (one) Sub()    { total-- }
func run(a adder)   { a.Add() }
func report() int   { return total }
func each() int     { return total }
func twice() int    { return total }
func library() int  { return total }
func started()      { total++ }
func start()        { go started() }
`,
		"in_test.go": `package calls

import "testing"

func TestAll(t *testing.T) {
	one{}.Add()
	one{}.Sub()
	run(one{})
	report()
	start()
	started()
	t.Run("each", func(t *testing.T) { each() })
	go twice()
}
`})
	for name, want := range map[string]bool{
		"one.Add": false, // run may call it
		"one.Sub": true,
		"report":  true,
		"each":    false,
		"twice":   false,
		"library": false, // nobody is known to call it
		"started": false,
		"start":   true,
		"run":     true,
	} {
		fn := functions[name]
		if fn == nil {
			t.Fatalf("there is no %s", name)
		}
		if got := fn.Quiet(); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": `package calls

var n int

func f(v any, c chan int) {
	switch v.(type) {
	case int:
		n++
		{
			n--
		}
	default:
	}
	select {
	case <-c:
		n++
	}
	if n > 0 {
		n--
	} else if n < 0 {
		n++
	} else {
		func() { n = 1 }()
	}
	n++
}
`})["f"]
	want := [][]int{{2, 0}, {1}, {1, 1, 1}, nil}
	for i, s := range fn.Body.List {
		var got []int
		for _, list := range mutate.Lists(s) {
			got = append(got, len(list))
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("statement %d has lists of %v, want %v", i, got, want[i])
		}
	}
}
