package effects_test

import (
	"testing"

	"mendel/mutate/fact/effects"
	"mendel/mutate/internal/mutatetest"
)

const blockingCalls = `package blockingcalls

import (
	"fmt"
	"sync"
)

type teller interface{ tell() }

type deep struct{ ch chan int }

func (d *deep) send()  { d.ch <- 1 }
func (d *deep) tell()  { d.again(3) }
func (d *deep) again(n int) {
	if n > 0 {
		d.again(n - 1) // a recursion that never waits
	}
}
func (d *deep) deeper() { d.send() }
func (d *deep) offer() {
	select {
	case d.ch <- 1:
	default:
	}
}
func (d *deep) start() {
	go d.send()
	defer d.send()
}
func (d *deep) drain() {
	for range d.ch {
	}
}
func join(wg *sync.WaitGroup) { wg.Wait() }

func run(d *deep, t teller, f func(), wg *sync.WaitGroup, mu *sync.Mutex) {
	mu.Lock()
	d.deeper()
	d.tell()
	d.offer()
	d.start()
	d.drain()
	join(wg)
	t.tell()
	f()
	fmt.Println(len(d.ch), string(rune(1)))
	func() { d.again(1) }()
	func() { d.send() }()
	mu.Unlock()
}

func use(d *deep, f func()) { go run(d, d, f, nil, new(sync.Mutex)); d.send() }
`

func TestEffectsCalls(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": blockingCalls})["run"]
	s := fn.Sections()[0]
	want := []bool{true, false, false, true, true, true, true, true, false, false, true}
	if len(s.Body) != len(want) {
		t.Fatalf("the section has %d statements, want %d", len(s.Body), len(want))
	}
	for i, stmt := range s.Body {
		if got := effects.Of(fn, s, stmt).Calls; got != want[i] {
			t.Errorf("line %d: %v, want %v", fn.Program.Fset.Position(stmt.Pos()).Line, got, want[i])
		}
	}
	if e := effects.Of(fn, s, s.Body[9]); e != (effects.Effects{}) {
		t.Errorf("a literal that is called and does nothing has the effects %+v", e)
	}
}
