package localize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker"
)

// full are the places where a channel is made to which a select with a default sends in a
// failing execution. How much room there is decides what the select does, as a test
// complains; without any, what is sent while nobody receives is lost, and somebody waits for
// it in the end, or has waited until its time was over. Events do not tell whether it was full.
func (x *examiner) full(own *execution, complains bool, waits []waiter) []suspect {
	var list []suspect
	for _, e := range own.Events {
		at := siteOf(e.Frame)
		if e.Operation != "select with default" || slices.ContainsFunc(list, func(s suspect) bool { return s.partner == at }) {
			continue
		}
		f, channel := x.src.triedSend(at)
		if channel == nil {
			continue
		}
		for _, m := range x.src.makes(f, channel) {
			s := suspect{
				at: m.at, does: "make", fault: evidence.BufferSize, variable: channel.Name(), score: fixedRoom, partner: at, partnerDoes: "select",
				says: fmt.Sprintf("makes the channel with room for so many, which decides whether %s sends", x.src.rel(at)),
			}
			if !m.room {
				s.fault = evidence.MissedSignal
				s.says = fmt.Sprintf("makes the channel without room, so that what %s sends is lost when nobody receives at that moment", x.src.rel(at))
			}
			stays := !m.room && slices.ContainsFunc(waits, func(w waiter) bool { return x.src.receives(w.at, channel) })
			switch {
			case stays:
				s.score = noRoom
			case !complains || !m.room && !own.does(func(at site) bool { return x.src.receives(at, channel) }):
				continue
			}
			list = append(list, s)
		}
	}
	return list
}

// does reports whether something was done at a place of some sort.
func (x *execution) does(there func(site) bool) bool {
	asked := map[site]bool{}
	return slices.ContainsFunc(x.Events, func(e checker.WitnessEvent) bool {
		at := siteOf(e.Frame)
		if e.Memory || asked[at] {
			return false
		}
		asked[at] = true
		return there(at)
	})
}

// receives reports whether the statement of a line, with the cases if it is a select,
// receives from the channel that a variable has.
func (s *sources) receives(at site, channel types.Object) bool {
	f, stmt := s.statement(at)
	if stmt == nil {
		return false
	}
	return syntax.Any(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.ARROW && variableOf(f, n.X) == channel
		case *ast.RangeStmt:
			return variableOf(f, n.X) == channel
		}
		return false
	})
}

// selected is what the select at a place waits for: "channel send" if one of its cases sends,
// and "channel receive" if all receive; "select" if it is not known. Who sends in one case and
// waits for an end in another is the one that finds nobody.
func (s *sources) selected(at site) string {
	f, _ := s.statement(at)
	if f == nil {
		return "select"
	}
	does := "select"
	ast.Inspect(f.AST, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || s.line(sel.Pos()) != at.line {
			return true
		}
		for _, c := range sel.Body.List {
			comm := c.(*ast.CommClause).Comm
			if _, sends := comm.(*ast.SendStmt); sends {
				does = "channel send"
			} else if comm != nil && does == "select" {
				does = "channel receive"
			}
		}
		return false
	})
	return does
}

// triedSend is the variable of the channel to which a select with a default sends, nil if
// a place is no such select.
func (s *sources) triedSend(at site) (*analysis.File, types.Object) {
	f, _ := s.statement(at)
	if f == nil {
		return nil, nil
	}
	var channel types.Object
	ast.Inspect(f.AST, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || s.line(sel.Pos()) != at.line || len(sel.Body.List) != 2 {
			return true
		}
		for _, c := range sel.Body.List {
			if send, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
				channel = variableOf(f, send.Chan)
			}
		}
		return channel == nil
	})
	return f, channel
}

// variableOf is the variable or field that an expression names, nil if it is none.
func variableOf(f *analysis.File, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.Package.Info.ObjectOf(e)
	case *ast.SelectorExpr:
		return f.Package.Info.Uses[e.Sel]
	}
	return nil
}

// A made is where a variable gets a channel, with room or not.
type made struct {
	at   site
	room bool
}

// makes are the places of a package where a variable gets a channel.
func (s *sources) makes(of *analysis.File, channel types.Object) []made {
	var list []made
	for _, f := range of.Package.Files {
		note := func(to, from ast.Expr) {
			call, ok := ast.Unparen(from).(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || variableOf(f, to) != channel {
				return
			}
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "make" {
				list = append(list, made{site{f.Name, s.line(from.Pos())}, len(call.Args) == 2})
			}
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						note(n.Lhs[i], n.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				for i := range n.Values {
					note(n.Names[i], n.Values[i])
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					note(id, n.Value)
				}
			}
			return true
		})
	}
	return list
}
