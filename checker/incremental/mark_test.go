package incremental

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// mark marks one file.
func mark1(t *testing.T, text string) (string, *Points) {
	t.Helper()
	var k Marker
	marked, err := k.Mark("f.go", []byte(text), "zzpoint", "mendelrt/sched")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "f.go", marked, 0); err != nil {
		t.Fatalf("%v in:\n%s", err, marked)
	}
	p, why := k.Points()
	if p == nil {
		t.Logf("not marked: %s", why)
	}
	return string(marked), p
}

// Marks stand where statements begin, on their lines.
func TestMark(t *testing.T) {
	marked, p := mark1(t, `package f

func f(c chan int) {
	if x := g(func() { h() }); x > 0 {
		h()
	} else if x < 0 {
	}
loop:
	for {
		select {
		case <-c:
			break loop
		default:
		}
	}
	switch {
	}
}
`)
	want := `package f; import zzpoint "mendelrt/sched"

func f(c chan int) {
	 zzpoint.Reached[0] = 1; if x := g(func() { zzpoint.Reached[1] = 1; h() }); x > 0 {
		 zzpoint.Reached[2] = 1; h()
	} else if x < 0 { zzpoint.Reached[3] = 1; 
	}
 zzpoint.Reached[4] = 1; loop:
	for {
		 zzpoint.Reached[5] = 1; select {
		case <-c:
			 zzpoint.Reached[6] = 1; break loop
		default: zzpoint.Reached[7] = 1; 
		}
	}
	 zzpoint.Reached[8] = 1; switch {
	}
}
`
	// A space before each mark does no harm and keeps it from what stands there.
	if got := strings.ReplaceAll(marked, "func() {  ", "func() { "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p.Len() != 9 {
		t.Errorf("%d points", p.Len())
	}
}

// Of two programs the points at which the first differs from the second.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                string // numbers of the points; "all": the rest differs
	}{
		{"equal", "a()\nb()", "a()\nb()", ""},
		{"inserted", "a()\nb()\nc()", "a()\nlock()\nb()\nc()", "1 2"},
		{"deleted", "a()\nb()\nc()", "a()\nc()", "1 2"},
		{"appended", "a()\nb()", "a()\nb()\nc()", "1"},
		{"at the end of a body", "if x { a() }\nb()", "if x { a(); c() }\nb()", "1"},
		{"in an empty body", "if x { }\nb()", "if x { c() }\nb()", "1"},
		{"in a function literal", "go func() { a() }()\nb()", "go func() { c() }()\nb()", "1"},
		{"a header", "if x { a() }\nb()", "if y { a() }\nb()", "0"},
		{"a case", "switch x { case 1: a() }", "switch x { case 1: a(); case 2: }", "0"},
		{"a branch", "if x { a() }\nb()", "if x { a() } else { }\nb()", "0"},
		{"a label", "for { break }\nb()", "l: for { break l }\nb()", "0 1"},
		{"white space and comments", "a()\nb()", "a() // first\n\n\n  b()", ""},
		{"strings", `a("x  y")`, `a("x y")`, "0"},
		{"temporaries", "zz1 := a()\nb(zz1)\nzz2 := c()\nd(zz2)", "zz7 := a()\nb(zz7)\nzz9 := c()\nd(zz9)", ""},
		{"temporaries exchanged", "zz1, zz2 := a()\nb(zz1, zz2)", "zz1, zz2 := a()\nb(zz2, zz1)", "1"},
		{"goroutines' places", `zzsched.GoAt("f.go:1", a)`, `zzsched.GoAt("f.go:2", a)`, ""},
		{"goto", "if x { goto l }\na()\nl: b()", "if x { goto l }\nc()\nl: b()", "0"},
		{"a variable", "a()\n}\nvar v int\nfunc _() {", "a()\n}\nvar v uint\nfunc _() {", "all"},
		{"an initial value", "a()\n}\nvar v = func() int { return 1 }()\nfunc _() {", "a()\n}\nvar v = func() int { return 2 }()\nfunc _() {", "all"},
		{"a type", "a()\n}\ntype t struct{ x int }\nfunc _() {", "a()\n}\ntype t struct{ x, y int }\nfunc _() {", "all"},
		{"a signature", "a()\n}\nfunc g(int) {", "a()\n}\nfunc g(int, int) {", "all"},
		{"another function", "a()", "a()\n}\nfunc g() {", "all"},
	} {
		_, before := mark1(t, "package f\nfunc f() {\n"+c.before+"\n}\n")
		_, after := mark1(t, "package f\nfunc f() {\n"+c.after+"\n}\n")
		differ, same := before.changed(after)
		if numbers(before, differ, same) != c.want {
			t.Errorf("%s: differs at %q, want %q", c.name, numbers(before, differ, same), c.want)
		}
	}
}

// numbers are those of the points of a set, "all" if the rest differs.
func numbers(p *Points, differ Set, same bool) string {
	if !same {
		return "all"
	}
	var all []string
	for i := range p.Len() {
		if differ[i/8]&(1<<(i%8)) != 0 {
			all = append(all, string(rune('0'+i)))
		}
	}
	return strings.Join(all, " ")
}

// A program that can see where its source stands is not marked.
func TestAsksForPositions(t *testing.T) {
	for text, marked := range map[string]bool{
		"package f; import \"runtime\"; func f() { runtime.Caller(0) }":        false,
		"package f; import \"log\"; func f() { log.SetFlags(log.Lshortfile) }": false,
		"package f; import \"runtime\"; func f() { runtime.Gosched() }":        true,
		"package f; type s struct{ Stack int }; func f(x s) { _ = x.Stack }":   true,
		"package f; import \"log\"; func f() { log.Print(1) }":                 true,
		"package f; //go:nosplit\nfunc f() { }\nfunc g() { f() }":              true,
		"package f; import \"C\"\nfunc f() { }":                                true,
	} {
		if _, p := mark1(t, text); (p != nil) != marked {
			t.Errorf("%s: marked %v", text, p != nil)
		}
	}
}

// Functions of one name are kept apart.
func TestSameNames(t *testing.T) {
	_, p := mark1(t, "package f; func init() { a() }; func init() { b() }; func (t) m() {}; func (*t) m() {}")
	seen := map[string]bool{}
	for _, path := range p.paths {
		if seen[path] {
			t.Errorf("%s twice", path)
		}
		seen[path] = true
	}
	if len(seen) != 4 {
		t.Errorf("points %q", p.paths)
	}
}

// A memory finds what executions came to that reached nothing that differs.
func TestMemory(t *testing.T) {
	_, before := mark1(t, "package f; func f() { if x { a() }; b() }")
	_, after := mark1(t, "package f; func f() { if x { c() }; b() }")
	_, other := mark1(t, "package f; var v int; func f() { if x { a() }; b() }")
	var m Memory[int]
	m.Add("s", "around", before, Set{0b101}, 1)
	m.Add("s", "through", before, Set{0b111}, 2)
	m.Add("another", "around", before, Set{0b101}, 3)
	if found := m.Find("s", after); len(found) != 1 || found["around"].Value != 1 {
		t.Errorf("found %v in what differs", found)
	}
	_, longer := mark1(t, "package f; func e() { if y { z() } }; func f() { if x { c() }; b() }; func g() {}")
	_, moved := mark1(t, "package f; func e() { if y { }; w() }; func f() { if x { a() }; b() }; func g() {}")
	m.Add("t", "moved", longer, Set{0b10100}, 4)
	if found := m.Find("t", moved); len(found) != 1 || found["moved"].Reached[0] != 0b101000 {
		t.Errorf("found %v where points have other numbers", found)
	}
	if found := m.Find("s", before); len(found) != 2 {
		t.Errorf("found %v in the same", found)
	}
	if found := m.Find("s", other); len(found) != 0 {
		t.Errorf("found %v where the rest differs", found)
	}
}
