package verdicts

import (
	"fmt"
	"strings"
)

// A form is a way to store a plain variable: its declaration in the test, at
// package level, and the variable; %[1]s is its name.
type form struct{ local, global, use string }

var forms = []form{
	{"%[1]s := new(int)", "", "*%[1]s"},
	{"var %[1]s int", "", "%[1]s"},
	{"%[1]s := &struct{ a, b int }{}", "", "%[1]s.b"},
	{"%[1]s := map[string]int{}", "", `%[1]s["k"]`},
	{"%[1]s := make([]int, 2)", "", "%[1]s[1]"},
	{"", "var %[1]s int", "%[1]s"},
	{"", "var %[1]s [2]struct{ a, b int }", "%[1]s[1].a"},
	{"%[1]s := []*int{nil, new(int)}", "", "*%[1]s[1]"},
}

// moduleFile is the go.mod file of the programs.
const moduleFile = "module example.com/verdicts\n\ngo 1.26\n"

// head is what all programs share. Each goroutine has a list of what it observed.
const head = `package verdicts

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var _ = runtime.Gosched
var _ = time.Sleep
var _ atomic.Bool

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func last(r []int) int {
	if len(r) == 0 {
		return 0
	}
	return r[len(r)-1]
}

func is(want []int, all ...[]int) bool {
	for _, r := range all {
		for _, v := range append(r, %d) {
			if len(want) == 0 || want[0] != v {
				return false
			}
			want = want[1:]
		}
	}
	return len(want) == 0
}
`

// source writes programs as one test file; names[i] is the test of programs[i].
func source(programs []*program) (text string, names []string) {
	var b strings.Builder
	fmt.Fprintf(&b, head, separator)
	for i, p := range programs {
		names = append(names, fmt.Sprintf("TestP%d", i))
		(&writer{b: &b, p: p, i: i}).test()
	}
	return b.String(), names
}

// A writer writes one program.
type writer struct {
	b *strings.Builder
	p *program
	i int // number of the program
	t int // thread
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w.b, format+"\n", args...) }

// variable is the plain variable of a number: its name and its form.
func (w *writer) variable(o int) (name string, f form) {
	return fmt.Sprintf("x%d_%d", o, w.i), forms[w.p.forms[o]]
}

func (w *writer) plain(o int) string {
	name, f := w.variable(o)
	return fmt.Sprintf(f.use, name)
}

func (w *writer) test() {
	for o := range objects {
		if name, f := w.variable(o); f.global != "" {
			w.f(f.global, name)
		}
	}
	w.f("\nfunc TestP%d(t *testing.T) {", w.i)
	for o := range objects {
		if name, f := w.variable(o); f.local != "" {
			w.f(f.local+"\n_ = &%[1]s", name)
		}
	}
	w.f("var (\nmu [%[1]d]sync.Mutex; rw [%[1]d]sync.RWMutex; once [%[1]d]sync.Once; a [%[1]d]atomic.Int64; join, group sync.WaitGroup\n)", objects)
	w.f("cond := [2]*sync.Cond{sync.NewCond(&mu[0]), sync.NewCond(&mu[1])}")
	w.f("ch := [2]chan int{make(chan int, %d), make(chan int, %d)}", w.p.caps[0], w.p.caps[1])
	w.f("_, _, _, _, _, _ = &rw, &once, &a, &group, &cond, &ch")
	w.f("group.Add(%d); join.Add(%d)", w.p.done, len(w.p.threads)-1)
	w.f("var r0, r1, r2, r3 []int; _, _, _, _ = r0, r1, r2, r3")
	for t := 1; t < len(w.p.threads); t++ {
		w.t = t
		w.f("go func() {")
		w.body(w.p.threads[t])
		w.f("join.Done()\n}()")
	}
	w.t = 0
	w.body(w.p.threads[0])
	if w.p.join {
		w.f("join.Wait()")
		for o := range objects {
			w.stmt(stmt{do: "read", obj: o})
			w.stmt(stmt{do: "load", obj: o})
		}
		if w.p.refused != nil {
			w.f("if is(%#v, %s) { t.Error(r0, r1, r2) }", w.p.refused, w.registers())
		}
	}
	w.f("}\n")
}

// registers are the lists of all threads.
func (w *writer) registers() string {
	var all []string
	for t := range w.p.threads {
		all = append(all, fmt.Sprintf("r%d", t))
	}
	return strings.Join(all, ", ")
}

func (w *writer) body(body []stmt) {
	for _, s := range body {
		w.stmt(s)
	}
}

// see writes that a thread observes a value.
func (w *writer) see(format string, args ...any) {
	w.f("r%[1]d = append(r%[1]d, %[2]s)", w.t, fmt.Sprintf(format, args...))
}

// statements are those that need no more than a line.
var statements = map[string]string{
	"store": "a[%[1]d].Store(%[2]d)", "send": "ch[%[1]d] <- %[2]d", "close": "close(ch[%[1]d])",
	"mlock": "mu[%[1]d].Lock()", "munlock": "mu[%[1]d].Unlock()",
	"wait": "cond[%[1]d].Wait()", "signal": "cond[%[1]d].Signal()", "broadcast": "cond[%[1]d].Broadcast()",
	"done": "group.Done()", "wgwait": "group.Wait()", "yield": "runtime.Gosched()",
	"sleep": "time.Sleep(%[2]d * time.Millisecond)",
}

// observations are expressions whose value is observed.
var observations = map[string]string{
	"load": "int(a[%[1]d].Load())", "add": "int(a[%[1]d].Add(%[2]d))", "len": "len(ch[%[1]d])",
	"cas": "number(a[%[1]d].CompareAndSwap(%[2]d, %[3]d))",
}

// wrappings are statements with a body between two lines.
var wrappings = map[string][2]string{
	"lock": {"mu[%d].Lock()", "mu[%d].Unlock()"}, "rlock": {"rw[%d].RLock()", "rw[%d].RUnlock()"},
	"wlock": {"rw[%d].Lock()", "rw[%d].Unlock()"}, "once": {"once[%d].Do(func() {", "}) // %d"},
}

func (w *writer) stmt(s stmt) {
	if line, ok := statements[s.do]; ok {
		w.f("%s", trimmed(line, s))
		return
	}
	if value, ok := observations[s.do]; ok {
		w.see("%s", trimmed(value, s))
		return
	}
	if lines, ok := wrappings[s.do]; ok {
		w.f(lines[0], s.obj)
		w.body(s.body)
		w.f(lines[1], s.obj)
		return
	}
	switch s.do {
	case "read":
		w.see("%s", w.plain(s.obj))
	case "write":
		w.f("%s = %d", w.plain(s.obj), s.v)
	case "recv":
		w.f("{\nv, ok := <-ch[%d]", s.obj)
		w.received()
		w.f("}")
	case "if":
		w.f("if last(r%d) == %d {", w.t, s.v)
		w.body(s.body)
		w.f("}")
	case "trylock":
		w.f("if mu[%d].TryLock() {", s.obj)
		w.see("1")
		w.body(s.body)
		w.f("mu[%d].Unlock()\n} else {", s.obj)
		w.see("0")
		w.f("}")
	case "select", "default", "timed":
		w.selects(s)
	default:
		panic("unknown statement " + s.do)
	}
}

// trimmed fills in a statement's numbers, however many of them its line has.
func trimmed(line string, s stmt) string {
	return strings.NewReplacer("%[1]d", fmt.Sprint(s.obj), "%[2]d", fmt.Sprint(s.v), "%[3]d", fmt.Sprint(s.w)).Replace(line)
}

// received writes that v and ok of a receive are observed.
func (w *writer) received() {
	w.f("if !ok { v = -1 }")
	w.see("v")
}

func (w *writer) selects(s stmt) {
	w.f("select {")
	for i, c := range s.cases {
		if c.do == "send" {
			w.f("case ch[%d] <- %d:", c.obj, c.v)
			w.see("%d", i)
			continue
		}
		w.f("case v, ok := <-ch[%d]:", c.obj)
		w.see("%d", i)
		w.received()
	}
	switch s.do {
	case "default":
		w.f("default:")
		w.see("%d", len(s.cases))
	case "timed":
		w.f("case <-time.After(%d * time.Millisecond):", s.v)
		w.see("%d", len(s.cases))
	}
	w.f("}")
}
