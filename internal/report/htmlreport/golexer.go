package htmlreport

import (
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// goLexer knows the tokens of Go. Chroma's own lexer of Go comes in a package
// with those of all languages, which registers them whenever the program starts:
// 6 ms of every command, and 3 MB.
var goLexer = sync.OnceValue(func() chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: "Go"}, goRules)
})

// goRules are tried in order where the token before ended. Comments and strings
// may lack their end: whatever begins one is one, so that no text is looked
// through more than once.
func goRules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[\s\S]*?(?:\*/|\z)`, Type: chroma.CommentMultiline},
		{Pattern: chroma.Words(``, `\b`, "break", "case", "chan", "const", "continue", "default", "defer", "else",
			"fallthrough", "for", "func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return",
			"select", "struct", "switch", "type", "var"), Type: chroma.Keyword},
		{Pattern: chroma.Words(``, `\b`, "false", "iota", "nil", "true"), Type: chroma.KeywordConstant},
		{Pattern: chroma.Words(``, `\b`, "any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32",
			"float64", "int", "int16", "int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64",
			"uint8", "uintptr"), Type: chroma.KeywordType},
		{Pattern: chroma.Words(``, `(?=\()`, "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len",
			"make", "max", "min", "new", "panic", "print", "println", "real", "recover"), Type: chroma.NameBuiltin},
		{Pattern: `[\p{L}_]\w*(?=\()`, Type: chroma.NameFunction},
		{Pattern: `[\p{L}_]\w*`, Type: chroma.NameOther},
		{Pattern: `\.?\d(?:[eEpP][+-]|[\w.])*`, Type: chroma.LiteralNumber},
		{Pattern: "`[^`]*(?:`|\\z)", Type: chroma.LiteralString},
		{Pattern: `"(?:\\.|[^"\\\n])*"?`, Type: chroma.LiteralString},
		{Pattern: `'(?:\\[^\n']*'?|[^'\\\n])'`, Type: chroma.LiteralStringChar},
		{Pattern: `.`, Type: chroma.Punctuation},
	}}
}
