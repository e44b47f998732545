package hook

import "testing"

// TestPastOfOne: what is seen of goroutines is told apart by test and by who
// started them. The race detector is not asked here: all that passed a hook count.
func TestPastOfOne(t *testing.T) {
	reset(t, Past)
	past.seen = [witnesses]witness{}
	beginPast()
	pass := func() {
		done := make(chan bool)
		go func() { P(1); A(1); close(done) }()
		<-done
	}
	P(1) // the test's own goroutine is that of package testing
	if n := inPast(false); n != 0 {
		t.Errorf("%d goroutines beside that of the test", n)
	}
	t.Run("sub", func(*testing.T) { P(1) })
	if n := inPast(false); n != 0 {
		t.Errorf("%d goroutines beside those of tests", n)
	}
	pass()
	if n := inPast(false); n != 1 {
		t.Errorf("%d goroutines, want 1", n)
	}
	for range 3 {
		pass()
	}
	if n := inPast(false); n != suffices {
		t.Errorf("%d goroutines, want %d", n, suffices)
	}
	beginPast()
	if n := inPast(false); n != 0 {
		t.Errorf("%d goroutines of a test before", n)
	}
}

// Whoever waited in vain waited for a goroutine that need not have done anything since.
func TestPastInVain(t *testing.T) {
	reset(t, Past)
	beginPast()
	if V(); past.found != 0 {
		t.Errorf("%d goroutines, though none did anything", past.found)
	}
	done := make(chan bool)
	go func() { P(1); close(done) }()
	<-done
	if V(); past.found != 1 {
		t.Errorf("%d goroutines, want 1", past.found)
	}
}

func TestNamed(t *testing.T) {
	table := []string{"example.com/zoo.TestA", "example.com/zoo.T[...].wait"}
	for line, want := range map[string]bool{
		"example.com/zoo.TestA":               true,
		"example.com/zoo.TestA(0x1)":          true,
		"example.com/zoo.TestA.func1.2()":     true,
		"example.com/zoo.TestA[...](0x1)":     true,
		"example.com/zoo.T[...].wait(0x1)":    true,
		"example.com/zoo.TestAll(0x1)":        false,
		"created by example.com/zoo.TestA":    false,
		"\t/src/example.com/zoo.TestA/x.go:1": false,
	} {
		if got := named(table, line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}
