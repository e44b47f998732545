package htmlreport

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mendel/internal/dossier"
)

// sides puts a comparison together again.
func sides(c comparison) (before, after string) {
	var b, a strings.Builder
	put := func(to *strings.Builder, lines []line) {
		for _, l := range lines {
			to.WriteString(text(l.Spans))
			if !l.NoNewline {
				to.WriteByte('\n')
			}
		}
	}
	for _, p := range c.Parts {
		for _, block := range p.Blocks {
			put(&b, block.Old)
			put(&a, block.New)
		}
	}
	return b.String(), a.String()
}

// TestCompare compares texts of few different lines, which match in many ways:
// both sides are there, numbered from 1, and an unchanged block has the same on
// both.
func TestCompare(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "}", "\tif x {", "`", "\"", "/*", "*/", "func f() { ch <- 1 }"}), 0, 40)
	file := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(lines.Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "line end") && s != "" {
			s += "\n"
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		f := dossier.File{Path: "a.go", Before: file.Draw(t, "before"), After: file.Draw(t, "after")}
		c := compare(f)
		if b, a := sides(c); b != f.Before || a != f.After {
			t.Fatalf("%q and %q become %q and %q", f.Before, f.After, b, a)
		}
		old, new := 0, 0
		for _, p := range c.Parts {
			for _, b := range p.Blocks {
				for _, l := range b.Old {
					if old++; l.Number != old {
						t.Fatalf("line %d of the original has the number %d", old, l.Number)
					}
				}
				for _, l := range b.New {
					if new++; l.Number != new {
						t.Fatalf("line %d of the new side has the number %d", new, l.Number)
					}
				}
				if !b.Changed && len(b.Old) != len(b.New) {
					t.Fatalf("an unchanged block has %d and %d lines", len(b.Old), len(b.New))
				}
			}
		}
	})
}

// TestFold leaves the middle of a long unchanged stretch out, and says so.
func TestFold(t *testing.T) {
	const length = 1000
	before := strings.Repeat("same\n", length) + "old\n"
	c := compare(dossier.File{Path: "a.txt", Before: before, After: strings.Repeat("same\n", length) + "new\n"})
	if len(c.Parts) != 2 || c.Added != 1 || c.Removed != 1 {
		t.Fatalf("%d parts, +%d -%d", len(c.Parts), c.Added, c.Removed)
	}
	fold := c.Parts[0]
	if want := length - contextLines; fold.Fold != want || fold.Hidden != want-2*foldedLines {
		t.Errorf("of %d lines %d are folded, of these %d left out", length, fold.Fold, fold.Hidden)
	}
	if last := fold.Blocks[1].Old[foldedLines-1].Number; last != length-contextLines {
		t.Errorf("the fold ends at line %d", last)
	}
}

func TestLineEnds(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          string // "CR": they are shown
	}{
		"of both sides": {"a\r\nb\r\n", "a\r\nc\r\n", ""},
		"of one":        {"a\nb\n", "a\r\nb\r\n", "CR"},
		"of one line":   {"a\r\nb\n", "a\r\nc\n", "CR"},
	} {
		t.Run(name, func(t *testing.T) {
			b, a := sides(compare(dossier.File{Path: "a.go", Before: c.before, After: c.after}))
			if strings.Contains(b+a, "\r") != (c.want == "CR") {
				t.Errorf("%q and %q are shown as %q and %q", c.before, c.after, b, a)
			}
		})
	}
}

func TestEmphasise(t *testing.T) {
	show := func(line []span) string {
		var b strings.Builder
		for _, s := range line {
			if s.Changed {
				b.WriteString("[" + s.Text + "]")
			} else {
				b.WriteString(s.Text)
			}
		}
		return b.String()
	}
	for _, c := range [][4]string{
		{"\ta.mu.Unlock()", "\tto.mu.Unlock()", "\t[a].mu.Unlock()", "\t[to].mu.Unlock()"},
		{"x := 1", "x := 1 // ä", "x := 1", "x := 1[ ][// ä]"},
		{"return", "go func() {", "return", "go func() {"}, // nothing of it is the same
		{"aa", "aaa", "aa", "aa[a]"},
	} {
		before, after := emphasise(tokens("a.go", c[0]), tokens("a.go", c[1]))
		if b, a := show(before), show(after); b != c[2] || a != c[3] {
			t.Errorf("%q and %q become %q and %q", c[0], c[1], b, a)
		}
	}
}

func TestClipped(t *testing.T) {
	line := []span{{Text: strings.Repeat("ä", shownRunes-1)}, {Text: "öü"}, {Text: "rest"}}
	got := text(clipped(line))
	if want := strings.Repeat("ä", shownRunes-1) + "ö … 5 characters more"; got != want {
		t.Errorf("got %q", got)
	}
}

// TestAnnotate gives each hunk its notes.
func TestAnnotate(t *testing.T) {
	middle := strings.Repeat("same\n", 20)
	f := dossier.File{Path: "a.go", Before: "one\n" + middle + "two\n" + middle + "three\n", After: "ONE\n" + middle + "TWO\n" + middle + "THREE\n"}
	places := []dossier.Place{{What: "read", File: "a.go", Line: 22}}
	files := []comparison{compare(f), compare(dossier.File{Path: "b.go", Before: "x\n", After: "y\n"})}
	annotate(files, []dossier.Edit{
		{Operator: "first", File: "a.go", Line: 18, Conflicts: places}, // nearest to the second hunk
		{Operator: "second", File: "a.go", Line: 22, Conflicts: places},
		{Operator: "third", File: "a.go", Line: 43},
		{Operator: "lost", File: "c.go", Line: 1},
	})
	var got []string
	for _, c := range files {
		for _, p := range c.Parts {
			if p.Fold > 0 {
				continue
			}
			words := ""
			for _, n := range p.Notes {
				words += " " + n.Operator
				if n.Same {
					words += " (same)"
				}
				if n.Elsewhere {
					words += " (elsewhere)"
				}
			}
			got = append(got, words)
		}
	}
	want := []string{
		" first (elsewhere) second (elsewhere) third (elsewhere)", " first second (same)", " third",
		" first (elsewhere) second (elsewhere) third (elsewhere) lost (elsewhere)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzLines colours anything without losing or adding a character.
func FuzzLines(f *testing.F) {
	f.Add("package p\n\nfunc f() { ch <- `x\n` } // end")
	f.Add("\r\n\t\"unclosed\n'\\\n/*")
	f.Fuzz(func(t *testing.T, source string) {
		var b strings.Builder
		for i, l := range lines("a.go", source) {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(text(l))
		}
		if got := b.String(); got != strings.TrimSuffix(source, "\n") {
			t.Errorf("%q becomes %q", source, got)
		}
	})
}
