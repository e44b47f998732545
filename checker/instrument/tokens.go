package instrument

import (
	"strconv"
	"strings"

	"mendel/checker/incremental"
	"mendel/internal/rewrite"
)

// rewrittenTokens are the tokens of a rewritten text without what numbers it.
func rewrittenTokens(text []byte) (all []string) {
	temps := map[string]string{}
	tokens := rewrite.Lexemes(text)
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case i+8 < len(tokens) && tokens[i+1] == "." && tokens[i+2] == "Reached" && tokens[i+3] == "[" && tokens[i+6] == "=":
			i += 8 // zzpoint . Reached [ 12 ] = 1 ;
		case incremental.Temporary(t):
			if temps[t] == "" {
				temps[t] = "zz<" + strconv.Itoa(len(temps)) + ">"
			}
			all = append(all, temps[t])
		case t[0] == '"':
			all = append(all, withoutLine(t))
		default:
			all = append(all, t)
		}
	}
	return all
}

// withoutLine is a string without the line that it begins with: "x.go:12: reason".
func withoutLine(text string) string {
	file, rest, ok := strings.Cut(text, ".go:")
	if !ok || strings.ContainsAny(file, " \t") {
		return text
	}
	return file + ".go:" + strings.TrimLeft(rest, "0123456789")
}
