package rules

import "testing"

// poolHead declares what the functions of this test use: locks of several kinds, and a door, which
// is none.
const poolHead = `package p

import (
	"io"
	"sync"
)

type Pool struct {
	mu    sync.RWMutex
	parts []sync.Mutex
	each  map[string]sync.Locker
	spin  spinLock
	door  door
	file  file
	n     int
	ready, done chan int
}

type spinLock struct{ taken chan bool }

func (l *spinLock) Lock()   { l.taken <- true }
func (l *spinLock) Unlock() { <-l.taken }

type door struct{ w io.Writer }

func (d *door) Lock() { io.WriteString(d.w, "locked") }

type file struct{ sync.Mutex }

func (f *file) Lock() error { return nil }

`

const poolPut = `func (p *Pool) put(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`

// Where locks are held makes no difference to what a function does; what else has the name of a
// lock's method does.
func TestSameButLocks(t *testing.T) {
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

		// What lines of text do not show.
		{"a lock of several", `func (p *Pool) put(x int) {
	p.parts[x%len(p.parts)].Lock()
	p.n = x
	p.parts[x%len(p.parts)].Unlock()
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"an interface of locks", `func (p *Pool) put(x int) {
	p.each["n"].Lock()
	defer p.each["n"].Unlock()
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"a lock of the program's own", `func (p *Pool) put(x int) {
	p.spin.Lock()
	p.n = x
	p.spin.Unlock()
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"on one line", `func (p *Pool) put(x int) {
	p.mu.Lock(); p.n = x; p.mu.Unlock()
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"a comment behind code", `func (p *Pool) put(x int) {
	p.n = x // Stat reads it
	/* never
	both */
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"what locks and is no lock", `func (p *Pool) put(x int) {
	p.door.Lock()
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
		{"a lock that tells an error", `func (p *Pool) put(x int) {
	p.file.Lock()
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
		{"another variable", `func (p *Pool) put(x int) {
	p.n = p.n
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
		{"a variant", `func (p *Pool) put(x int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.putLocked(x)
}

func (p *Pool) putLocked(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"the variant alone", `func (p *Pool) putLocked(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, true},
		{"a variant that does more", `func (p *Pool) put(x int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.putLocked(x)
}

func (p *Pool) putLocked(x int) {
	p.n = x
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
		{"a variant that is called twice", `func (p *Pool) put(x int) {
	p.putLocked(x)
	p.putLocked(x)
}

func (p *Pool) putLocked(x int) {
	p.n = x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
		{"another operator", `func (p *Pool) put(x int) {
	p.n += x
	select {
	case p.ready <- x:
	case <-p.done:
	}
}`, false},
	} {
		s, err := compareFiles(map[string][]byte{"in.go": []byte(poolHead + poolPut)}, map[string][]byte{"in.go": []byte(poolHead + test.text)})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if same := s.onlyLocks(); same != test.same || s.communicates() == same {
			t.Errorf("%s: only locks %v, other communication %v", test.name, same, s.communicates())
		}
	}
}

// Text is compared as it is, also where a line of it looks like a lock or a comment.
func TestSameText(t *testing.T) {
	const head = "package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nvar out = make(chan string)\n\n"
	before := head + "func tell() {\n\tout <- `\nmu.Lock()\n// first\n`\n}\n"
	after := head + "func tell() {\n\tmu.Lock()\n\tout <- `\n// second\n`\n\tmu.Unlock()\n}\n"
	for text, same := range map[string]bool{before: true, after: false} {
		s, err := compareFiles(map[string][]byte{"in.go": []byte(before)}, map[string][]byte{"in.go": []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if s.onlyLocks() != same || s.communicates() == same {
			t.Errorf("only locks %v:\n%s", s.onlyLocks(), text)
		}
	}
}
