package review

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/internal/batch"
	"mendel/internal/dossier"
	"mendel/internal/result"
)

// leave writes what a repair leaves in a directory.
func leave(t *testing.T, dir, status string, fixes ...dossier.Fix) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	d := &dossier.Dossier{
		Version: dossier.Version, Package: "example.com/m/bank", Module: "example.com/m", Dir: dir, Status: status,
		Failures: []dossier.FailureRecord{{Kind: "race", Message: "data race: x"}}, Fixes: fixes,
	}
	if err := dossier.Write(dir, d); err != nil {
		t.Fatal(err)
	}
}

// leaveSeries writes what a series leaves, in which one package is repaired.
func leaveSeries(t *testing.T, dir string) {
	t.Helper()
	leave(t, filepath.Join(dir, "1-bank"), "not-fixed")
	data, err := json.Marshal(batch.Series{Status: result.NotFixed, Module: dir, Packages: []batch.Package{
		{Path: "example.com/m/bank", Dir: dir, Out: "1-bank", Status: result.NotFixed, Reason: "no luck"},
		{Path: "example.com/m/shop", Dir: dir, Out: "2-shop", Begun: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, batch.Name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// The newer of a repair and a series in a directory is reviewed.
func TestReadTheNewer(t *testing.T) {
	dir := t.TempDir()
	if Exists(dir) {
		t.Error("there is nothing to review")
	}
	if _, err := Read(dir); err == nil {
		t.Error("nothing was read")
	}
	leave(t, dir, "not-fixed")
	leaveSeries(t, dir)
	old := time.Now().Add(-time.Hour)
	for name, series := range map[string]bool{dossier.Name: true, batch.Name: false} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil || (r.series != nil) != series || !Exists(dir) {
			t.Errorf("%s is older: %+v, %v", name, r, err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// A series is written into its own directory and those of its repairs; its
// page comes first.
func TestWriteSeries(t *testing.T) {
	dir := t.TempDir()
	leaveSeries(t, dir)
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.Write()
	var want []string
	for _, name := range []string{"report.html", "report.md", "1-bank/report.html", "1-bank/report.md"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if err != nil || !slices.Equal(files, want) {
		t.Fatalf("%q, %v, want %q", files, err, want)
	}
	for i, words := range []string{"running", "running", "data race: x", "data race: x"} {
		if text, err := os.ReadFile(files[i]); err != nil || !strings.Contains(strings.ToLower(string(text)), words) {
			t.Errorf("%s has no %q: %v", files[i], words, err)
		}
	}
}

// Each format is printed; what makes no sense is refused.
func TestPrint(t *testing.T) {
	one, several := t.TempDir(), t.TempDir()
	leave(t, one, "fixed", dossier.Fix{Patch: "fix-1.patch", Title: "Fix data race", Files: []dossier.File{{Path: "x.go", Before: "package x\n", After: "package x\n\nvar y int\n"}}})
	leaveSeries(t, several)
	for _, tt := range []struct {
		dir   string
		o     Options
		want  string
		fails bool
	}{
		{one, Options{Format: "html"}, "<html", false},
		{one, Options{Format: "md"}, "data race: x", false},
		{one, Options{Format: "text", Width: 80}, "data race: x", false},
		{one, Options{Format: "sarif"}, `"version": "2.1.0"`, false},
		{one, Options{Format: "github"}, "data race: x", false},
		{one, Options{Format: "patch", Fix: 1}, "+++ b/x.go", false},
		{one, Options{Format: "patch", Fix: 2}, "--fix 2: there are 1 fixes", true},
		{several, Options{Format: "md"}, "example.com/m/shop", false},
		{several, Options{Format: "text"}, "example.com/m/shop", false},
		{several, Options{Format: "html"}, "example.com/m/shop", false},
		{several, Options{Format: "patch", Fix: 1}, "there are several", true},
	} {
		r, err := Read(tt.dir)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		err = r.Print(&text, tt.o)
		if err != nil {
			text.WriteString(err.Error())
		}
		if (err != nil) != tt.fails || !strings.Contains(text.String(), tt.want) {
			t.Errorf("%+v: no %q in, error %v\n%s", tt.o, tt.want, err, &text)
		}
	}
	if err := (Options{Format: "pdf"}).Check(); err == nil || !strings.Contains(err.Error(), "--format pdf") {
		t.Errorf("error %v", err)
	}
	r, err := Read(several)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	if err := r.PrintJSON(&lines); err != nil || strings.Count(lines.String(), "\n") != 1 || !json.Valid(lines.Bytes()) {
		t.Errorf("%v\n%s", err, &lines)
	}
}
