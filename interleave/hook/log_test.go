package hook

import (
	"sync"
	"testing"
	"unsafe"
)

// start records into memory of the test.
func start(t testing.TB) {
	t.Helper()
	words := make([]uint64, (LogSize+7)/8)
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), LogSize)
	if !open(data, 1) {
		t.Fatal("an empty log is taken")
	}
	if open(data, 2) {
		t.Fatal("a log is taken twice")
	}
	t.Cleanup(func() { recorder.on = false })
}

func kinds() (list []Kind) {
	for _, e := range recorder.events[:min(recorder.header.Next, Capacity)] {
		list = append(list, e.Kind)
	}
	return list
}

// What acquires is recorded when it is done, what releases before it is.
func TestOperations(t *testing.T) {
	start(t)
	var mu sync.Mutex
	var x int
	MutexLock(1, &mu)
	x = At(3, &x).V(*R(2, &x) + 1)
	MutexUnlock(4, &mu)
	c := make(chan int, 1)
	To(5, c).V(x)
	if v, ok := From2(6, c); v != 1 || !ok {
		t.Errorf("received %d, %t", v, ok)
	}
	CloseOf(7, c)
	if v, ok := From2(8, c); v != 0 || ok {
		t.Errorf("received %d, %t", v, ok)
	}
	if MutexTryLock(9, &mu) {
		MutexUnlock(10, &mu)
	}
	want := []Kind{Lock, Read, Write, Unlock, Send, Receive, Close, ReceiveClosed, Lock, Unlock}
	got := kinds()
	if len(got) != len(want) {
		t.Fatalf("recorded %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] || recorder.events[i].Site != uint32(i+1) || recorder.events[i].G != self() {
			t.Errorf("event %d: %+v, want %v", i, recorder.events[i], want[i])
		}
	}
}

// What does not fit is counted.
func TestFull(t *testing.T) {
	start(t)
	var x int
	for range Capacity + 3 {
		R(1, &x)
	}
	if recorder.header.Next != Capacity+3 {
		t.Errorf("%d", recorder.header.Next)
	}
}

// Without a log the hooks do what the program does, and nothing else.
func TestOff(t *testing.T) {
	var wg sync.WaitGroup
	var once sync.Once
	n := 0
	WaitGroupGo(1, &wg, func() { OnceDo(4, &once, func() { n++ }) })
	WaitGroupWait(5, &wg)
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	done := false
	token := Forking(6)
	go func() {
		defer Started(6, token)()
		LockerLock(7, c.L)
		done = true
		CondBroadcast(8, c)
		LockerUnlock(9, c.L)
	}()
	LockerLock(10, c.L)
	for !done {
		CondWait(11, c)
	}
	LockerUnlock(14, c.L)
	if n != 1 || recorder.on {
		t.Errorf("%d", n)
	}
}
