package checker

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/gotool"
)

var manyTests = map[string]string{
	"fake.go": "package fake\n\nfunc TestNot(int) {}\n",
	"a_test.go": `package fake

import (
	. "testing"
	try "testing"
)

func TestB(t *T)                  {}
func TestA(*try.T)                {}
func TestMain(m *try.M)           {}
func Testify(t *try.T)            {}
func Test(t *try.T)               {}
func TestÄ(t *try.T)              {}
func TestGeneric[X any](t *try.T) {}
func TestResult(t *try.T) int     { return 0 }
func TestTwo(a, b *try.T)         {}
func TestOther(t *try.B)          {}
func BenchmarkA(b *try.B)         {}
func FuzzA(f *try.F)              {}
func ExampleA()                   {}
func ExampleB() {
	// output: nothing
}
func ExampleC(int) {
	// Output:
}
func ExampleD() {
	// Unordered output: nothing
	_ = 1 // is the last comment
}

type suite struct{}

func (suite) TestMethod(t *try.T) {}
`,
	"b_test.go": "package fake_test\n\nimport \"testing\"\n\nfunc TestExternal(t *testing.T) {}\n",
}

// The tests are those of go test: names, types, order, selection.
func TestNames(t *testing.T) {
	p := programOf(t, t.TempDir(), manyTests)
	b := &Binary{checker: &Checker{c: Config{Program: p, Tool: &gotool.Toolchain{}}}}
	for _, c := range []struct {
		run, wanted, want string
	}{
		{"", "", "TestB TestA Test TestÄ TestExternal FuzzA ExampleB"},
		{"A", "", "TestA FuzzA"},
		{"^TestB$|External/sub", "", "TestB TestExternal"},
		{"A/x|B/y|[/|]", "", "TestB TestA FuzzA ExampleB"},
		{"Test(A|B/)", "", "TestA"},
		{"/sub", "", "TestB TestA Test TestÄ TestExternal FuzzA ExampleB"},
		{"A", "TestExternal TestB TestB", "TestExternal TestB"},
		{"Nothing", "", "error: no test of example.com/fake matches --run Nothing; list them with: go test -list ."},
		{"Benchmark", "", "error: no test of example.com/fake matches --run Benchmark"},
		{"A(", "", "error: --run A(: error parsing regexp"},
		{"", "TestX", "error: example.com/fake has no test TestX"},
	} {
		p.Target.Run = c.run
		names, err := b.tests(strings.Fields(c.wanted))
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("--run %q, wanted %q: %s, want %s", c.run, c.wanted, got, c.want)
		}
	}
}

// A replaced test file has the tests of its new source.
func TestNamesReplaced(t *testing.T) {
	p := programOf(t, t.TempDir(), manyTests)
	name := p.Packages[1].Files[0].Name
	b := &Binary{
		checker: &Checker{c: Config{Program: p}},
		files:   map[string][]byte{name: []byte("package fake_test\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) {}\n")},
	}
	names, err := b.tests(nil)
	if err != nil || !slices.Contains(names, "TestNew") || slices.Contains(names, "TestExternal") {
		t.Errorf("%v, %v", names, err)
	}
}

func TestNoTests(t *testing.T) {
	p := programOf(t, t.TempDir(), map[string]string{"fake.go": manyTests["fake.go"], "a_test.go": "package fake\n"})
	b := &Binary{checker: &Checker{c: Config{Program: p}}}
	if _, err := b.tests(nil); !errors.Is(err, gotool.ErrNoTests) || !strings.Contains(err.Error(), "has no tests to check") {
		t.Error(err)
	}
	if !b.checker.hasTests() {
		t.Error("there is a test file")
	}
	p.Packages[0].Files = slices.DeleteFunc(p.Packages[0].Files, func(f *analysis.File) bool { return f.Test })
	if b.checker.hasTests() {
		t.Error("there is no test file")
	}
}

// The pattern of the tests is what stands before the first slash of each
// alternative, outside of brackets and escapes.
func TestTopLevel(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                "",
		"TestA":           "TestA",
		"TestA/x":         "TestA",
		"^Test(A|B)$/^x$": "^Test(A|B)$",
		"A/x|B/y|C":       "A|B|C",
		"A[/|]B/c":        "A[/|]B",
		`A\/B/c`:          `A\/B`,
		"A(/)B/c":         "A(/)B",
		"A]/b":            "A]",
	} {
		if got := topLevel(pattern); got != want {
			t.Errorf("%q: got %q, want %q", pattern, got, want)
		}
	}
}
