package instrument

import (
	"slices"
	"strconv"
	"strings"

	"mendel/checker/incremental"
)

// lexemes are the tokens of a text, without comments and the semicolons that lines end with.
func lexemes(text []byte) (all []string) {
	for _, l := range incremental.Tokens(text) {
		all = append(all, l.Text)
	}
	return all
}

// sameRewritten reports whether two rewritten texts are alike but for what numbers them:
// temporary variables, points and positions.
func sameRewritten(a, b []byte) bool { return slices.Equal(rewrittenTokens(a), rewrittenTokens(b)) }

// rewrittenTokens are the tokens of a rewritten text without what numbers it.
func rewrittenTokens(text []byte) (all []string) {
	temps := map[string]string{}
	tokens := lexemes(text)
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
