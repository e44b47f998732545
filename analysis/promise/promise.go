package promise

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
)

// Of is the documentation in a file of some types, fields, functions and methods, and of functions that have a
// parameter of such a type, as one text.
func Of(f *analysis.File, objects ...types.Object) string {
	var text []string
	info := f.Package.Info
	about := func(id *ast.Ident) bool { return info.Defs[id] != nil && slices.Contains(objects, info.Defs[id]) }
	add := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			text = append(text, g.Text())
		}
	}
	takes := func(t *ast.FuncType) bool {
		return slices.ContainsFunc(t.Params.List, func(p *ast.Field) bool {
			named, ok := types.Unalias(info.TypeOf(p.Type)).(*types.Named)
			return ok && slices.Contains(objects, types.Object(named.Obj()))
		})
	}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if about(d.Name) || takes(d.Type) {
				add(d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				spec, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if about(spec.Name) {
					add(d.Doc, spec.Doc, spec.Comment)
				}
				ast.Inspect(spec.Type, func(n ast.Node) bool {
					if field, ok := n.(*ast.Field); ok && slices.ContainsFunc(field.Names, about) {
						add(field.Doc, field.Comment)
					}
					return true
				})
			}
		}
	}
	return strings.Join(text, "\n")
}

var (
	callsBack = regexp.MustCompile(`(?i)\b(may|can) (also )?(itself )?(use|call|ask)\b|\b(may|can) be used (in|by|from) (it|them|the (handler|callback|function|hook))\b|without (any|a|the) lock|no lock is held`)
	inOrder   = regexp.MustCompile(`(?i)\bin (the|their|this|that|its) order\b|\bin order\b|\bout of order\b|\bone at a time\b|\bnever called by (two|several) goroutines at`)
	ofComing  = regexp.MustCompile(`(?i)in the order (in which they|of)[^.]*\b(subscri|regist|add)[a-z]*`)
)

// running is a text without its line breaks.
func running(doc string) string { return strings.Join(strings.Fields(doc), " ") }

// CallsBack reports whether a text says that what is called may use what calls it, or that no lock is held then.
func CallsBack(doc string) bool { return callsBack.MatchString(running(doc)) }

// Allowed are the sentences of a text that say what code that is called may use, up to what it may not.
func Allowed(doc string) string {
	var all []string
	for sentence := range strings.SplitSeq(running(doc), ". ") {
		if CallsBack(sentence) {
			sentence, _, _ = strings.Cut(sentence, " but ")
			all = append(all, sentence)
		}
	}
	return strings.Join(all, ". ")
}

// InOrder reports whether a text says that things come in an order, or one at a time: not that several are told of
// one thing in the order in which they were registered.
func InOrder(doc string) bool {
	return inOrder.MatchString(ofComing.ReplaceAllString(running(doc), ""))
}

var (
	waits    = regexp.MustCompile(`(?i)\bwaits? (for|until)\b|\b(is|are) waited for\b|\breturns? (when|after) (it|none|all|they|there|nothing|that)\b|\b(once|when|after) \w+ (has )?return(s|ed)\b`)
	waitsNot = regexp.MustCompile(`(?i)\b(not|never|without) wait`)
	again    = regexp.MustCompile(`(?i)\bfurther calls\b|\bmore than once\b|\bseveral (times|goroutines)\b|\bconcurrently\b|\beach call does the same\b`)
	atOnce   = regexp.MustCompile(`(?i)\bat once\b|\bimmediately\b|\bdoes nothing\b|\blater calls? (return|do)`)
)

// Waits reports whether a text says that a function waits for what it ends, or that nothing of it goes on when the
// function has returned.
func Waits(doc string) bool {
	doc = running(doc)
	return waits.MatchString(doc) && !waitsNot.MatchString(doc)
}

// Again reports whether a text says that further calls do the same as the first one.
func Again(doc string) bool {
	doc = running(doc)
	return again.MatchString(doc) && !atOnce.MatchString(doc)
}
