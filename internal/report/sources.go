package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sources looks up lines of source files.
type sources struct {
	read  func(string) []byte // nil: there are none
	lines map[string][]string
}

// line is a line of a file as it can be shown: tabs expanded, without the space
// around it and without what would act on a terminal. It is "" if unknown.
func (s *sources) line(file string, n int) string {
	if s.read == nil || file == "" || n < 1 {
		return ""
	}
	lines, known := s.lines[file]
	if !known {
		if text := s.read(file); text != nil {
			lines = strings.Split(string(text), "\n")
		}
		if s.lines == nil {
			s.lines = map[string][]string{}
		}
		s.lines[file] = lines
	}
	if n > len(lines) {
		return ""
	}
	return oneLine(expandTabs(strings.TrimSpace(lines[n-1])))
}

// showsOperation reports whether a line of source names the operation, so that
// repeating it would only take room: "a.mu.Lock()" does for "Mutex.Lock".
func showsOperation(line, what string) bool {
	method := what[strings.LastIndexByte(what, '.')+1:]
	switch {
	case what == "go", what == "WaitGroup.Add" && strings.Contains(line, ".Go("):
		return true // the row has the goroutine that is started
	case strings.HasPrefix(line, "defer ") || strings.HasPrefix(line, "return "):
		return false // deferred calls are made on the line of the return
	case strings.Contains(what, "send"), strings.Contains(what, "receive"):
		return strings.Contains(line, "<-")
	case strings.HasPrefix(what, "select"):
		return strings.HasPrefix(line, "select")
	case strings.HasPrefix(what, "close"):
		return strings.Contains(line, "close(")
	}
	return strings.Contains(line, "."+method+"(")
}

// expandTabs replaces tabs by spaces up to the next multiple of four columns.
func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			column += runeWidth(r)
			continue
		}
		n := 4 - column%4
		b.WriteString(strings.Repeat(" ", n))
		column += n
	}
	return b.String()
}

// width is the number of columns that text takes on a terminal.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// wide are the scripts and blocks whose characters take two columns (Unicode
// Standard Annex 11, classes W and F, by whole blocks).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul Jamo, initial consonants
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // CJK radicals, punctuation
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1}, // Kana, CJK, Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul syllables
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // CJK compatibility
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, // vertical and small forms
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // full-width forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // pictographs
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // CJK extensions
	},
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// clipRight cuts text to a number of columns.
func clipRight(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	n := 0
	for i, r := range s {
		if n+runeWidth(r) > columns-1 {
			return s[:i] + "…"
		}
		n += runeWidth(r)
	}
	return s
}

// clipLeft cuts text to a number of columns, keeping its end.
func clipLeft(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	n := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if n+runeWidth(r) > columns-1 {
			return "…" + s[i:]
		}
		n += runeWidth(r)
		i -= size
	}
	return s
}

// pad fills text up to a number of columns.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-width(s)))
}
