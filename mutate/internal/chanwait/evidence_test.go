package chanwait_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/buffer"
	"mendel/mutate/drain"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/newdone"
	"mendel/mutate/selectdefault"
	"mendel/mutate/selectdone"
)

// ordered lists the edits of all channel operators in a file, hottest first,
// when goroutines are blocked on the lines that end in a comment "waits: WHAT".
func ordered(t *testing.T, src string) []string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "in.go")
	for file, text := range map[string]string{name: src, filepath.Join(dir, "go.mod"): "module example.com/blocked\n\ngo 1.25\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, nil)
	failure := evidence.Failure{Kind: evidence.Blocked}
	for i, line := range strings.Split(src, "\n") {
		if _, what, ok := strings.Cut(line, "// waits: "); ok {
			frame := evidence.Frame{File: name, Line: i + 1}
			failure.Stacks = append(failure.Stacks, evidence.Stack{Role: "blocked: " + what, Frames: []evidence.Frame{frame}})
		}
	}
	n.Merge(analysis.Dynamic, failure)
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{buffer.Operator, drain.Operator, newdone.Operator, selectdefault.Operator, selectdone.Operator})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range space.Edits() {
		text := fmt.Sprintf("%s %d", e.Operator, e.Line)
		for _, p := range e.Parts {
			text += fmt.Sprintf(" +%d", p.Line)
		}
		for _, word := range []string{e.Expr, e.Form} {
			if word != "" {
				text += " " + word
			}
		}
		out = append(out, text)
	}
	return out
}

// What fits what is waited for comes first, also where it is far from the
// evidence.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name, src string
		first     []string // the edits that are tried first
		last      string   // and one that comes behind all these
	}{
		{"a blocked sender: its channel, and what is sent to instead", `package p

import "time"

func f(work func() error) {
	ok, failed := make(chan bool), make(chan error)
	unrelated := make(chan int)
	go func() {
		if err := work(); err != nil {
			failed <- err // waits: chan send
		} else {
			ok <- true
		}
	}()
	go func() { unrelated <- 1 }()
	<-unrelated
	select {
	case <-ok:
	case <-failed:
	case <-time.After(1):
	}
}
`, []string{"buffer 6 +6 +6", "buffer 6 1"}, "buffer 7 1"},
		{"a blocked receiver is given up; its channel gets no buffer", `package p

import "context"

type T struct{ c chan int }

func newT() *T { return &T{make(chan int)} }

func (t *T) put() { t.c <- 1 }

func (t *T) get(ctx context.Context) int {
	return <-t.c // waits: chan receive
}
`, []string{"selectdone 12 ctx.Done() return"}, "buffer 7 1"},
		{"two blocked senders are mended alone and together", `package p

func a(quit chan struct{}, c chan int) {
	c <- 1 // waits: chan send
}

func b(quit chan struct{}, c chan string) {
	c <- "" // waits: chan send
}

func both() {
	quit := make(chan struct{})
	c, d := make(chan int), make(chan string)
	go a(quit, c)
	go b(quit, d)
	close(quit)
}
`, []string{"selectdone 4 +4 +8", "selectdone 4 quit on", "selectdone 8 quit on", "buffer 13 +13 +13", "buffer 13 1", "buffer 13 1"}, ""},
		{"a sender that goes on with what its receiver hands over needs it there", `package p

type T struct {
	ready chan struct{}
	n     int
}

func newT() *T { return &T{ready: make(chan struct{})} }

func (t *T) ask(quit chan struct{}) int {
	t.ready <- struct{}{} // waits: chan send
	return t.n
}

func (t *T) answer() {
	t.n++
	<-t.ready
}

func stop(t *T, quit chan struct{}) {
	go t.ask(quit)
	go t.answer()
	close(quit)
}
`, []string{"selectdone 11 quit return"}, "buffer 8 1"},
		{"a sender that closes the channel relies on nothing", `package p

func f(quit chan struct{}) {
	c := make(chan bool)
	go func() {
		c <- true // waits: chan send
		close(c)
	}()
	select {
	case <-c:
	case <-quit:
	}
}
`, []string{"selectdone 6 quit return", "selectdone 6 quit on", "buffer 4 1"}, "newdone 5 done captured"},
		{"a pending signal is not waited for", `package p

type T struct{ wake chan struct{} }

func newT() *T { return &T{make(chan struct{}, 1)} }

func (t *T) change() {
	t.wake <- struct{}{} // waits: chan send
}

func (t *T) run() {
	for {
		select {
		case <-t.wake:
			t.change()
		}
	}
}
`, []string{"selectdefault 8"}, "buffer 5 2"},
		{"a loop that has ended tells the sender; room would be for one more", `package p

type T struct {
	in, other chan int
}

func newT() *T { return &T{in: make(chan int), other: make(chan int)} }

func (t *T) put(n int) {
	t.in <- n // waits: chan send
}

func (t *T) run() {
	for {
		if <-t.in == 0 {
			return
		}
	}
}
`, []string{"newdone 10 t.done loop"}, "buffer 7 1"},
		{"a sender of what never ends gives up; it is not drained", `package p

import "sync"

func f(next func() (int, bool), put func(int) error) (err error) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(c)
		for {
			n, ok := next()
			if !ok {
				return
			}
			c <- n // waits: chan send
		}
	})
	for n := range c {
		if err = put(n); err != nil {
			break
		}
	}
	wg.Wait()
	return err
}
`, []string{"newdone 8 done captured"}, "drain 18 c after"},
		{"what is left of a few values is drained", `package p

import "sync"

func f(xs []int, put func(int) error) (err error) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(c)
		for _, x := range xs {
			c <- x // waits: chan send
		}
	})
	for n := range c {
		if err = put(n); err != nil {
			break
		}
	}
	wg.Wait()
	return err
}
`, []string{"drain 14 c after"}, "newdone 8 done captured"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ordered(t, test.src)
			if n := len(test.first); len(got) < n || !slices.Equal(got[:n], test.first) {
				t.Errorf("got\n%s\nwant first\n%s", strings.Join(got, "\n"), strings.Join(test.first, "\n"))
			}
			if at := slices.Index(got, test.last); test.last != "" && at < len(test.first) {
				t.Errorf("%s is not behind the first in\n%s", test.last, strings.Join(got, "\n"))
			}
		})
	}
}
