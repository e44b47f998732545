package instrument

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/internal/gotool"
)

func TestOriginal(t *testing.T) {
	for text, want := range map[string]string{
		"":  "",
		"a": "a",
		"example.com/bank/zzc1/bank.(*Account).Add":  "example.com/bank.(*Account).Add",
		"bank/zzc1/bank_test.TestAdd.func1":          "bank_test.TestAdd.func1",
		"in *yaml.v3/zzc1/yaml%2ev3.T, \"a/zzc1/a\"": "in *yaml%2ev3.T, \"a\"",
		"b/ab/zzc1/ab.F b/zzc1/b.F":                  "b/ab.F b.F",
		"bank/zzc12/bank.F /zzc1":                    "bank/zzc12/bank.F /zzc1",
		"/zzc1/x":                                    "x",
		"a/zzc1/":                                    "",
	} {
		if got := string(Original("zzc1", []byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := string(Original("", []byte(text))); got != text {
			t.Errorf("without a clone %q becomes %q", text, got)
		}
	}
}

// Effects of packages when they are initialised: one module with a package for each
// case. The last line of a package has what is found.
func TestStartup(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/startup.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := load(t, extract(t, archive), ".")
	packages := map[string]bool{}
	functions := functionsOf(func() map[string]*analysis.Package {
		all := map[string]*analysis.Package{}
		for _, pkg := range s.program.Packages {
			all[pkg.Path] = pkg
		}
		return all
	}())
	for _, pkg := range s.program.Packages[1:] {
		last := string(pkg.Files[0].Source)
		last = strings.TrimSpace(last[strings.LastIndex(strings.TrimSpace(last), "\n"):])
		want, ok := strings.CutPrefix(last, "// want ")
		if !ok {
			continue
		}
		packages[pkg.Path] = true
		up := &startup{functions: functions, cloned: map[string]bool{pkg.Path: true}, seen: map[string]bool{}}
		up.start(pkg)
		got := strings.TrimPrefix(up.why, pkg.Path+" ")
		if up.shared != "" {
			got = "needs " + up.shared
		}
		if got == "" {
			got = "nothing"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", pkg.Path, got, want)
		}
	}
	if len(packages) < 15 {
		t.Errorf("only %d packages were looked at", len(packages))
	}
}

// The clones of a program: what changed, what imports that, the tests, and what is
// called when they are initialised. And the reasons why a package has no clone.
func TestChooseCloned(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/cloned.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := extract(t, archive)
	s := load(t, dir, ".")
	file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	changed := func(name string) map[string][]byte {
		if name == "called/count.go" {
			source := string(s.program.File(name).Source)
			return map[string][]byte{file(name): []byte(strings.Replace(source, "calls++", "calls += 2", 1))}
		}
		return map[string][]byte{file(name): append(slices.Clone(s.program.File(name).Source), "\nvar added int\n"...)}
	}
	for name, want := range map[string]string{
		"":                 "p p/called p_test",
		"leaf/leaf.go":     "p p/called p/leaf p/middle p_test",
		"called/called.go": "p p/called p_test",
		"bound/bound.go":   "alone: p/bound is bound to its place by //go:embed",
		"p.go":             "p p/called p_test",
		"called/count.go":  "alone: p/called calls Count, which is changed, when it is initialised",
	} {
		var files map[string][]byte
		if name != "" {
			files = changed(name)
		}
		r, err := s.in.Rewrite(files)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(r.cloned, " ")
		if r.Alone != "" {
			got = "alone: " + r.Alone
		}
		if strings.ReplaceAll(got, "example.com/", "") != want {
			t.Errorf("%q changed: got %q, want %q", name, got, want)
		}
	}
}

// A batch has the files of its programs' clones, by which the compiler keeps
// the order of initialisation, and their names are free.
func TestBatch(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/cloned.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := extract(t, archive)
	write(t, filepath.Join(dir, "leaf", "zzc", "x.txt"), nil)
	s := load(t, dir, ".")
	r, err := s.in.Rewrite(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := s.in.Batch([]*Rewritten{r, nil, r})
	if want := []string{"zzc2_1", "", "zzc2_3"}; !slices.Equal(b.Clones, want) || b.Package != "example.com/p/zzc2_all" {
		t.Errorf("got %q in %s, want %q", b.Clones, b.Package, want)
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(b.Overlay)) {
		if rel, err := filepath.Rel(dir, name); err == nil && strings.Contains(rel, "zzc2_3") {
			first, _, _ := strings.Cut(string(b.Overlay[name]), "\n")
			names = append(names, filepath.ToSlash(rel)+" "+filepath.Base(first))
		}
	}
	want := []string{
		"called/zzc2_3/called/f0000.go called.go:1:1",
		"called/zzc2_3/called/f0001.go count.go:1:1",
		"called/zzc2_3/called/f0002.go zzmendel.go:1:1",
		"zzc2_3/p/f0000.go p.go:1:1",
		"zzc2_3/p/f0001.go q.go:1:1",
		"zzc2_3/p/f0002.go a_test.go:1:1",
		"zzc2_3/p/f0003.go zzmendel_test.go:1:1",
		"zzc2_3/p/f0004.go zzplanted_test.go:1:1",
		"zzc2_3/p_test/f0000.go x_test.go:1:1",
		"zzc2_3/p_test/f0001.go zzmendelx_test.go:1:1",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	binary := filepath.Join(t.TempDir(), "x.test")
	if err := s.tool.BuildTest(t.Context(), gotool.BuildOptions{Package: b.Package, Overlay: b.Overlay, Output: binary}); err != nil {
		t.Error(err)
	}
}
