package instrument

import (
	"bytes"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// small is a program that depends on little of the library.
func small(t *testing.T) (*subject, string) {
	dir := extract(t, &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/p\n\ngo 1.25\n")},
		{Name: "p.go", Data: []byte("package p\n\nimport \"io\"\n\nfunc Write(w io.Writer) { w.Write(nil) }\n")},
		{Name: "p_test.go", Data: []byte("package p\n\nimport (\n\t\"bytes\"\n\t\"testing\"\n)\n\nfunc TestWrite(t *testing.T) { Write(&bytes.Buffer{}) }\n")},
	}})
	return load(t, dir, "."), dir
}

// A program has the words about methods of the packages that it depends on, and no others.
func TestLibraryWords(t *testing.T) {
	s, _ := small(t)
	o, _ := s.overlay(t, nil)
	text := string(o[s.in.libraryFile()])
	for line, want := range map[string]bool{"bytes\n": true, "\tBuffer.Write 0w 0Kadd\n": true, "\nencoding/xml\n": false, "\tEqual ": false} {
		if strings.Contains(text, line) != want {
			t.Errorf("has %q: %t\n%s", line, !want, text)
		}
	}
	s.output(t, o) // it builds
}

// The rest of the runtime is the same for all programs, so that it is compiled once.
func TestRuntimeIsTheSame(t *testing.T) {
	s, _ := small(t)
	dir := extract(t, &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/q\n\ngo 1.25\n")},
		{Name: "q.go", Data: []byte("package q\n\nimport _ \"net/http\"\n")},
		{Name: "q_test.go", Data: []byte("package q\n")},
	}})
	large := load(t, dir, ".")
	runtime := func(s *subject) map[string][]byte {
		o, _ := s.overlay(t, nil)
		root := filepath.Join(s.tool.GOROOT, "src", filepath.FromSlash(runtimePath))
		maps.DeleteFunc(o, func(name string, _ []byte) bool {
			return !strings.HasPrefix(name, root) || name == s.in.libraryFile()
		})
		return o
	}
	if a, b := runtime(s), runtime(large); len(a) < 50 || !maps.EqualFunc(a, b, bytes.Equal) {
		t.Errorf("the runtimes of two programs differ: %d and %d files", len(a), len(b))
	}
}

// Mutants have the words of the program, alone and in a batch, also with imports that edits
// may add.
func TestLibraryWordsOfMutant(t *testing.T) {
	s, dir := small(t)
	o, _ := s.overlay(t, nil)
	mutant, err := s.in.Rewrite(map[string][]byte{filepath.Join(dir, "p.go"): []byte("package p\n\nimport (\n\t\"io\"\n\t\"slices\"\n)\n\nfunc Write(w io.Writer) { w.Write(slices.Clone([]byte{1})) }\n")})
	if err != nil {
		t.Fatal(err)
	}
	file := s.in.libraryFile()
	if !bytes.Equal(mutant.Overlay[file], o[file]) || !bytes.Equal(s.in.Batch([]*Rewritten{mutant}).Overlay[file], o[file]) {
		t.Error("a mutant has other words than the program")
	}
}
