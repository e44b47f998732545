package sync_test

import (
	"fmt"
	"reflect"
	real "sync"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/sync"
)

func copyCond(to, from *sync.Cond) { // so that vet does not see it
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
}

func TestPool(t *testing.T) {
	check(t, func() string {
		p := sync.Pool{New: func() any { return "new" }}
		got := fmt.Sprint(p.Get())
		p.Put(nil)
		p.Put("a")
		p.Put("b")
		return fmt.Sprint(got, p.Get(), p.Get())
	}, "newba", "newbnew", "newnewb", "newnewnew")
	check(t, func() string { return fmt.Sprint(new(sync.Pool).Get()) }, "<nil>")
}

// A Put is ordered with the Get of the same value only.
func TestPoolMakesAnEdge(t *testing.T) {
	check(t, func() string {
		var p sync.Pool
		put, mine := new(int), new(int)
		sched.Go(func() {
			*sched.W(put) = 1
			p.Put(put)
		})
		if v, ok := p.Get().(*int); ok {
			return fmt.Sprint(*sched.R(v))
		}
		*sched.W(mine) = 1
		return "none"
	}, "1", "none")
}

// mapping is the type of both Maps.
type mapping interface {
	Load(key any) (value any, ok bool)
	Store(key, value any)
	LoadOrStore(key, value any) (actual any, loaded bool)
	LoadAndDelete(key any) (value any, loaded bool)
	Delete(key any)
	Swap(key, value any) (previous any, loaded bool)
	CompareAndSwap(key, old, new any) (swapped bool)
	CompareAndDelete(key, old any) (deleted bool)
	Range(f func(key, value any) bool)
	Clear()
}

func TestMapMethods(t *testing.T) {
	body := func(m mapping) string {
		var got []any
		add := func(v ...any) { got = append(got, fmt.Sprint(v...)) }
		v, ok := m.Load(1)
		add(v, ok)
		m.Store(1, "a")
		v, ok = m.Load(1)
		add(v, ok)
		v, ok = m.LoadOrStore(1, "b")
		add(v, ok)
		v, ok = m.LoadOrStore(2, "b")
		add(v, ok)
		v, ok = m.Swap(2, "c")
		add(v, ok)
		v, ok = m.Swap(3, "d")
		add(v, ok)
		add(m.CompareAndSwap(3, "x", "e"), m.CompareAndSwap(3, "d", "e"), m.CompareAndSwap(9, nil, "e"))
		add(m.CompareAndDelete(3, "d"), m.CompareAndDelete(3, "e"), m.CompareAndDelete(3, nil))
		v, ok = m.LoadAndDelete(2)
		add(v, ok)
		v, ok = m.LoadAndDelete(2)
		add(v, ok)
		m.Store(2, "f")
		m.Store(nil, nil)
		m.Delete(7)
		n := 0
		m.Range(func(k, v any) bool { n++; return true })
		add(n)
		m.Range(func(k, v any) bool { n++; return false })
		m.Delete(1)
		m.Range(func(k, v any) bool { m.Delete(k); n++; return true })
		m.Clear()
		m.Range(func(k, v any) bool { n++; return true })
		add(n)
		return fmt.Sprint(got)
	}
	want := body(new(real.Map))
	if got := body(new(sync.Map)); got != want {
		t.Errorf("outside control:\n%s, want\n%s", got, want)
	}
	check(t, func() string { return body(new(sync.Map)) }, want)
}

func TestMapPanics(t *testing.T) {
	for _, misuse := range []func(m mapping){
		func(m mapping) { m.Store([]int{}, 1) },
		func(m mapping) { m.Load([]int{}) },
		func(m mapping) { m.CompareAndSwap(1, []int{}, 2) },
		func(m mapping) { m.CompareAndDelete(1, []int{}) },
	} {
		body := func(m mapping) (got string) {
			m.Store(1, []int{})
			defer func() { got = fmt.Sprint(recover()) }()
			misuse(m)
			return "went on"
		}
		check(t, func() string { return body(new(sync.Map)) }, body(new(real.Map)))
	}
}

// A load is ordered after the store it observes, and after no other.
func TestMapMakesEdges(t *testing.T) {
	check(t, func() string {
		var m sync.Map
		n := new(int)
		sched.Go(func() {
			*sched.W(n) = 1
			m.Store("k", true)
		})
		if _, ok := m.Load("k"); ok {
			return fmt.Sprint(*sched.R(n))
		}
		return "none"
	}, "1", "none")
	check(t, func() string {
		var m sync.Map
		n := new(int)
		together(func() {
			*sched.W(n) = 1
			m.Store("a", true)
		}, func() {
			m.Store("b", true)
			m.Load("b")
			*sched.W(n) = 2
		})
		return "ok"
	}, "race")
}

// An execution begins with what was stored outside control.
func TestMapInSeveralExecutions(t *testing.T) {
	var m sync.Map
	m.Store("a", 1)
	for range 2 {
		check(t, func() string {
			a, _ := m.Load("a")
			_, b := m.Load("b")
			m.Store("b", 2)
			m.Delete("a")
			return fmt.Sprint(a, b)
		}, "1 false")
	}
	if _, ok := m.Load("b"); !ok {
		t.Error("what the last execution stored is not there after it")
	}
}

// Outside control the primitives really work, also between goroutines.
func TestOutsideControl(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var once sync.Once
	var pool sync.Pool
	c := sync.NewCond(&mu)
	n, twice, calls, ready := 0, 0, 0, false
	for range 4 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				n++
				mu.Unlock()
				pass(rw.RLocker())
				rw.Lock()
				twice++
				rw.Unlock()
				pool.Put(1)
				pool.Get()
			}
			once.Do(func() { calls++ })
			mu.Lock()
			for !ready {
				c.Wait()
			}
			mu.Unlock()
		})
	}
	mu.Lock()
	ready = true
	mu.Unlock()
	c.Broadcast()
	wg.Wait()
	if n != 400 || twice != 400 || calls != 1 || !mu.TryLock() || mu.TryLock() || !rw.TryRLock() || rw.TryLock() {
		t.Error(n, twice, calls)
	}
}
