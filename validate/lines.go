package validate

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"mendel/analysis"
	"mendel/mutate"
)

// Lines are the lines that a patch adds and removes.
type Lines struct {
	Added, Removed int // without comment lines and realigned ones
	Comments       int // lines with nothing but a comment, added and removed
	Realigned      int // lines in which only white space changes, as when gofmt aligns a struct anew
}

// Total is the code that a reader has to review: Added + Removed.
func (l Lines) Total() int { return l.Added + l.Removed }

// changedLines counts over all files of a mutant.
func changedLines(p *analysis.Program, m *mutate.Mutant) Lines {
	var sum Lines
	for name, after := range m.Files {
		var before []byte
		if f := p.File(name); f != nil {
			before = f.Source
		}
		l := diffLines(before, after)
		sum.Added += l.Added
		sum.Removed += l.Removed
		sum.Comments += l.Comments
		sum.Realigned += l.Realigned
	}
	return sum
}

func diffLines(before, after []byte) Lines {
	var l Lines
	oldComment, newComment := commentLines(before), commentLines(after)
	shift := 0 // from a line of before to the same line of after
	old := string(before)
	for _, e := range udiff.Lines(old, string(after)) {
		first := 1 + strings.Count(old[:e.Start], "\n")
		removed, added := splitLines(old[e.Start:e.End]), splitLines(e.New)
		moved := map[string]int{} // removed lines without their white space
		for i, text := range removed {
			if oldComment[first+i] {
				l.Comments++
				continue
			}
			l.Removed++
			moved[squeeze(text)]++
		}
		for i, text := range added {
			key := squeeze(text)
			switch {
			case newComment[first+shift+i]:
				l.Comments++
			case key != "" && moved[key] > 0:
				moved[key]--
				l.Removed--
				l.Realigned++
			default:
				l.Added++
			}
		}
		shift += len(added) - len(removed)
	}
	return l
}

// squeeze takes the white space out of a line. Only lines that differ in it are
// compared, so what a string loses does no harm.
func squeeze(line string) string { return strings.Join(strings.Fields(line), "") }

// splitLines splits text into lines, a last one without newline included.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// commentLines finds the lines, counted from 1, that hold a comment and no other token.
func commentLines(src []byte) map[int]bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	comment, code := map[int]bool{}, map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue // inserted at the end of a line
		}
		kind := code
		if tok == token.COMMENT {
			kind = comment
		}
		first := file.Line(pos)
		for i := range 1 + strings.Count(lit, "\n") {
			kind[first+i] = true
		}
	}
	for line := range code {
		delete(comment, line)
	}
	return comment
}
