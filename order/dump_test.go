package order

import (
	"testing"
)

const dumped = `goroutine 7 [running]:
mendel/order.dump()
	/order/dump.go:80 +0x2c
created by mendel/order.(*run).begin in goroutine 6
	/order/play.go:58 +0xda

goroutine 1 [chan receive, 3 minutes]:
testing.(*T).Run(0xc0000a2248, {0x666cbd, 0xf}, 0x672e38)
	/testing/testing.go:2109 +0xb3e
main.main()
	_testmain.go:57 +0x9b

goroutine 8 gp=0xc000082960 m=nil [sync.Mutex.Lock, synctest bubble 12]:
runtime.gopark(0x18?)
	/runtime/proc.go:462 +0xce
internal/sync.(*Mutex).lockSlow(0xc000012108)
	/internal/sync/mutex.go:149 +0x15d
sync.(*Mutex).Lock(...)
	/sync/mutex.go:46
example.com/pool.(*Pool[...]).Get(0xc000012108)
	/pool/pool.go:12 +0x4f
created by example.com/pool_test.TestGet.func1 in goroutine 6
	/pool/pool_test.go:20 +0x90

goroutine 9 [select (durable), locked to thread, synctest bubble 12]:
mendel/order.(*run).at(0xc0000120d0, {0x5, 0x6})
	/order/run.go:140 +0x3b2
mendel/order.At(...)
	/order/order.go:60
example.com/pool_test.TestGet.func2()
	/pool/pool_test.go:25 +0x33

goroutine 10 [syscall, 12 minutes]:
os/signal.signal_recv()
	/runtime/sigqueue.go:152 +0x29

goroutine 11 [chan receive (scan)]:
example.com/pool.wait(...)
	/pool/pool.go:40

goroutine 12 [sleep]:
time.Sleep(0x5f5e100)
	/runtime/time.go:363 +0x165

goroutine 13 [sync.Mutex.Lock]:
mendel/order.(*run).lock(...)
	/order/run.go:90`

func TestReadDump(t *testing.T) {
	v := readDump(dumped)
	want := []struct {
		id      int64
		bubble  string
		state   string
		durable bool
		does    does
	}{
		{7, "", "running", false, goesOn},
		{1, "", "chan receive", false, idles},
		{8, "12", "sync.Mutex.Lock", false, inLock},
		{9, "12", "select", true, inOrder},
		{10, "", "syscall", false, idles},
		{11, "", "chan receive", false, inChannel},
		{12, "", "sleep", false, asleep},
		{13, "", "sync.Mutex.Lock", false, goesOn},
	}
	if len(v.goroutines) != len(want) {
		t.Fatalf("%d goroutines, want %d", len(v.goroutines), len(want))
	}
	for i, w := range want {
		g := v.goroutines[i]
		if g.id != w.id || g.bubble != w.bubble || g.state != w.state || g.durable != w.durable || g.does != w.does {
			t.Errorf("goroutine %d: %+v, want %+v", w.id, g, w)
		}
	}
	g := v.find(8)
	for name, want := range map[string]bool{
		"Get": true, "Pool.Get": true, "pool.Pool.Get": true, "(*Pool).Get": true, "example.com/pool.Pool.Get": true, "Mutex.Lock": true,
		"et": false, "ool.Get": false, "TestGet.func1": false, "Put": false,
	} {
		if g.below(normalFunction(name)) != want {
			t.Errorf("below %s: %t, want %t", name, !want, want)
		}
	}
}

func FuzzReadDump(f *testing.F) {
	f.Add(dumped)
	f.Add("goroutine [")
	f.Add("goroutine 1 ]:[\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		v := readDump(text)
		for i := range v.goroutines {
			if g := &v.goroutines[i]; g.id == 0 || g.below("") {
				t.Errorf("read %+v", g)
			}
		}
		if len(v.goroutines) > 0 {
			v.rest()
			v.active()
			v.durable()
			v.equal(v)
		}
	})
}
