package validate

import "testing"

func TestWithoutLocks(t *testing.T) {
	const original = `func (p *Pool) put(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`
	for _, test := range []struct {
		name, text string
		same       bool
	}{
		{"a section", `func (p *Pool) put(x int) {
	// p.n is also read by Stat
	p.mu.Lock()
	p.n = x
	p.mu.Unlock()

	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"a whole function", `func (p *Pool) put(x int) {
	p.mu.RLock()
	defer p.mu.RUnlock() // for Stat
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"a default case", `func (p *Pool) put(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	default:
	}
}`, false},
		{"no send", `func (p *Pool) put(x int) {
	p.mu.Lock()
	p.n = x
	p.mu.Unlock()
	select {
	case <-p.done:
	}
}`, false},
		{"a lock that may not be got", `func (p *Pool) put(x int) {
	if !p.mu.TryLock() { return }
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
	} {
		if same := withoutLocks(test.text) == withoutLocks(original); same != test.same {
			t.Errorf("%s: the same is %v\n%s", test.name, same, withoutLocks(test.text))
		}
	}
}
