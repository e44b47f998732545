package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/mutate/internal/lines"
)

// GivenOperator is the operator of edits that somebody else has made. No operator of a
// [Space] has the name.
const GivenOperator = "given"

// Given is a mutant that no operator has made: some files of a program with other
// contents. Its edits name the declarations that are changed, and no space applies
// them. What does not compile is a *gotool.BuildError; a file that is none of the
// program's is an error, too.
func Given(p *analysis.Program, files map[string][]byte) (*Mutant, error) {
	if _, _, err := p.Recheck(files); err != nil {
		return nil, err
	}
	m := &Mutant{Files: files, lines: map[string][]int{}}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := p.File(name)
		m.lines[name] = lines.Originals(f.Source, files[name])
		m.Edits = append(m.Edits, givenEdits(p, f, files[name])...)
		fmt.Fprintf(h, "%s %d\n", f.Rel, len(files[name]))
		h.Write(files[name])
	}
	m.Hash = hex.EncodeToString(h.Sum(nil))
	return m, nil
}

// givenEdits are an edit for each declaration of a file that is changed, at its first
// changed line.
func givenEdits(p *analysis.Program, f *analysis.File, after []byte) []Edit {
	var edits []Edit
	for _, change := range lines.Changed(f.Source, after) {
		first, behind := change[0], change[1]
		e := Edit{Operator: GivenOperator, File: f.Rel, Line: max(first, 1), Heat: 1}
		if behind > first {
			e.Line = first + 1
		}
		e.Func = declarationAt(p, f, e.Line)
		if !slices.ContainsFunc(edits, func(o Edit) bool { return o.Func == e.Func }) {
			edits = append(edits, e)
		}
	}
	return edits
}

// declarationAt names the function that a line is in, "(*Account).Transfer"; "" if it
// is in none.
func declarationAt(p *analysis.Program, f *analysis.File, line int) string {
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || line < p.Fset.Position(fn.Pos()).Line || line > p.Fset.Position(fn.End()).Line {
			continue
		}
		if fn.Recv == nil || len(fn.Recv.List) == 0 {
			return fn.Name.Name
		}
		return "(" + types.ExprString(fn.Recv.List[0].Type) + ")." + fn.Name.Name
	}
	return ""
}
