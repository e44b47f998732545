package effects

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mendel/internal/gotool"
)

func TestNearest(t *testing.T) {
	for v, want := range map[string]string{
		"go1.25.5": "go1.25.5", "go1.26.8": "go1.26.8", "go1.27.3": "go1.27.3",
		"go1.24.1": "go1.25.5", "go1.25.9": "go1.25.5", "go1.26.3": "go1.26.8", "go1.26rc1": "go1.26.8", "go1.99": "go1.27.3",
	} {
		table := Nearest(v)
		if table.version() != want {
			t.Errorf("nearest to %s is %s, want %s", v, table.version(), want)
		}
		if n := len(table.packages); n < 100 || table.Of("sort", "Ints") != "0w" {
			t.Errorf("%s: %d packages, sort.Ints %q", v, n, table.Of("sort", "Ints"))
		}
	}
}

func TestOf(t *testing.T) {
	table := Nearest("go1.26.8")
	for _, test := range []struct{ pkg, name, want string }{
		{"sort", "Ints", "0w"},
		{"sort", "SearchInts", "0r"},
		{"strings", "ToUpper", ""},
		{"bytes", "Buffer.Write", "0w 0Kadd 1r"},
		{"bytes", "Buffer.Len", "0r"},
		{"encoding/json", "Marshal", "0R"},
		{"fmt", "Fprintf", "0mWrite 2F"},
		{"maps", "Copy", "0w 1r"},
		{"os", "Setenv", "$environment:L"},
		{"expvar", "Int.Value", "0l"},
		{"expvar", "Int.Set", "0S"},
		{"container/ring", "Ring.Next", "0r0 0z0.1"},
		{"regexp", "Regexp.MatchString", "0r"},
		{"no/such", "Function", ""},
	} {
		if got := table.Of(test.pkg, test.name); got != test.want {
			t.Errorf("Of(%s, %s) = %q, want %q", test.pkg, test.name, got, test.want)
		}
	}
	if !table.Method("WriteString") || table.Method("NoSuchMethod") {
		t.Errorf("Method(WriteString) = %v, Method(NoSuchMethod) = %v", table.Method("WriteString"), table.Method("NoSuchMethod"))
	}
	if !table.Package("bytes") || table.Package("encoding") || table.Package("sync") {
		t.Errorf("Package: bytes %t, encoding %t, sync %t", table.Package("bytes"), table.Package("encoding"), table.Package("sync"))
	}
}

// A running program gets what methods do to their receivers and to what the process shares.
func TestLines(t *testing.T) {
	table, err := parseTable("go1.99 linux/amd64\nb\n\tFunction 0w\n\tT.M 0w 1r $log:L\n\tT.N 1r\nempty\na\n\tF 0r\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{"b", "empty", "unknown"}, "b\n\tT.M 0w $log:L\n"},
		{[]string{"b", "a"}, "a\nb\n\tT.M 0w $log:L\n"},
		{[]string{}, ""},
	} {
		if got := table.Lines(test.paths); got != test.want {
			t.Errorf("Lines(%q) = %q, want %q", test.paths, got, test.want)
		}
	}
}

func TestParseTable(t *testing.T) {
	for _, text := range []string{"", "go1.26.8 linux/amd64", "bytes\n\tEqual 0r\n", "go1.26.8 linux/amd64\n\tEqual 0r\n", "go1.26.8 linux/amd64\nbytes\n\tEqual 0r", "go1.26.8 linux/amd64\nbytes\n\tEqual\n"} {
		if _, err := parseTable(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// other is a toolchain of a version that has no table, and of which none is kept.
func other(t *testing.T) *gotool.Toolchain {
	t.Helper()
	t.Setenv("GOCACHE", buildCache)
	tool := toolchain(t, "")
	tool.Version = "go1.26.99"
	if err := os.Remove(cacheFile(t.Context(), tool)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return tool
}

// Of a toolchain that has no table one is made, kept, and added to when a program depends on
// more.
func TestForOther(t *testing.T) {
	tool := other(t)
	made := must(t, tool, "bytes", "errors", "sync")
	if made.Note != "" || made.Of("bytes", "Buffer.Len") != "0r" || made.Of("os", "Setenv") == "" {
		t.Errorf("note %q, bytes.Buffer.Len %q, os.Setenv %q", made.Note, made.Of("bytes", "Buffer.Len"), made.Of("os", "Setenv"))
	}
	file := cacheFile(t.Context(), tool)
	if kept := read(file, tool); kept.packages["bytes"] == nil || kept.packages["sync"] != nil || kept.packages["bufio"] != nil {
		t.Errorf("kept: %v", kept.packages)
	}
	replace(t, file, "\tBuffer.Len 0r\n", "\tBuffer.Len 0w\n") // to see that it is read
	if again := must(t, tool, "bytes"); again.Of("bytes", "Buffer.Len") != "0w" {
		t.Error("what was kept is not used")
	}
	if more := must(t, tool, "bytes", "bufio"); more.Of("bytes", "Buffer.Len") != "0w" || read(file, tool).packages["bufio"] == nil {
		t.Errorf("with another package: bytes.Buffer.Len %q, bufio kept: %t", more.Of("bytes", "Buffer.Len"), read(file, tool).packages["bufio"] != nil)
	}
	replace(t, file, "go1.26.99 ", "damaged ")
	if again := must(t, tool, "bytes"); again.Of("bytes", "Buffer.Len") != "0r" || again.Note != "" {
		t.Errorf("with a damaged file: bytes.Buffer.Len %q, note %q", again.Of("bytes", "Buffer.Len"), again.Note)
	}
}

func must(t *testing.T, tool *gotool.Toolchain, paths ...string) *Table {
	t.Helper()
	table, err := For(t.Context(), tool, paths)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func replace(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("%s: %v, no %q", file, err, from)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Several processes may make a table at a time: what is kept is always whole.
func TestForAtOnce(t *testing.T) {
	tool := other(t)
	var all sync.WaitGroup
	for _, path := range []string{"errors", "container/ring", "errors"} {
		all.Go(func() {
			if table, err := For(t.Context(), tool, []string{path}); err != nil || table.Note != "" {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	all.Wait()
	file := cacheFile(t.Context(), tool)
	if len(read(file, tool).packages) == 0 {
		t.Error("nothing is kept")
	}
	if left, err := filepath.Glob(file + ".*"); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// A library that cannot be read gets the words of its neighbour, and the user is told.
func TestForUnreadable(t *testing.T) {
	tool := other(t)
	tool.Dir = filepath.Join(tool.Dir, "none")
	table := must(t, tool, "bytes")
	want := "effects of library calls are those of go1.26.8, not go1.26.99: load the standard library: "
	if !strings.HasPrefix(table.Note, want) || table.Of("bytes", "Buffer.Len") != "0r" {
		t.Errorf("note %q, want %q...; bytes.Buffer.Len %q", table.Note, want, table.Of("bytes", "Buffer.Len"))
	}
}

// A cache that cannot be written is no reason to do without: the table is made each time.
func TestForWithoutCache(t *testing.T) {
	tool := &gotool.Toolchain{Dir: other(t).Dir, Version: "go1.26.99", Port: "linux/amd64"} // whose cache is not known
	if table := must(t, tool, "errors"); table.Note != "" {
		t.Errorf("note %q", table.Note)
	}
}

func TestForCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := For(ctx, other(t), []string{"bytes"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := For(ctx, toolchain(t, ""), nil); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
