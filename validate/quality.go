package validate

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/validate/sections"
)

// Quality is the effect of a fix on the program's critical sections and on its
// parallelism.
type Quality struct {
	NewLocks       int `json:"newLocks"`       // that the fix declares
	LongestSection int `json:"longestSection"` // statements in the longest critical section that the fix makes or lengthens; 0: none
	// Blocking lists what may block inside such a section and did not under that
	// lock before, as "file:line: channel receive"; lines are the original's (see
	// mutate.Blockers for what counts).
	Blocking []string `json:"blocking,omitempty"`
	// blocks says that one of them does more than print: the fix is flagged.
	blocks bool
	// Unguarded lists the uses of variables without the lock that the fix guards
	// them with elsewhere, in words; with any in a function that could take the lock the
	// fix is flagged.
	Unguarded []string `json:"unguarded,omitempty"`
	// Split lists variables that are read under a lock and written back under a
	// later acquisition, in words; with any the fix is flagged.
	Split []string `json:"split,omitempty"`
	// Locks says what else the model of locks finds wrong with the fix beside the
	// original: circles of locks, waits under a lock, wake-ups, in words.
	Locks []string `json:"locks,omitempty"`
	// Scenarios says what calls side by side show that the tests do not make.
	Scenarios Scenarios `json:"scenarios,omitzero"`
	// Planted says which guards the tests need; it is found out after the validation.
	Planted Planted `json:"planted,omitzero"`
	// Unexercised names variables that the fix guards although no failure names
	// them, because they are used like one that a failure names. The tests do not
	// show whether they need it.
	Unexercised []string `json:"unexercised,omitempty"`
	// Omitted names those that a wider fix guards too, and this one does not.
	Omitted []string `json:"omitted,omitempty"`
	// Parallelism is the speed-up from one processor to all of them, of the
	// patched program over the original's: 1 is kept, 0.5 half lost, 0 not measured.
	Parallelism float64 `json:"parallelism,omitempty"`
}

// qualityOf looks at the sections of a mutant; parallelism is not measured here.
func qualityOf(c *sections.Covers, m *mutate.Mutant) (Quality, error) {
	grown, err := c.Growth(m)
	q := Quality{LongestSection: grown.Longest, Blocking: grown.Blocking, blocks: grown.Blocks}
	for _, l := range newLocks(m.Edits) {
		if l.New.Type == "" { // a mutex, and not what else edits declare
			q.NewLocks++
		}
	}
	return q, err
}

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
