package halves

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"mendel/validate/halves/pair"
)

// least is how many tokens a statement has that is taken for a clone of another one; shorter
// ones are alike by chance. Guessed.
const least = 25

// A compound is a statement with others in it.
type compound struct {
	at     ast.Node
	tokens []string
}

// compounds are those of a function.
func compounds(v *pair.Version, fn *pair.Function) (list []compound) {
	for n := range ast.Preorder(fn.Body) {
		switch n.(type) {
		case *ast.SelectStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt:
			if tokens := v.Tokens(fn.File, n); len(tokens) >= least {
				list = append(list, compound{n, tokens})
			}
		}
	}
	return list
}

// clones finds statements that the patch leaves as they are, and that are alike one to which it
// adds a call or an operation of a channel, or takes one out of it.
func clones(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		now := compounds(c.After, fn)
		for _, old := range compounds(c.Before, was) {
			verb, what := mended(old, now)
			if what == "" {
				continue
			}
			for _, like := range like(c, fn, old) {
				found = append(found, c.At(like.In, like.At.Pos(), "the statement is like one of %s, %s the patch %s", fn.Name.Name, verb, what))
			}
		}
	}
	return found
}

// like lists the statements, in functions that the patch does not change, that are alike another one.
func like(c *pair.Change, but *pair.Function, old compound) (list []pair.Place) {
	for _, fn := range c.After.Funcs {
		if fn == but || c.Changed(fn) {
			continue
		}
		for _, o := range compounds(c.After, fn) {
			if slices.Equal(o.tokens, old.tokens) {
				list = append(list, pair.Place{In: fn, At: o.at})
			}
		}
	}
	return list
}

// mended says what is added to a statement, or taken out of it, if that is all that becomes of it.
func mended(old compound, now []compound) (verb, what string) {
	for _, o := range now {
		if slices.Equal(o.tokens, old.tokens) {
			return "", ""
		}
	}
	for _, o := range now {
		if more := inserted(old.tokens, o.tokens); synchronises(more) {
			return "to which", "adds " + text(more)
		}
		if less := inserted(o.tokens, old.tokens); synchronises(less) {
			return "from which", "takes " + text(less)
		}
	}
	return "", ""
}

// text is a list of tokens for people.
func text(tokens []string) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && token.IsIdentifier(t) && (token.IsIdentifier(tokens[i-1]) || token.IsKeyword(tokens[i-1])) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return strings.Trim(b.String(), ";")
}

// inserted are the tokens that one list has more than another, if they are in one place.
func inserted(short, long []string) []string {
	n := len(long) - len(short)
	if n <= 0 || len(short) < least {
		return nil
	}
	i := 0
	for i < len(short) && short[i] == long[i] {
		i++
	}
	if !slices.Equal(short[i:], long[i+n:]) {
		return nil
	}
	return long[i : i+n]
}

// synchronises reports whether tokens are a call or an operation of a channel.
func synchronises(tokens []string) bool {
	return slices.Contains(tokens, "(") || slices.Contains(tokens, "<-")
}
