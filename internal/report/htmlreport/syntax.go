package htmlreport

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// A span is a stretch of a line that looks the same.
type span struct {
	Class   string // of the token; "": plain
	Text    string
	Changed bool // it is what differs from the line's other side
}

const (
	colouredBytes = 1 << 18 // of a file; a longer one stays plain: guessed
	shownRunes    = 1000    // of a line; the rest is counted: guessed
)

// lines splits a file into lines of coloured spans, without line ends.
func lines(name, text string) [][]span {
	if text == "" {
		return nil
	}
	var out [][]span
	var line []span
	for _, s := range tokens(name, text) {
		for i, part := range strings.Split(s.Text, "\n") {
			if i > 0 {
				out, line = append(out, line), nil
			}
			if part != "" {
				line = append(line, span{Class: s.Class, Text: part})
			}
		}
	}
	if !strings.HasSuffix(text, "\n") {
		out = append(out, line)
	}
	return out
}

// tokens are the spans of a text that make it up; one plain span where the
// lexer does not know it or does not give it back as it is.
func tokens(name, text string) []span {
	plain := []span{{Text: text}}
	if path.Ext(name) != ".go" || len(text) > colouredBytes {
		return plain
	}
	it, err := goLexer().Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return plain
	}
	var out []span
	rest := text
	for t := it(); t != chroma.EOF; t = it() {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, t.Value); !ok {
			return plain
		}
		out = append(out, span{Class: class(t.Type), Text: t.Value})
	}
	if rest != "" {
		return plain
	}
	return out
}

// class is the CSS class of a kind of token, "" for what has no colour.
func class(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "tc"
	case t == chroma.KeywordType, t == chroma.NameBuiltin:
		return "tt"
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.KeywordConstant:
		return "tn"
	case t.InCategory(chroma.Keyword):
		return "tk"
	case t.InCategory(chroma.Literal):
		return "ts"
	case t == chroma.NameFunction:
		return "tf"
	}
	return ""
}

// text is the line that spans make up.
func text(line []span) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.Text)
	}
	return b.String()
}

// clipped is a line of which at most shownRunes are there, and a count of the
// others.
func clipped(line []span) []span {
	room := shownRunes
	for i, s := range line {
		n := utf8.RuneCountInString(s.Text)
		if n <= room {
			room -= n
			continue
		}
		more := n - room
		for _, t := range line[i+1:] {
			more += utf8.RuneCountInString(t.Text)
		}
		s.Text = string([]rune(s.Text)[:room])
		rest := span{Class: "more", Text: fmt.Sprintf(" … %s more", count(more, "character"))}
		return append(line[:i:i], s, rest)
	}
	return line
}

// emphasise marks what differs between the two sides of a changed line, where
// enough of it is the same for that to help: half, guessed.
func emphasise(before, after []span) (b, a []span) {
	x, y := []rune(text(before)), []rune(text(after))
	n := min(len(x), len(y))
	from := 0
	for from < n && x[from] == y[from] {
		from++
	}
	end := 0
	for end < n-from && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	if from+end < max(len(x), len(y))/2 || from+end == 0 {
		return before, after
	}
	return mark(before, from, len(x)-end), mark(after, from, len(y)-end)
}

// mark splits spans so that the runes in [from, to) are in changed ones.
func mark(line []span, from, to int) []span {
	var out []span
	at := 0
	for _, s := range line {
		runes := []rune(s.Text)
		a, b := min(max(from-at, 0), len(runes)), min(max(to-at, 0), len(runes))
		for _, part := range []span{
			{s.Class, string(runes[:a]), false}, {s.Class, string(runes[a:b]), true}, {s.Class, string(runes[b:]), false},
		} {
			if part.Text != "" {
				out = append(out, part)
			}
		}
		at += len(runes)
	}
	return out
}
