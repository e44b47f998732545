package gotool

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuildErrorText(t *testing.T) {
	var many []Diagnostic
	for i := range 7 {
		many = append(many, Diagnostic{File: "/a.go", Line: i + 1, Column: i, Message: fmt.Sprint("message ", i)})
	}
	tests := []struct {
		name string
		err  BuildError
		want string
	}{
		{"position first", BuildError{Diagnostics: many[:2], Output: "ignored"}, "/a.go:1: message 0\n/a.go:2:1: message 1"},
		{"more", BuildError{Diagnostics: many}, "/a.go:1: message 0\n/a.go:2:1: message 1\n/a.go:3:2: message 2\n/a.go:4:3: message 3\n/a.go:5:4: message 4\nand 2 more"},
		{"no position", BuildError{Output: "# m\nlink: a\n\nFAIL\tm [build failed]\n\tb\r\nFAIL\n"}, "link: a\n\tb"},
		{"nothing", BuildError{Output: "# m\n"}, "the build failed without a message"},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	if len(many) != 7 || many[5].Message != "message 5" {
		t.Error("Error changed the diagnostics")
	}
}

func TestParseDiagnostics(t *testing.T) {
	tests := []struct{ line, want string }{
		{"./a.go:3:5: x: y:7: z", "/dir/a.go:3:5: x: y:7: z"},
		{"../b/a_test.go:3: x", "/b/a_test.go:3: x"},
		{"/abs/a b/x.s:12:1: no", "/abs/a b/x.s:12:1: no"},
		{"vet: ./a.go:3:5: x", "/dir/a.go:3:5: x"},
		{"go.mod:4: unknown directive: x", "/dir/go.mod:4: unknown directive: x"},
		{"a.go:3:5: one\n\tmore\n\t\tstill\nnote: not more\n\tnor this", "/dir/a.go:3:5: one\n\tmore\n\t\tstill"},
		{"a.go:3:5: same\na.go:3:5: same\na.go:3:6: same\r", "/dir/a.go:3:5: same /dir/a.go:3:6: same"},
		{"too many errors", ""},
		{"# example.com/a.go", ""},
		{"panic: open x.txt:3:5: no Go file", ""},
		{"a.go:99999999999999999999:5: no line", ""},
		{"a.go:3:99999999999999999999: no column", "/dir/a.go:3: no column"},
		{"a.go:0:0: no line", ""},
		{"\tindented before any", ""},
	}
	for _, test := range tests {
		got := fmt.Sprint(parseDiagnostics("/dir", "# pkg\n"+test.line+"\n"))
		if want := "[" + test.want + "]"; got != want {
			t.Errorf("%q: got %s, want %s", test.line, got, want)
		}
	}
}

func FuzzParseDiagnostics(f *testing.F) {
	f.Add("# m/sub [m/sub.test]\nsub/s.go:4:14: not enough arguments in call to g\n\thave (number)\n\twant (int, string)\n")
	f.Add("# m\n# [m]\nvet: ../a.go:2:23: cannot use \"x\"\n")
	f.Add("package m\n\timports m/sub from a.go\n\timports m from s.go: import cycle not allowed\n")
	f.Fuzz(func(t *testing.T, output string) {
		seen := map[Diagnostic]bool{}
		for _, d := range parseDiagnostics("/dir", output) {
			if !filepath.IsAbs(d.File) || d.Line < 1 || d.Column < 0 || seen[d] {
				t.Errorf("%+v in %q", d, output)
			}
			seen[d] = true
			first, _, _ := strings.Cut(d.Message, "\n")
			if !strings.Contains(output, first) {
				t.Errorf("message %q is not from %q", first, output)
			}
		}
	})
}

// A shortage of the machine is no fault of the program's, whatever its strings say.
func TestOutOfResources(t *testing.T) {
	for output, want := range map[string]bool{
		"# m\nlink: write $WORK/b001/x: no space left on device":  true,
		"go build m: /go/pkg/tool/compile: signal: killed":        true,
		"fork/exec /go/pkg/tool/compile: cannot allocate memory":  true,
		"# m\nlink: relocation target m.f not defined":            false,
		"package m: build constraints exclude all Go files in /m": false,
	} {
		if got := OutOfResources(output); got != want {
			t.Errorf("%q: %t, want %t", output, got, want)
		}
	}
}
