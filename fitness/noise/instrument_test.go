package noise

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mendel/internal/gotool"
	"mendel/internal/sample"
)

var update = flag.Bool("update", false, "rewrite the wanted files of testdata/instrument")

// number is a hook's point; goldens show 0 for each.
var number = regexp.MustCompile(`(zznoise[\d_]*\.[PAG])\(\d+\)`)

// TestInstrument compares every file of each archive with its wanted form
// (want/<file>), and builds and runs the result.
func TestInstrument(t *testing.T) {
	archives, err := filepath.Glob("testdata/instrument/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	slices.Reverse(archives) // what is built of them is not the one with C
	built := sample.Of(2, archives)
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			inputs, wanted := &txtar.Archive{Comment: archive.Comment}, make(map[string]string)
			for _, f := range archive.Files {
				if rel, ok := strings.CutPrefix(f.Name, "want/"); ok {
					wanted[rel] = string(f.Data)
				} else {
					inputs.Files = append(inputs.Files, f)
				}
			}
			h := byTypes(t, inputs, nil, Config{NoRace: true}, "shared")
			if strings.Contains(name, "cgo") { // the analysis leaves such files alone
				h = harness(t, inputs, Config{Narrowing: narrowing("shared"), NoRace: true})
			}
			got := &txtar.Archive{Comment: archive.Comment, Files: inputs.Files}
			for _, f := range inputs.Files {
				if !strings.HasSuffix(f.Name, ".go") {
					continue
				}
				text := number.ReplaceAll(h.source.overlay[filepath.Join(h.c.Program.Module, f.Name)], []byte("$1(0)"))
				got.Files = append(got.Files, txtar.File{Name: "want/" + f.Name, Data: text})
				if diff := cmp.Diff(wanted[f.Name], string(text)); diff != "" && !*update {
					t.Errorf("%s (run with -update if that is meant):\n%s", f.Name, diff)
				}
				if a, b := bytes.Count(f.Data, []byte("\n")), bytes.Count(text, []byte("\n")); a != b {
					t.Errorf("%s: %d lines became %d", f.Name, a, b)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Contains(built, name) {
				return
			}
			if strings.Contains(name, "cgo") && !hasC() {
				t.Skip("no C compiler")
			}
			o, err := h.Run(context.Background(), build(t, h, Noised, nil), RunOptions{Seed: 1})
			if err != nil || !o.Pass {
				t.Errorf("error %v, failures %v\n%s", err, o.Failures, o.Output)
			}
			if len(h.source.refused) > 0 {
				t.Errorf("built only without hooks in %v", h.source.refused)
			}
		})
	}
}

func hasC() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if err != nil || !strings.HasPrefix(string(out), "1") {
		return false
	}
	_, err = exec.LookPath(strings.Fields(string(out))[1])
	return err == nil
}

// byNames is a text with hooks where names tell; the text itself if it does not parse.
func byNames(rel string, source []byte, variables ...string) []byte {
	vars := map[string]bool{}
	for _, name := range variables {
		vars[name] = true
	}
	t, ok := parse(rel, "zznoise", source, vars)
	if !ok {
		return source
	}
	return t.instrumented()
}

// TestInstrumentOddities has sources that a file on disk can hardly have.
func TestInstrumentOddities(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"does not parse", "package x\nfunc f() {", "package x\nfunc f() {"},
		{"no newline at the end", "package x;func f(){mu.Lock()}", `package x; import zznoise "mendelrt/noise";func f(){zznoise.P(0); mu.Lock(); zznoise.A(0)}`},
		{"byte order mark", "\ufeffpackage x\nfunc f() { mu.Lock() }\n", "\ufeffpackage x; import zznoise \"mendelrt/noise\"\nfunc f() { zznoise.P(0); mu.Lock(); zznoise.A(0) }\n"},
		{"carriage returns", "package x\r\nfunc f() {\r\n\tshared++\r\n}\r\n", "package x; import zznoise \"mendelrt/noise\"\r\nfunc f() {\r\n\tzznoise.P(0); shared++\r\n}\r\n"},
		{"adjacent", "package x\nfunc f(){for shared>0{shared--};go func(){c<-1}()}\n", "package x; import zznoise \"mendelrt/noise\"\nfunc f(){zznoise.P(0); for shared>0{ zznoise.P(0);shared--};zznoise.P(0); go func(){ zznoise.G(0);c<-1; zznoise.A(0)}(); zznoise.A(0)}\n"},
		{"shadowed panic", "package x\nfunc f() { panic(<-c) }\n", "package x; import zznoise \"mendelrt/noise\"\nfunc f() { zznoise.P(0); panic(<-c) }\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := byNames("x.go", []byte(tt.src), "shared")
			if diff := cmp.Diff(tt.want, string(number.ReplaceAll(got, []byte("$1(0)")))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBuildErrors: what the compiler says has the positions of the source without hooks.
func TestBuildErrors(t *testing.T) {
	h := harness(t, readArchive(t, "zoo.txtar"), Config{NoRace: true})
	name := h.c.Program.Packages[0].Files[0].Name
	mutant := bytes.Replace(h.c.Program.Packages[0].Files[0].Source, []byte("a.mu.Lock()"), []byte("a.mu.Lock(); a.nothing()"), 1)
	_, err := h.Build(context.Background(), Noised, map[string][]byte{name: mutant})
	var refused *gotool.BuildError
	if !errors.As(err, &refused) || len(refused.Diagnostics) != 1 {
		t.Fatalf("error %v, want one diagnostic", err)
	}
	if d := refused.Diagnostics[0]; d.File != name || d.Line != 12 || d.Column != 17 {
		t.Errorf("diagnostic %v, want %s:12:17", d, name)
	}
}

// TestHooksRefused: a file that cannot have hooks is built without. Here its
// package declares the import's name where the analysis did not look.
func TestHooksRefused(t *testing.T) {
	h := harness(t, readArchive(t, "zoo.txtar"), Config{NoRace: true})
	hidden := filepath.Join(h.c.Program.Module, "hidden.go")
	b := build(t, h, Noised, map[string][]byte{hidden: []byte("package zoo\n\nvar zznoise int\n")})
	o, err := h.run(context.Background(), b, "^TestPass$", RunOptions{Seed: 1})
	if err != nil || !o.Pass {
		t.Errorf("error %v, outcome %+v", err, o)
	}
	if len(h.source.refused) == 0 {
		t.Error("no file was refused")
	}
}
