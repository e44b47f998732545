package tables

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fakeDocument is one line, and what is wrong.
type fakeDocument struct {
	Line   string
	Wrongs []string
}

func (f fakeDocument) Write(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, f.Line+"\n")
	return err
}

func (f fakeDocument) Failures() []string { return f.Wrongs }

// What ended early claims nothing about criteria that it meets so far, and says
// which it does not.
func TestEndedEarly(t *testing.T) {
	interrupted := errors.New("interrupted")
	for want, d := range map[string]Document{
		"| moby9 |": fakeDocument{Line: "| moby9 |"},
		"Not met:\n\n- found 0 of 1 kernels, want 1\n\nEnded early: interrupted\n": fakeDocument{Wrongs: []string{"found 0 of 1 kernels, want 1"}},
	} {
		dir := t.TempDir()
		var b strings.Builder
		if err := Finish(d, &b, Files{Dir: dir, Name: "goker"}, interrupted); !errors.Is(err, interrupted) {
			t.Errorf("error %v, want the one it ended with", err)
		}
		saved, err := os.ReadFile(filepath.Join(dir, "goker.md"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(saved)
		if !strings.Contains(text, want) || strings.Contains(text, "All criteria") || !strings.HasSuffix(text, "Ended early: interrupted\n") {
			t.Errorf("saved, without %q:\n%s", want, text)
		}
	}
}

func TestFinish(t *testing.T) {
	var b strings.Builder
	if err := Finish(fakeDocument{Line: "text"}, &b, Files{}, nil); err != nil || b.String() != "text\n\nAll criteria are met.\n" {
		t.Errorf("error %v, report\n%s", err, b.String())
	}
	if err := Finish(fakeDocument{Wrongs: []string{"x"}}, &b, Files{}, nil); !errors.Is(err, ErrNotMet) {
		t.Errorf("error %v, want errNotMet", err)
	}
}

// A saved document says what made it, unless its own text does.
func TestHead(t *testing.T) {
	for want, f := range map[string]Files{
		"# core\n\nWritten by mendel-bench at revision abc of 2026-11-22. Do not edit: make it again.\n\n":                            {Name: "core"},
		"# speed\n\nWritten by mendel-bench at revision abc of 2026-11-22. Do not edit: make it again.\n\n    mendel-bench speed\n\n": {Name: "speed", Command: "mendel-bench speed"},
	} {
		if got := f.head("revision abc of 2026-11-22"); got != want {
			t.Errorf("head %q, want %q", got, want)
		}
	}
}
