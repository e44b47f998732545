package closeguard

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	stmt := m.Stmt(e.File, e.Node)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed the statement")
	}
	switch e.Form {
	case formCounted:
		return applyCounted(m, e, stmt)
	case formLater:
		waiting, err := tree.Snippet("go func() {\n// " + e.Note + "\n" + e.Lock.Expr + ".Wait()\nclose(" + e.Expr + ")\n}()")
		if err != nil {
			return err
		}
		return m.Replace(e.File, stmt, waiting[0])
	case formLast, formGone, formFails, formAside:
		return applyLeaving(m, e, fn, stmt)
	}
	flag, err := declare(m, e, fn)
	if err != nil {
		return err
	}
	if e.Form == formEnd {
		s, ok := m.Syntax(e.File, e.Node).(*ast.SelectStmt)
		if !ok {
			return mutate.Refuse(e, "there is no select")
		}
		text := e.Lock.Expr + ".Lock()\ndefer " + e.Lock.Expr + ".Unlock()\nif " + flag + " {\n"
		for _, d := range defaultOf(s) {
			start := fn.File.AST.FileStart
			text += string(fn.File.Source[d.Pos()-start:d.End()-start]) + "\n"
		}
		return m.InsertSnippet(e.File, stmt, false, text+"}")
	}
	guard, err := tree.Snippet("if !" + flag + " {\n}")
	if err != nil {
		return err
	}
	test := guard[0].(*dst.IfStmt)
	if e.Form == formClose {
		set, err := tree.Snippet(flag + " = true")
		if err != nil {
			return err
		}
		set[0].Decorations().Before, set[0].Decorations().After = dst.NewLine, dst.NewLine
		test.Body.List = set
	}
	if err := m.InsertSnippet(e.File, stmt, false, e.Lock.Expr+".Lock()"); err != nil {
		return err
	}
	if err := m.InsertSnippet(e.File, stmt, true, e.Lock.Expr+".Unlock()"); err != nil {
		return err
	}
	if err := m.Replace(e.File, stmt, test); err != nil {
		return err
	}
	stmt.Decorations().Before, stmt.Decorations().After = dst.NewLine, dst.NewLine
	test.Body.List = append(test.Body.List, stmt)
	return nil
}

// declare makes sure that there is the flag, and returns it as the function writes it.
func declare(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) (flag string, err error) {
	owner, name := syntax.CutLast(e.Expr)
	var in *types.Var
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && types.ExprString(sel) == e.Expr {
			in = syntax.Field(fn.File.Package.Info, sel)
		}
		return in == nil
	})
	if in == nil {
		return "", mutate.Refuse(e, "there is no field %s", name)
	}
	for _, f := range fn.File.Package.Files {
		var fields *ast.StructType
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if st, ok := n.(*ast.StructType); ok && st.Pos() <= in.Pos() && in.Pos() < st.End() {
				fields = st
			}
			return true
		})
		if fields == nil {
			continue
		}
		st, ok := m.Of(f.Rel, fields).(*dst.StructType)
		if !ok {
			return "", mutate.Refuse(e, "another edit removed the type")
		}
		addFlag(st, name, e.Lock.Expr[strings.LastIndex(e.Lock.Expr, ".")+1:])
		return owner + "." + flagOf(in), nil
	}
	return "", mutate.Refuse(e, "the type of %s is declared elsewhere", e.Expr)
}

// addFlag adds the flag below a channel's field, unless it is there.
func addFlag(st *dst.StructType, channel, lock string) {
	named := func(name string) int {
		return slices.IndexFunc(st.Fields.List, func(f *dst.Field) bool {
			return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == name })
		})
	}
	if named(channel+"Closed") >= 0 {
		return
	}
	flag := &dst.Field{Names: []*dst.Ident{dst.NewIdent(channel + "Closed")}, Type: dst.NewIdent("bool")}
	flag.Decs.Before, flag.Decs.After = dst.NewLine, dst.NewLine
	flag.Decs.End.Append("// under " + lock)
	at := named(channel)
	st.Fields.List[at].Decs.After = dst.NewLine
	st.Fields.List = slices.Insert(st.Fields.List, at+1, flag)
}
