package report

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"mendel/analysis"
	"mendel/mutate"
)

// contextLines is how many unchanged lines a hunk shows on each side.
const contextLines = 3

// A Change is one file of the target's module before and after a fix.
type Change struct {
	Path          string // module-relative, slash-separated
	Before, After []byte // nil: there is no such file
}

// Changes are the files a mutant changes, sorted by path.
func Changes(p *analysis.Program, m *mutate.Mutant) []Change {
	var changes []Change
	for name, after := range m.Files {
		c := Change{Path: relative(p, name), After: after}
		if f := p.File(name); f != nil {
			c.Before = f.Source
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// relative is a file's name relative to the program's module, slash-separated;
// outside the module it stays as it is.
func relative(p *analysis.Program, name string) string {
	if f := p.File(name); f != nil {
		return f.Rel
	}
	rel, err := filepath.Rel(p.Module, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return name
	}
	return filepath.ToSlash(rel)
}

// Patch is a unified diff that applies with git apply and patch -p1 at the
// module's root. The message stands before it, where both ignore it. Files
// without a final newline and with CRLF line ends come out as they are.
func Patch(changes []Change, message string) []byte {
	var b bytes.Buffer
	if message = strings.TrimSpace(message); message != "" {
		b.WriteString(harmless(message))
		b.WriteString("\n\n")
	}
	for _, c := range changes {
		hs := hunks(c)
		if len(hs) == 0 {
			continue
		}
		before, after := header(c)
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", before, after)
		for _, h := range hs {
			fmt.Fprintln(&b, h.header())
			for _, l := range h.lines {
				fmt.Fprintf(&b, "%c%s\n", l.sign, l.text)
				if !l.newline {
					fmt.Fprintln(&b, `\ No newline at end of file`)
				}
			}
		}
	}
	return b.Bytes()
}

// header names both sides of a change as git does.
func header(c Change) (before, after string) {
	before, after = fileName("a/"+c.Path), fileName("b/"+c.Path)
	if c.Before == nil {
		before = "/dev/null"
	}
	if c.After == nil {
		after = "/dev/null"
	}
	return before, after
}

// fileName quotes a name as git does where it must be quoted, and ends one
// with a space by a tab, so that it is not read as ending there.
func fileName(name string) string {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if strings.ContainsFunc(name, special) {
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range name {
			switch {
			case r == '"' || r == '\\':
				b.WriteByte('\\')
				b.WriteRune(r)
			case special(r):
				fmt.Fprintf(&b, `\%03o`, r)
			default:
				b.WriteRune(r)
			}
		}
		b.WriteByte('"')
		return b.String()
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// diffLike matches a line that git apply or patch might take for the start of
// a diff in one of its formats, or am for a header.
var diffLike = regexp.MustCompile(`^\s*(---|\+\+\+|\*\*\*|@@|diff |Index:|Prereq:|From |GIT binary|old mode|new mode|deleted file|new file|rename |copy |similarity |index |[0-9]+(,[0-9]+)?[acdis])`)

// harmless keeps the message from being read as a part of the diff.
func harmless(message string) string {
	lines := strings.Split(strings.ReplaceAll(message, "\r", ""), "\n")
	for i, line := range lines {
		if diffLike.MatchString(line) {
			line = "> " + strings.TrimLeft(line, " \t")
		}
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// A hunk is a run of changed lines with their context.
type hunk struct {
	oldLine, newLine   int // of its first line, from 1
	oldCount, newCount int
	lines              []line
}

// A line of a hunk.
type line struct {
	sign    byte   // ' ', '+' or '-'
	text    string // without its newline
	newline bool   // false: the file ends here without one
	number  int    // in the new file; of a removed line, of the line that follows it there
}

// header is the hunk's line of positions.
func (h hunk) header() string {
	return fmt.Sprintf("@@ -%s +%s @@", span(h.oldLine, h.oldCount), span(h.newLine, h.newCount))
}

func span(first, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", first-1) // the line it comes after
	case 1:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, count)
}

// hunks compares the two sides of a change line by line.
func hunks(c Change) []hunk {
	before, after := string(c.Before), string(c.After)
	u, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), contextLines)
	if err != nil {
		// Lines returns consistent edits for any two texts.
		panic("report: inconsistent diff: " + err.Error())
	}
	var out []hunk
	more := 0 // lines of the new side, above the hunk, than of the old one
	for _, uh := range u.Hunks {
		// udiff's own ToLine is wrong behind hunks that were joined.
		h := hunk{oldLine: uh.FromLine, newLine: uh.FromLine + more}
		for _, ul := range uh.Lines {
			text, newline := strings.CutSuffix(ul.Content, "\n")
			l := line{sign: ' ', text: text, newline: newline, number: h.newLine + h.newCount}
			switch ul.Kind {
			case udiff.Delete:
				l.sign = '-'
				h.oldCount++
			case udiff.Insert:
				l.sign = '+'
				h.newCount++
			default:
				h.oldCount++
				h.newCount++
			}
			h.lines = append(h.lines, l)
		}
		more += h.newCount - h.oldCount
		out = append(out, h)
	}
	return out
}
