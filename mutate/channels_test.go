package mutate_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// channelsOf describes the channels of a module, one line each.
func channelsOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/chans\n\ngo 1.25\n"))
	for name, src := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(src))
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	var out []string
	look := &mutate.Operator{Name: "look", Together: func(w *mutate.Whole) []mutate.Edit {
		for _, c := range w.Channels() {
			out = append(out, describeChannel(c))
		}
		return nil
	}}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{look}); err != nil {
		t.Fatal(err)
	}
	return out
}

func describeChannel(c *mutate.Channel) string {
	words := []string{c.Elem.String()}
	for _, list := range []struct {
		what string
		uses []mutate.ChannelUse
	}{{"make", c.Makes}, {"send", c.Sends}, {"receive", c.Receives}, {"range", c.Ranges}, {"close", c.Closes}} {
		for _, u := range list.uses {
			words = append(words, list.what+" "+describeUse(u))
		}
	}
	if c.Escapes {
		words = append(words, "escapes")
	}
	return strings.Join(words, ", ")
}

func describeUse(u mutate.ChannelUse) string {
	text := "test"
	if u.Fn != nil {
		text = u.Fn.Name
	}
	if u.Test != (u.Fn == nil) {
		text += "?"
	}
	if u.Select != nil {
		text += "/select"
	}
	if u.Loop {
		text += "/loop"
	}
	return text
}

func TestChannels(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"field, select and loop", `
type server struct{ in chan int; quit chan struct{} }
func start() *server {
	s := &server{in: make(chan int), quit: make(chan struct{})}
	for range 3 { go s.serve() }
	return s
}
func (s *server) serve() {
	for { select { case n := <-s.in: _ = n; case <-s.quit: return } }
}
func (s *server) put(n int) { s.in <- n }
func (s *server) stop() { close(s.quit) }`,
			[]string{
				"int, make start, send (*server).put, receive (*server).serve/select/loop",
				"struct{}, make start, receive (*server).serve/select/loop, close (*server).stop",
			}},
		{"started in a loop, with directions and a literal", `
func f(n int) {
	results := make(chan int)
	for i := 0; i < n; i++ {
		go func() { results <- i }()
	}
	drain(results)
	once := make(chan string)
	go func(out chan<- string) { defer close(out); out <- "" }(once)
	println(<-once)
}
func drain(in <-chan int) { for range in {} }`,
			[]string{
				"int, make f, send f.func1/loop, range drain",
				"string, make f, send f.func2, receive f, close f.func2",
			}},
		{"results, several at once and named", `
func two() (chan int, chan int) { return make(chan int), make(chan int) }
func both() (a, b chan int) { return two() }
func named() (c chan bool) { c = make(chan bool); return }
func f() {
	a, b := both()
	a <- 1
	<-b
	named() <- true
}`, []string{
			"int, make two, send f", "int, make two, receive f", "bool, make named, send f",
		}},
		{"containers, channels of channels, pointers", `
func f() {
	var all []chan int
	all = append(all, make(chan int))
	for _, c := range all { c <- 1 }
	m := map[string]chan bool{"": make(chan bool)}
	p := m[""]
	q := &p
	<-*q
	replies := make(chan chan string)
	go func() { r := make(chan string); replies <- r; <-r }()
	r, ok := <-replies
	if ok { r <- "" }
}`, []string{
			"int, make f, send f/loop", "bool, make f, receive f",
			"chan string, make f, send f.func1, receive f", "string, make f.func1, send f, receive f.func1",
		}},
		{"interfaces of the program", `
type sink interface{ put(c chan int) }
type one struct{}
type other struct{}
func (one) put(c chan int) { c <- 1 }
func (*other) put(c chan int) { <-c }
func (*other) get(c chan int) { <-c }
func f(s sink) { c := make(chan int); s.put(c) }
func g() { f(one{}); f(&other{}) }`, []string{
			"int, make f, send one.put, receive (*other).put",
		}},
		{"function values, method values and expressions", `
type box struct{}
func (box) a(c chan int) { c <- 1 }
func (box) b(c chan bool) { c <- true }
func f(run func(chan string)) {
	put := box{}.a
	put(make(chan int))
	box.b(box{}, make(chan bool))
	run(make(chan string))
}
func g() { f(func(c chan string) { <-c }) }`, []string{
			"int, make f, send box.a", "bool, make f, send box.b", "string, make f, receive g.func1",
		}},
		{"generics, and values apart by type in one variable", `
type queue[T any] struct{ c chan T }
func newQueue[T any]() *queue[T] { return &queue[T]{make(chan T)} }
func (q *queue[T]) put(v T) { q.c <- v }
func f() { q := newQueue[int](); q.put(1); <-q.c }
func g() {
	var x any = make(chan string)
	x.(chan string) <- ""
	x = make(chan bool)
	switch c := x.(type) { case chan bool: close(c) }
}`, []string{
			"T, make newQueue, send (*queue).put, receive f",
			"string, make g, send g", "bool, make g, close g",
		}},
		{"elements of lists", `
type waiter struct{ n int }
type pool struct{ waiters, others list.List }
func (p *pool) wait() int { c := make(chan int, 1); p.waiters.PushBack(c); return <-c }
func (p *pool) give(n int) {
	front := p.waiters.Front()
	p.waiters.Remove(front)
	front.Value.(chan int) <- n
}
func (p *pool) tell() { p.others.PushFront(make(chan string)); c, ok := p.others.Remove(p.others.Back()).(chan string); if ok { close(c) } }`, []string{
			"int, make (*pool).wait, send (*pool).give, receive (*pool).wait",
			"string, make (*pool).tell, close (*pool).tell",
		}},
		{"outside", `
func f(g chan<- os.Signal) {
	s := make(chan os.Signal, 1)
	signal.Notify(s)
	<-s
	<-time.After(1)
	select { case <-context.Background().Done(): default: }
	<-time.NewTimer(1).C
	kept := make(chan int)
	fmt.Println(cap(kept))
	atomic.AddInt32(new(int32), 1)
}`, []string{
			"os.Signal, make f, receive f, escapes", "int, make f",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			imports := ""
			for _, path := range []string{"os", "os/signal", "time", "context", "fmt", "sync/atomic", "container/list"} {
				if strings.Contains(test.src, path[strings.LastIndex(path, "/")+1:]+".") {
					imports += fmt.Sprintf("import %q\n", path)
				}
			}
			got := channelsOf(t, map[string]string{"in.go": "package chans\n\n" + imports + test.src + "\n"})
			if g, w := strings.Join(got, "\n"), strings.Join(test.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
		})
	}
}

// Tests and other packages of the module are part of the program.
func TestChannelsOfTests(t *testing.T) {
	got := channelsOf(t, map[string]string{
		"in.go":           "package chans\n\nimport \"example.com/chans/inner\"\n\nfunc Run() *inner.Pipe { p := &inner.Pipe{C: make(chan int)}; p.Send(1); return p }\n",
		"inner/inner.go":  "package inner\n\ntype Pipe struct{ C chan int }\n\nfunc (p *Pipe) Send(n int) { p.C <- n }\n",
		"in_test.go":      "package chans\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { <-Run().C; own := make(chan bool, 1); own <- true }\n",
		"outside_test.go": "package chans_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/chans\"\n)\n\nfunc TestOutside(t *testing.T) { close(chans.Run().C) }\n",
	})
	want := "int, make Run, send (*Pipe).Send, receive test, close test"
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A channel made outside the module is none; one given by nobody is.
func TestChannel(t *testing.T) {
	fns := mutatetest.Functions(t, map[string]string{"in.go": `package chans

import "context"

func f(ctx context.Context, c chan int) {
	select {
	case <-ctx.Done():
	case <-c:
	}
}
`})
	fn := fns["f"]
	receives := receivesIn(fn)
	if len(receives) != 2 {
		t.Fatalf("found %d receives", len(receives))
	}
	if c := fn.Channel(receives[0].X); c != nil {
		t.Errorf("ctx.Done() is a channel: %s", describeChannel(c))
	}
	if c := fn.Channel(receives[1].X); c == nil || len(c.Receives) != 1 {
		t.Error("a parameter is no channel")
	}
}

func receivesIn(fn *mutate.Function) []*ast.UnaryExpr {
	var found []*ast.UnaryExpr
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			found = append(found, u)
		}
		return true
	})
	return found
}
