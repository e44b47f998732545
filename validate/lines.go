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
	Added, Removed int // without comment lines
	Comments       int // lines with nothing but a comment, added and removed
}

// Total is what a reader has to review: Added + Removed.
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
	}
	return sum
}

func diffLines(before, after []byte) Lines {
	var l Lines
	oldComment, newComment := commentLines(before), commentLines(after)
	shift := 0 // from a line of before to the same line of after
	old := string(before)
	for _, e := range udiff.Lines(old, string(after)) {
		first := strings.Count(old[:e.Start], "\n")
		removed, added := countLines(old[e.Start:e.End]), countLines(e.New)
		comments := 0
		for i := first; i < first+removed; i++ {
			if oldComment[i+1] {
				comments++
			}
		}
		l.Removed += removed - comments
		l.Comments += comments
		comments = 0
		for i := first + shift; i < first+shift+added; i++ {
			if newComment[i+1] {
				comments++
			}
		}
		l.Added += added - comments
		l.Comments += comments
		shift += added - removed
	}
	return l
}

// countLines counts lines, a last one without newline included.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
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
