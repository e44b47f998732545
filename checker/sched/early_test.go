package sched

import (
	"runtime"
	"strings"
	"testing"
)

// A goroutine that was started before the execution is retired at its next
// operation; the execution does not notice.
func TestEarlyGoroutineIsRetired(t *testing.T) {
	on, touched := make(chan bool), make(chan bool, 1)
	n := new(int)
	GoAt("init.go:1", func() {
		<-on
		*W(n) = 1
		touched <- true
	})
	x := Run(first{}, Options{}, func() {
		*W(n) = 2
		on <- true
		for len(touched) == 0 && !strings.Contains(dump(), "[select (no cases)]") {
			runtime.Gosched()
		}
		Yield()
	})
	if x.Failure != nil || len(touched) > 0 {
		t.Errorf("the early goroutine went on: %t; %+v", len(touched) > 0, x.Failure)
	}
}

// An execution that goes on with the first state adopts such goroutines.
func TestInheritedGoroutineIsAdopted(t *testing.T) {
	on, done := make(chan bool), make(chan bool)
	n := new(int)
	GoAt("init.go:1", func() {
		<-on
		*W(n) = 1
		close(done)
	})
	x := Run(first{}, Options{Inherit: true}, func() {
		close(on)
		<-done
		Yield()
	})
	if x.Failure != nil || *n != 1 || len(x.Environment) == 0 {
		t.Errorf("%+v, n = %d, environment %q", x.Failure, *n, x.Environment)
	}
}
