package checker

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

var allArchives = flag.Bool("all-archives", false, "check all archives with the tables of other versions, and not only some")

// Archives whose verdicts depend on what calls of the library do; of the first ones also on
// the version, as lostVerdicts shows.
var (
	versionArchives = []string{"packages", "kept"}
	libraryArchives = append(versionArchives, "library", "library-correct", "standard", "objects", "data", "web", "services", "pipes")
)

// A verdictLost is wrong on a release with a table of another one.
type verdictLost struct{ release, table, program, why string }

// lostVerdicts are all that the corpus has.
var lostVerdicts = []verdictLost{
	{"go1.26", "go1.25.5", "TestURLQuery", "the fields of url.URL have another order"},
	{"go1.26", "go1.27.3", "TestJSONRawKept", "json.RawMessage is a type of package jsontext since Go 1.27"},
	{"go1.27", "go1.25.5", "TestJSONRawKept", "json.RawMessage is a type of package jsontext since Go 1.27"},
	{"go1.27", "go1.25.5", "TestDecodersOverOne", "json.Decoder reads through package jsontext since Go 1.27"},
	{"go1.27", "go1.25.5", "TestURLQuery", "the fields of url.URL have another order"},
	{"go1.27", "go1.26.8", "TestJSONRawKept", "json.RawMessage is a type of package jsontext since Go 1.27"},
	{"go1.27", "go1.26.8", "TestDecodersOverOne", "json.Decoder reads through package jsontext since Go 1.27"},
}

// lost says why a verdict is wrong with a table; "": it is right.
func lost(version, table, program string) string {
	for _, l := range lostVerdicts {
		if strings.HasPrefix(version, l.release+".") && table == l.table && program == l.program {
			return l.why
		}
	}
	return ""
}

// A toolchain whose library cannot be analysed gets the table of a neighbour. The corpus
// keeps its verdicts with the tables of all versions that there are, but for what is listed.
// With -all-archives, which .ci/toolchains --whole gives, these are all archives that
// depend on the library. One table and one archive are the sample.
func TestNeighboursTables(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many programs")
	}
	tool, err := gotool.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	neighbours := slices.DeleteFunc(effects.Embedded(), func(v string) bool { return v == tool.Version }) // TestCorpusVerdicts has that table
	for _, version := range sample.Of(1, neighbours) {
		archives := sample.Of(1, versionArchives)
		if *allArchives {
			archives = libraryArchives
		}
		for _, name := range archives {
			t.Run(version+"/"+name, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join("testdata", "verdicts", name+".txtar")
				programs, pkg, err := verdictPrograms(file)
				if err != nil {
					t.Fatal(err)
				}
				config := Config{Workers: 1, Library: effects.Nearest(version)}
				c := load(t, filepath.Join(unpack(t, file), pkg), analysis.Target{Unedited: true}, config)
				b := build(t, c)
				affected := func(p *verdictProgram) bool { return lost(c.c.Tool.Version, version, p.name) != "" }
				some := sample.Of(corpusPart, programs)
				programs = slices.DeleteFunc(slices.Clone(programs), func(p *verdictProgram) bool { return !affected(p) && !slices.Contains(some, p) })
				reports := checkTogether(t, b, programs)
				for _, p := range programs {
					wrong := p.known == "" && p.differs(reports[p.name]) != ""
					switch why := lost(c.c.Tool.Version, version, p.name); {
					case why == "" && wrong:
						p.check(t, name, b, nil)
					case why != "" && !wrong:
						t.Errorf("%s: the verdict is right: remove %q", p.name, why)
					}
				}
			})
		}
	}
}

// The user is told when the words are those of a neighbour.
func TestNeighboursNote(t *testing.T) {
	library := *effects.Nearest("go1.25.5")
	library.Note = "effects of library calls are those of go1.25.5, not go1.99: why"
	dir := module(t, map[string]string{"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n"})
	b := build(t, load(t, dir, analysis.Target{}, Config{Library: &library}))
	if notes := strings.Join(b.Uncontrolled(), "\n"); !strings.Contains(notes, library.Note) {
		t.Errorf("uncontrolled: %q", notes)
	}
}
