package mutate_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

const blockers = `package p

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

type Clock interface{ Now() int }

type Time interface{ Now() time.Time }

type Shape interface{ Area() int }

type square struct{}

func (square) Area() int { return 1 }

type Box struct {
	Shape Shape
	own   Shape
}

func fields(b *Box) {
	b.Shape.Area()     // callback Area
	b.own.Area()
}

func writes(w io.Writer, c net.Conn) {
	w.Write(nil)       // io.Writer.Write
	c.Write(nil)       // net.Conn.Write
	logs()             // logs: log.Print, prints
	logsAndSends(c)    // logsAndSends: net.Conn.Write
}

func logs() {
	log.Print("x")     // log.Print, prints
}

func logsAndSends(c net.Conn) {
	log.Print("x")     // log.Print, prints
	c.Write(nil)       // net.Conn.Write
}

type box struct {
	OnChange func(int)
	cond     *sync.Cond
	wg       sync.WaitGroup
}

var hook func()

func channels(ch chan int) {
	ch <- 1            // channel send
	<-ch               // channel receive
	for range ch {     // range over a channel
	}
	select {           // select
	case x := <-ch:
		<-ch           // channel receive
		_ = x
	}
	select {
	case ch <- 1:
	default:
	}
	for range 3 {
	}
}

func waits(b *box, f *os.File, w *bufio.Writer) {
	time.Sleep(1)      // time.Sleep
	b.wg.Wait()        // sync.WaitGroup.Wait
	b.cond.Wait()      // sync.Cond.Wait, releases
	f.Sync()           // os.File.Sync
	w.Flush()          // bufio.Writer.Flush, prints
	os.ReadFile("x")   // os.ReadFile, prints
	os.Getenv("x")
	fmt.Println("x")   // fmt.Println, prints
	log.Print("x")     // log.Print, prints
	fmt.Sprint("x")
	fmt.Fprint(new(strings.Builder), "x")
	fmt.Fprint(new(bytes.Buffer), "x")
	fmt.Fprint(w, "x") // fmt.Fprint, prints
}

func Callbacks(b *box, c Clock, s Shape, each func(int), e error, t Time, now func() time.Time) {
	b.OnChange(1)      // callback OnChange
	hook()             // callback hook
	each(1)            // callback each
	c.Now()            // callback Now
	t.Now()
	now()
	s.Area()
	e.Error()
	local := func() {}
	local()
	_ = int64(3)
	_ = len("x")
}

func unexported(each func(int)) { each(1) }

func calls(ch chan int) {
	unexported(nil)
	indirect(3)        // indirect: flush: time.Sleep
	starts(ch)
	func() {
		<-ch           // channel receive
	}()
}

func indirect(n int) {
	if n > 0 {
		indirect(n - 1)    // indirect: flush: time.Sleep
	}
	flush()            // flush: time.Sleep
}

func flush() {
	time.Sleep(1)      // time.Sleep
	time.Sleep(2)      // time.Sleep
}

func starts(ch chan int) {
	go func() {
		<-ch           // channel receive
	}()
	var wg sync.WaitGroup
	wg.Go(func() {
		ch <- 1        // channel send
	})
	later := func() {
		ch <- 2        // channel send
	}
	_ = later
}
`

// The comments of the source say what is found in their lines, and no others.
func TestBlockers(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	writeFile(t, filepath.Join(dir, "p.go"), []byte(blockers))
	// An implementation of the tests' own makes an interface no less the user's.
	writeFile(t, filepath.Join(dir, "p_test.go"), []byte("package p\n\ntype fake struct{}\n\nfunc (fake) Now() int { return 0 }\n"))
	p, _ := mutatetest.Load(t, dir, nil, nil)
	var want, got []string
	for i, line := range strings.Split(blockers, "\n") {
		if _, what, ok := strings.Cut(line, "// "); ok {
			want = append(want, fmt.Sprintf("%d: %s", i+1, what))
		}
	}
	for _, b := range mutate.Blockers(p, p.File("p.go")) {
		text := fmt.Sprintf("%d: %s", b.Line, b.What)
		if b.Releases {
			text += ", releases"
		}
		if b.Prints {
			text += ", prints"
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what may block (-want +got):\n%s", diff)
	}
}
