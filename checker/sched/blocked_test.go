package sched

import "testing"

// A place of a blocked goroutine names the object that it waits for, as the
// trace does; a select may wait for several.
func TestBlockedObject(t *testing.T) {
	x := Run(first{}, Options{Trace: true}, func() {
		var m mutex
		m.lock()
		Go(func() { m.lock() })
		c := MakeChan[int](0)
		Go(func() { Recv(c) })
		Go(func() { Select(From(c), From(MakeChan[int](0))) })
	})
	if x.Failure == nil || x.Failure.Kind != Blocked || len(x.Failure.Places) != 3 {
		t.Fatalf("%+v", x.Failure)
	}
	var lock int32
	for _, e := range x.Trace {
		if e.Kind == KindAcquire {
			lock = e.Obj
		}
	}
	places := x.Failure.Places
	if lock == 0 || places[0].Obj != lock || places[1].Obj == 0 || places[1].Obj == lock || places[2].Obj != 0 {
		t.Errorf("the lock is object %d; places %+v", lock, places)
	}
}
