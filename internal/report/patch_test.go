package report

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sourcegraph/go-diff/diff"
	"pgregory.net/rapid"
)

func TestPatchGolden(t *testing.T) {
	changes, _ := bank()
	golden(t, "patch", string(Patch(changes, Message(story()))))
}

// A message that every applier must be kept from reading as a diff.
const nastyMessage = `Fix a race

--- a/bank.go
+++ b/bank.go
@@ -1 +1 @@
-package bank
+package robbed
  --- indented
diff --git a/x b/x
Index: bank.go
Prereq: 1.2
3,4d2
12a
*** bank.go
From nobody Mon Sep 17 00:00:00 2001
fine`

var patchCases = []struct {
	name    string
	changes []Change
}{
	{"two hunks", []Change{{"a/b.go", []byte(bankBefore), []byte(bankAfter)}}},
	{"several files", []Change{
		{"a.go", []byte("package a\n"), []byte("package a\n\nvar x int\n")},
		{"sub/b.go", []byte("package b\n"), []byte("package c\n")},
		{"unchanged.go", []byte("package d\n"), []byte("package d\n")},
	}},
	{"no final newline before", []Change{{"a.go", []byte("a\nb"), []byte("a\nb\nc\n")}}},
	{"no final newline after", []Change{{"a.go", []byte("a\nb\n"), []byte("a\nc")}}},
	{"no final newline on both sides", []Change{{"a.go", []byte("a\nb"), []byte("c\nb")}}},
	{"only the final newline", []Change{{"a.go", []byte("a\nb"), []byte("a\nb\n")}}},
	{"CRLF", []Change{{"a.go", []byte("a\r\nb\r\nc\r\n"), []byte("a\r\nx\r\nb\r\nc\r\n")}}},
	{"lines that look like a diff", []Change{{"a.go", []byte("-- a\n++ b\n@@ c\n"), []byte("-- b\n++ b\n@@ c\n\\ d\n")}}},
	{"emptied", []Change{{"a.go", []byte("a\n"), []byte("")}}},
	{"filled", []Change{{"a.go", []byte(""), []byte("a\n")}}},
	{"new file", []Change{{"new.go", nil, []byte("package n\n")}}},
	{"removed file", []Change{{"old.go", []byte("package n\n"), nil}}},
	{"names to be quoted", []Change{
		{"my file.go", []byte("a\n"), []byte("b\n")},
		{`we"ird.go`, []byte("a\n"), []byte("b\n")},
		{"größe.go", []byte("a\n"), []byte("b\n")},
	}},
	{"start and end of a long file", []Change{{"a.go", numbers(1, 50), slices.Concat([]byte("0\n"), numbers(1, 49))}}},
}

func numbers(from, to int) []byte {
	var b bytes.Buffer
	for i := from; i <= to; i++ {
		fmt.Fprintln(&b, i)
	}
	return b.Bytes()
}

// Patches apply with the two programs that users have, message and all, and
// reverse to what was there.
func TestPatchApplies(t *testing.T) {
	appliers := map[string][]string{
		"git":   {"git", "apply", "--whitespace=nowarn", "-p1"},
		"patch": {"patch", "-p1", "--binary", "--force", "--silent"},
	}
	for name, command := range appliers {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("%v: not tried", err)
			continue
		}
		for _, test := range patchCases {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				dir := t.TempDir()
				lay(t, dir, test.changes, func(c Change) []byte { return c.Before })
				text := Patch(test.changes, nastyMessage)
				run(t, dir, text, command...)
				compare(t, dir, test.changes, func(c Change) []byte { return c.After })
				run(t, dir, text, append(command, "-R")...)
				compare(t, dir, test.changes, func(c Change) []byte { return c.Before })
			})
		}
	}
}

func lay(t *testing.T, dir string, changes []Change, side func(Change) []byte) {
	t.Helper()
	for _, c := range changes {
		if side(c) == nil {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(c.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, side(c), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, dir string, stdin []byte, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	// A repository around the temporary directory must not take part.
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s\npatch:\n%s", command, err, out, stdin)
	}
}

func compare(t *testing.T, dir string, changes []Change, side func(Change) []byte) {
	t.Helper()
	for _, c := range changes {
		want := side(c)
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.Path)))
		if err != nil && want != nil && !(os.IsNotExist(err) && len(want) == 0) {
			t.Errorf("%s: %v", c.Path, err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.Path, got, want)
		}
	}
}

// Any change parses as a diff whose hunks turn one side into the other.
func TestPatchProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(label string) []byte {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n", "-- d\n", "é\n"}), 0, 30).Draw(t, label)
			text := strings.Join(lines, "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, label+" end")
			return []byte(text)
		}
		c := Change{Path: "x/y.go", Before: side("before"), After: side("after")}
		text := Patch([]Change{c}, "")
		if bytes.Equal(c.Before, c.After) {
			if len(text) != 0 {
				t.Fatalf("patch of nothing: %q", text)
			}
			return
		}
		file, err := diff.ParseFileDiff(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if file.OrigName != "a/x/y.go" || file.NewName != "b/x/y.go" {
			t.Errorf("names %q, %q", file.OrigName, file.NewName)
		}
		if got := replay(c.Before, hunks(c)); got != string(c.After) {
			t.Errorf("replayed to %q, want %q\n%s", got, c.After, text)
		}
		if len(file.Hunks) != len(hunks(c)) {
			t.Errorf("parsed %d hunks, wrote %d", len(file.Hunks), len(hunks(c)))
		}
	})
}

// git applies a hunk with a wrong position all the same, with an offset.
func TestPatchPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, after strings.Builder
		for n := range rapid.IntRange(1, 80).Draw(t, "lines") {
			fmt.Fprintln(&before, n)
			switch change := rapid.IntRange(0, 40).Draw(t, "change"); {
			case change < 4:
				after.WriteString(strings.Repeat("new\n", change))
			case change > 4:
				fmt.Fprintln(&after, n)
			}
		}
		c := Change{Path: "x.go", Before: []byte(before.String()), After: []byte(after.String())}
		if first, ok := firstLines(c); !ok {
			t.Errorf("a hunk is not where it says, at line %q:\n%s", first, Patch([]Change{c}, ""))
		}
	})
}

// firstLines reports whether the new side's lines of each hunk are where its
// header says; if not, which line was expected.
func firstLines(c Change) (wanted string, ok bool) {
	lines := strings.SplitAfter(string(c.After), "\n")
	for _, h := range hunks(c) {
		at := h.newLine - 1
		for _, l := range h.lines {
			if l.sign == '-' {
				continue
			}
			if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != l.text {
				return l.text, false
			}
			at++
		}
	}
	return "", true
}

// replay applies hunks to a text, checking their context.
func replay(before []byte, hunks []hunk) string {
	old := strings.SplitAfter(string(before), "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		first := max(h.oldLine-1, 0)
		for ; at < first; at++ {
			out.WriteString(old[at])
		}
		for _, l := range h.lines {
			text := l.text
			if l.newline {
				text += "\n"
			}
			if l.sign != '+' {
				if old[at] != text {
					return fmt.Sprintf("context %q is %q", text, old[at])
				}
				at++
			}
			if l.sign != '-' {
				out.WriteString(text)
			}
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}
