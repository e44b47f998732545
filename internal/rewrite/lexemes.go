package rewrite

import (
	"go/scanner"
	"go/token"
)

// Lexemes are the tokens of a text, without comments and the semicolons that lines end with.
func Lexemes(text []byte) (all []string) {
	EachToken(text, func(_ int, _ token.Token, lexeme string) { all = append(all, lexeme) })
	return all
}

// EachToken visits the tokens that Lexemes has, with their offsets and kinds.
func EachToken(text []byte, visit func(offset int, kind token.Token, lexeme string)) {
	var s scanner.Scanner
	f := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(f, text, func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.SEMICOLON && lit != ";":
			continue
		case lit == "":
			lit = tok.String()
		}
		visit(f.Offset(pos), tok, lit)
	}
}
