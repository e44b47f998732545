package splits_test

import (
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
	"mendel/analysis/locks/splits"
)

const keyring = `package p

import "sync"

type ring struct {
	mu   sync.Mutex
	keys []int
	open bool

	state   int
	members map[string]*member
	loading map[string]bool
	changes int
	waiting []chan int
	turn    chan bool
}

func newRing() *ring { return &ring{turn: make(chan bool, 1)} }

func (r *ring) replace(name string, m *member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	r.members[name] = m
}

func (r *ring) restate(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	r.state = n
}

func (r *ring) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) > 0 {
		r.waiting[0] <- n
		return
	}
	r.keys = append(r.keys, n)
}

func (m *member) leave(r *ring) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.old {
		r.remove(m.name)
	}
}

type member struct {
	mu   sync.Mutex
	name string
	old  bool
}

func (r *ring) remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, name)
}

func (r *ring) put(m *member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[m.name] = m
}

func (r *ring) install(keys []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = keys
}

func (r *ring) setOpen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		return
	}
	r.open = true
}

// isOpen and doOpen are called with mu held.
func (r *ring) isOpen() bool { return r.open }

func (r *ring) doOpen() { r.open = true }

func (r *ring) doInstall(n int) { r.keys = []int{n} }

func (r *ring) get() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys
}

`

func TestSplits(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       string
	}{
		{"by a call", `
	r.mu.Lock()
	keys := append(r.keys, n)
	r.mu.Unlock()
	r.install(keys)`, "ring.keys"},
		{"by way of another variable", `
	r.mu.Lock()
	keys := r.keys
	r.mu.Unlock()
	more := append(keys, n)
	r.mu.Lock()
	r.keys = more
	r.mu.Unlock()`, "ring.keys"},
		{"copied to another", `
	r.mu.Lock()
	keys := append(r.keys, n)
	r.mu.Unlock()
	q.mu.Lock()
	q.keys = keys
	q.mu.Unlock()`, ""},
		{"a check, then an act", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if !open {
		r.mu.Lock()
		r.open = true
		r.mu.Unlock()
	}`, "ring.open"},
		{"a claim", `
	r.mu.Lock()
	if r.state != 0 {
		r.mu.Unlock()
		return
	}
	r.state = 1
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	r.state = 2
	r.mu.Unlock()`, ""},
		{"a claim by a copy and a switch", `
	r.mu.Lock()
	state := r.state
	switch state {
	case 1, 2:
		r.mu.Unlock()
		return
	}
	r.state = 1
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	r.state = 2
	r.mu.Unlock()`, ""},
		{"a claim that lets others pass", `
	r.mu.Lock()
	if r.state == 2 {
		r.mu.Unlock()
		return
	}
	r.state = 1
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	r.state = 2
	r.mu.Unlock()`, "ring.state"},
		{"a claim, and what was read", `
	r.mu.Lock()
	state := r.state
	if state != 0 {
		r.mu.Unlock()
		return
	}
	r.state = 1
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	r.state = state + 2
	r.mu.Unlock()`, "ring.state"},
		{"an early exit", `
	r.mu.Lock()
	for _, k := range r.keys {
		if k == n {
			r.mu.Unlock()
			return
		}
	}
	r.mu.Unlock()
	r.install([]int{n})`, "ring.keys"},
		{"a check, then a return", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	println(n)
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, "ring.open"},
		{"a return for another reason", `
	r.mu.Lock()
	println(r.open)
	r.mu.Unlock()
	if n == 0 {
		return
	}
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, ""},
		{"checked again", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if !open {
		r.setOpen()
	}`, ""},
		{"one section", `
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, n)`, ""},
		{"nothing follows", `
	r.mu.Lock()
	println(len(r.keys))
	r.mu.Unlock()
	r.install(nil)`, ""},
		{"another variable", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		r.install(nil)
	}`, ""},
		{"members that say under their lock that they go", `
	var all []*member
	r.mu.Lock()
	for _, m := range r.members {
		all = append(all, m)
	}
	r.mu.Unlock()
	for _, m := range all {
		m.mu.Lock()
		if m.old {
			r.remove(m.name)
		}
		m.mu.Unlock()
	}`, ""},
		{"members that are asked without their lock", `
	var all []*member
	r.mu.Lock()
	for _, m := range r.members {
		all = append(all, m)
	}
	r.mu.Unlock()
	for _, m := range all {
		if m.old {
			r.remove(m.name)
		}
	}`, "ring.members"},
		{"members whose lock is released too early", `
	var all []*member
	r.mu.Lock()
	for _, m := range r.members {
		all = append(all, m)
	}
	r.mu.Unlock()
	for _, m := range all {
		m.mu.Lock()
		old := m.old
		m.mu.Unlock()
		if old {
			r.remove(m.name)
		}
	}`, "ring.members"},
		{"members that are put back", `
	var all []*member
	r.mu.Lock()
	for _, m := range r.members {
		all = append(all, m)
	}
	r.mu.Unlock()
	for _, m := range all {
		m.mu.Lock()
		if m.old {
			r.put(m)
		}
		m.mu.Unlock()
	}`, "ring.members"},
		{"members that are asked by a method of theirs", `
	var all []*member
	r.mu.Lock()
	for _, m := range r.members {
		all = append(all, m)
	}
	r.mu.Unlock()
	for _, m := range all {
		m.leave(r)
	}`, ""},
		{"by a version", `
	r.mu.Lock()
	state, at := r.state, r.changes
	r.mu.Unlock()
	state += n
	r.mu.Lock()
	if r.changes == at {
		r.state = state
	}
	r.mu.Unlock()`, ""},
		{"by a version that not all change", `
	r.mu.Lock()
	m, at := r.members["a"], r.changes
	r.mu.Unlock()
	if m != nil {
		return
	}
	m = new(member)
	r.mu.Lock()
	if r.changes == at {
		r.members["a"] = m
	}
	r.mu.Unlock()`, "ring.members"},
		{"asked later", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	if r.open || r.loading["a"] {
		r.mu.Unlock()
		return
	}
	r.loading["a"] = open
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	delete(r.loading, "a")
	r.open = true
	r.mu.Unlock()`, ""},
		{"asked later sometimes", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	if n > 0 {
		r.mu.Lock()
		if r.open {
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
	}
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, "ring.open"},
		{"a note that others wait for", `
	r.mu.Lock()
	for {
		if r.open {
			r.mu.Unlock()
			return
		}
		busy := r.loading["a"]
		if !busy {
			break
		}
		r.mu.Unlock()
		println(n)
		r.mu.Lock()
	}
	r.loading["a"] = n == 0
	r.mu.Unlock()
	println(n)
	r.mu.Lock()
	delete(r.loading, "a")
	r.open = true
	r.mu.Unlock()`, ""},
		{"taken, or waited for and given on", `
	r.mu.Lock()
	if k := len(r.keys); k > 0 {
		r.keys = r.keys[:k-1]
		r.mu.Unlock()
		return
	}
	ch := make(chan int, 1)
	r.waiting = append(r.waiting, ch)
	r.mu.Unlock()
	r.give(<-ch)`, ""},
		{"taken, or all replaced", `
	r.mu.Lock()
	if k := len(r.keys); k > 0 {
		r.keys = r.keys[:k-1]
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	r.install([]int{n})`, "ring.keys"},
		{"full, or added to", `
	r.mu.Lock()
	if len(r.keys) > 9 {
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	r.give(n)`, "ring.keys"},
		{"in turn", `
	r.turn <- true
	defer func() { <-r.turn }()
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, ""},
		{"the turn given up early", `
	r.turn <- true
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	<-r.turn
	if open {
		return
	}
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()`, "ring.open"},
		{"a lock that is taken again where the function is left", `
	r.mu.Lock()
	for !r.open {
		if r.loading["a"] {
			r.mu.Unlock()
			println(n)
			r.mu.Lock()
			continue
		}
		r.loading["a"] = n == 0
		r.mu.Unlock()
		println(n)
		r.mu.Lock()
		delete(r.loading, "a")
		r.open = true
	}
	r.mu.Unlock()`, ""},
		{"by a helper", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doOpen()`, "ring.open"},
		{"by helpers alone", `
	r.mu.Lock()
	open := r.isOpen()
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	r.doOpen()
	r.mu.Unlock()`, "ring.open"},
		{"asked by a method, done by a helper", `
	if len(r.get()) > 0 {
		return
	}
	r.mu.Lock()
	r.doInstall(n)
	r.mu.Unlock()`, "ring.keys"},
		{"by methods", `
	if len(r.get()) > 0 {
		return
	}
	r.install([]int{n})`, ""},
		{"asked again by helpers", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if open := r.isOpen(); open {
		return
	}
	r.doOpen()`, ""},
		{"asked again in a variable", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.isOpen()
	if now != open {
		return
	}
	r.doOpen()`, ""},
		{"read again, and not asked", `
	r.mu.Lock()
	open := r.open
	r.mu.Unlock()
	if open {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	println(r.isOpen())
	r.doOpen()`, "ring.open"},
		{"in a goroutine", `
	r.mu.Lock()
	keys := r.keys
	r.mu.Unlock()
	go r.install(keys)`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, s := range splitsOf(t, keyring+"var q ring\n\nfunc (r *ring) add(n int) {"+tt.body+"\n}\n") {
				got += s.Read.Name
				if s.In.Name != "(*example.com/p.ring).add" || s.Lock != "example.com/p.ring.mu" {
					t.Errorf("found %+v", s)
				}
			}
			if got != tt.want {
				t.Errorf("split %q, want %q", got, tt.want)
			}
		})
	}
}

// A write behind a call that has read something else under the lock.
func TestBehind(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"what was read decides", `
	if len(r.get()) > 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = n`, "ring.keys ring.state"},
		{"under one lock", `
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.keys) > 0 {
		return
	}
	r.state = n`, ""},
		{"it is asked again", `
	if len(r.get()) > 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.keys) == 0 {
		r.state = n
	}`, ""},
		{"nothing follows", `
	println(r.get())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = n`, ""},
		{"of another ring", `
	if q.isOpen() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = n`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := locks.New(analysistest.Source(t, keyring+"var q ring\n\nfunc (r *ring) add(n int) {"+tt.body+"\n}\n"))
			m := model.Lock()
			defer model.Unlock()
			got := ""
			for _, s := range splits.Behind(m, m.Shipped()) {
				if s.In.Name == "(*example.com/p.ring).add" {
					got += s.Read.Name + " " + s.Written.Name
				}
			}
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// splitsOf lists the splits of a file that is a program.
func splitsOf(t *testing.T, source string) []splits.Split {
	t.Helper()
	return splits.All(locks.New(analysistest.Source(t, source)))
}
