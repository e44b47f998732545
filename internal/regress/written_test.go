package regress

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/ordercopy"
)

var update = flag.Bool("update", false, "write the archives anew")

// The tests that the means write, of the programs in testdata, each an archive: the first word of the comment is the
// means, the second the test that fails, the third the kind of its failure.
func TestWritten(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives %q, %v", archives, err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { compareWritten(t, name) })
	}
}

const wantName = "want"

func compareWritten(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(archive.Comment))
	dir, want := t.TempDir(), -1
	for i, f := range archive.Files {
		if f.Name == wantName {
			want = i
		} else if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := newMaking(t, dir, words[1], evidence.Kind(words[2]))
	got := write(t, m, Means(words[0]))
	switch {
	case want < 0:
		t.Fatalf("%s has no %s", name, wantName)
	case *update:
		archive.Files[want].Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	case got != string(archive.Files[want].Data):
		t.Errorf("got\n%s\nwant\n%s", got, archive.Files[want].Data)
	}
}

// newMaking is a search for a test of a program.
func newMaking(t *testing.T, dir, test string, kind evidence.Kind) *making {
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	m := &making{
		o: Options{Order: ordercopy.Source{}}, tool: tool, program: p, dir: dir,
		file: &checker.File{Test: test, Kind: kind, Message: "it fails", Package: p.Packages[0].Path},
	}
	m.wanted = want(evidence.Failure{Kind: kind})
	if m.test, err = find(p, test); err != nil {
		t.Fatal(err)
	}
	m.test.order = p.ModulePath() + "/" + ordercopy.Dir
	if err := m.test.prepare(); err != nil {
		t.Fatal(err)
	}
	return m
}

// write is what a means writes.
func write(t *testing.T, m *making, means Means) string {
	test := m.newTest(means, bare)
	var err error
	switch means {
	case Bubble:
		err = m.callerSource(test, inBubble)
	case Watched:
		err = m.callerSource(test, underOrder)
	case Repeated:
		test.Rounds = 50
		err = m.callerSource(test, inBubble)
	case Locks:
		if err = m.test.place(); err == nil {
			test, err = m.holding(m.test.holds()[:1], false)
		}
	case Order:
		if err = m.test.place(); err == nil {
			test, err = m.stated([]ordering{{event{arrival(1), 1}, event{departure(2), 1}, false}})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return test.Source
}
