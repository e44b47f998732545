package halves

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"mendel/analysis"
)

// least is how many tokens a statement has that is taken for a clone of another one; shorter
// ones are alike by chance. Guessed.
const least = 25

// A compound is a statement with others in it.
type compound struct {
	at     ast.Node
	tokens []string
}

// tokens are those of a node, without comments; texts count as equal.
func (v *version) tokens(f *analysis.File, n ast.Node) (list []string) {
	from, to := v.fset.PositionFor(n.Pos(), false).Offset, v.fset.PositionFor(n.End(), false).Offset
	if from < 0 || to > len(f.Source) || from > to {
		return nil
	}
	source := f.Source[from:to]
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(source)), source, nil, 0)
	for {
		_, t, text := s.Scan()
		switch {
		case t == token.EOF:
			return list
		case t == token.STRING, t == token.CHAR:
			list = append(list, t.String())
		case t == token.IDENT || t.IsLiteral():
			list = append(list, text)
		default:
			list = append(list, t.String())
		}
	}
}

// compounds are those of a function.
func (v *version) compounds(fn *function) (list []compound) {
	for n := range ast.Preorder(fn.Body) {
		switch n.(type) {
		case *ast.SelectStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt:
			if tokens := v.tokens(fn.file, n); len(tokens) >= least {
				list = append(list, compound{n, tokens})
			}
		}
	}
	return list
}

// clones finds statements that the patch leaves as they are, and that are alike one to which it
// adds a call or an operation of a channel, or takes one out of it.
func (c *change) clones() (found []Finding) {
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		if was == nil || !c.changed(fn) {
			continue
		}
		now := c.after.compounds(fn)
		for _, old := range c.before.compounds(was) {
			verb, what := mended(old, now)
			if what == "" {
				continue
			}
			for _, like := range c.like(fn, old) {
				found = append(found, c.at(like.in, like.at.Pos(), "the statement is like one of %s, %s the patch %s", fn.Name.Name, verb, what))
			}
		}
	}
	return found
}

// A left is a statement that a patch leaves.
type left struct {
	in *function
	at ast.Node
}

// like lists the statements, in functions that the patch does not change, that are alike another one.
func (c *change) like(but *function, old compound) (list []left) {
	for _, fn := range c.after.funcs {
		if fn == but || c.changed(fn) {
			continue
		}
		for _, o := range c.after.compounds(fn) {
			if slices.Equal(o.tokens, old.tokens) {
				list = append(list, left{fn, o.at})
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
