package listener

import (
	"errors"
	"testing"
)

var errBroken = errors.New("broken connection")

// Both handlers come upon a broken connection, and the owner stops, too.
func TestStop(t *testing.T) {
	var stats Stats
	l := Start(2, stats.Count(func(int) error { return errBroken }))
	for conn := range 2 {
		if err := l.Deliver(conn); err != nil && !errors.Is(err, ErrStopped) {
			t.Errorf("deliver %d: %v", conn, err)
		}
	}
	l.Wait()
	if err := l.Deliver(2); !errors.Is(err, ErrStopped) {
		t.Errorf("a stopped listener takes connections: %v", err)
	}
}

func TestServe(t *testing.T) {
	var stats Stats
	l := Start(1, stats.Count(func(int) error { return nil }))
	if err := l.Deliver(1); err != nil {
		t.Fatal(err)
	}
	l.Stop()
	l.Wait()
	if got, want := stats.String(), "1 served, 0 failed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
