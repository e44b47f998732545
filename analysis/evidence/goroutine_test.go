package evidence

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/evidence/symbol"
)

func TestParseGoroutines(t *testing.T) {
	const text = `goroutine 18 gp=0xc000102380 m=nil [chan receive (durable), 2 minutes, synctest bubble 1, locked to thread]:
runtime.gopark(0x1?, ...)
	/usr/local/go/src/runtime/proc.go:462 +0xce fp=0x1 sp=0x2 pc=0x3
example.com/x.(*T[...]).f(0xc000, {0x1, 0x2})
	/x y/x.go:3 +0x1
...23 frames elided...
created by example.com/x.Start.func1 in goroutine 7
	/x y/x.go:9 +0x2

goroutine 1 [select (no cases) (leaked)]:
main.main()
	_testmain.go:74 +0x9b
goroutine 2 [chan send (nil chan)]:
created by main.main
	C:/x/x.go:9
`
	want := []Goroutine{
		{
			ID: 18, State: "chan receive", Wait: 2 * time.Minute, Locked: true, CreatedBy: 7,
			Frames: []Frame{
				{"runtime.gopark", "/usr/local/go/src/runtime/proc.go", 462},
				{"example.com/x.(*T[...]).f", "/x y/x.go", 3},
			},
			Created: []Frame{{"example.com/x.Start.func1", "/x y/x.go", 9}},
		},
		{ID: 1, State: "select (no cases)", Leaked: true, Frames: []Frame{{"main.main", "_testmain.go", 74}}},
		{ID: 2, State: "chan send (nil chan)", Created: []Frame{{"main.main", "C:/x/x.go", 9}}},
	}
	if diff := cmp.Diff(want, ParseGoroutines([]byte(text))); diff != "" {
		t.Error(diff)
	}
}

// TestSystem counts the goroutines of a real SIGQUIT dump that belong to the program.
func TestSystem(t *testing.T) {
	holds := make(map[hold]int)
	for _, g := range ParseGoroutines([]byte(realOutputs(t)["sigquit-race.txt"])) {
		holds[g.hold()]++
	}
	if holds[stuck] != 3 || holds[active]+holds[awaits]+holds[dead] != 0 || holds[system] < 4 {
		t.Errorf("holds %v, want the test and its two goroutines stuck and the rest system goroutines", holds)
	}
}

func TestFuncNames(t *testing.T) {
	tests := []struct{ fn, pkg, short string }{
		{"main.main", "main", "main"},
		{"example.com/bank.(*Account).Transfer", "example.com/bank", "(*Account).Transfer"},
		{"gopkg.in/yaml%2ev3.(*Decoder).Decode", "gopkg.in/yaml%2ev3", "(*Decoder).Decode"},
		{"a/b.Map[a/c.Key,int].Get", "a/b", "Map[a/c.Key,int].Get"},
		{"a/b.F[...].func1", "a/b", "F[...].func1"},
		{"a/b_test.TestX.func2.1", "a/b_test", "TestX.func2.1"},
		{"panic", "", "panic"},
		{"", "", ""},
	}
	for _, tt := range tests {
		if p, s := symbol.PackageOf(tt.fn), ShortFunc(tt.fn); p != tt.pkg || s != tt.short {
			t.Errorf("%q: package %q, short %q; want %q, %q", tt.fn, p, s, tt.pkg, tt.short)
		}
	}
}

func FuzzParseGoroutines(f *testing.F) {
	for _, text := range realOutputs(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, g := range ParseGoroutines(text) {
			if g.ID < 0 || g.Wait < 0 || g.CreatedBy < 0 || len(g.Frames) > maxFrames {
				t.Errorf("implausible goroutine %+v", g)
			}
			for _, frame := range append(g.Frames, g.Created...) {
				if frame.Func == "" || frame.Line < 0 {
					t.Errorf("implausible frame %+v", frame)
				}
			}
		}
	})
}

// A goroutine at a semaphore waits for another only where package sync put it
// there; else it waits for the runtime.
func TestSemaphore(t *testing.T) {
	at := func(fns ...string) *Goroutine {
		g := &Goroutine{ID: 8, State: "semacquire"}
		for _, fn := range fns {
			g.Frames = append(g.Frames, Frame{Func: fn, File: "x.go", Line: 1})
		}
		return g
	}
	if h := at("sync.runtime_Semacquire", "sync.(*WaitGroup).Wait", "main.f").hold(); h != stuck {
		t.Errorf("at a wait group: %d, want %d", h, stuck)
	}
	if h := at("main.f").hold(); h != active {
		t.Errorf("in the runtime: %d, want %d", h, active)
	}
}
