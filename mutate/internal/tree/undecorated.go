package tree

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"

	"github.com/dave/dst"
)

// undecorated makes a tree of syntax that has no decorations: no comments, no line breaks. A
// sketch needs no more, and to find the decorations takes most of the time of package decorator.
func undecorated(n ast.Node) dst.Node {
	from := reflect.ValueOf(n).Elem()
	plan := nodeKinds[from.Type()]
	if plan == nil {
		panic(fmt.Sprintf("tree: nothing is made of a %T", n))
	}
	made := reflect.New(plan.to)
	to := made.Elem()
	for _, f := range plan.fields {
		f.how.copy(to.Field(f.to), from.Field(f.from))
	}
	return made.Interface().(dst.Node)
}

// A nodeKind says how a kind of node is made of syntax.
type nodeKind struct {
	to     reflect.Type
	fields []nodeField
}

// A nodeField says how a field of a node is made of the syntax's of the same name.
type nodeField struct {
	from, to int // which field it is
	how      fieldCopy
}

// A fieldCopy is how a value of a node is made of the syntax's.
type fieldCopy int

const (
	copyNot      fieldCopy = iota // the node does without
	copyValue                     // it is the same
	copyConvert                   // it is the same, of another type: a channel's direction
	copyPresence                  // of a token that need not be there
	copyNode
	copyNodes
)

var nodeKinds = findNodeKinds()

// findNodeKinds pairs the kinds of both packages, and their fields, by their names.
func findNodeKinds() map[reflect.Type]*nodeKind {
	kinds := make(map[reflect.Type]*nodeKind)
	for _, pair := range []struct {
		from ast.Node
		to   dst.Node
	}{
		{&ast.ArrayType{}, &dst.ArrayType{}}, {&ast.AssignStmt{}, &dst.AssignStmt{}}, {&ast.BadDecl{}, &dst.BadDecl{}},
		{&ast.BadExpr{}, &dst.BadExpr{}}, {&ast.BadStmt{}, &dst.BadStmt{}}, {&ast.BasicLit{}, &dst.BasicLit{}},
		{&ast.BinaryExpr{}, &dst.BinaryExpr{}}, {&ast.BlockStmt{}, &dst.BlockStmt{}}, {&ast.BranchStmt{}, &dst.BranchStmt{}},
		{&ast.CallExpr{}, &dst.CallExpr{}}, {&ast.CaseClause{}, &dst.CaseClause{}}, {&ast.ChanType{}, &dst.ChanType{}},
		{&ast.CommClause{}, &dst.CommClause{}}, {&ast.CompositeLit{}, &dst.CompositeLit{}}, {&ast.DeclStmt{}, &dst.DeclStmt{}},
		{&ast.DeferStmt{}, &dst.DeferStmt{}}, {&ast.Ellipsis{}, &dst.Ellipsis{}}, {&ast.EmptyStmt{}, &dst.EmptyStmt{}},
		{&ast.ExprStmt{}, &dst.ExprStmt{}}, {&ast.Field{}, &dst.Field{}}, {&ast.FieldList{}, &dst.FieldList{}},
		{&ast.ForStmt{}, &dst.ForStmt{}}, {&ast.FuncDecl{}, &dst.FuncDecl{}}, {&ast.FuncLit{}, &dst.FuncLit{}},
		{&ast.FuncType{}, &dst.FuncType{}}, {&ast.GenDecl{}, &dst.GenDecl{}}, {&ast.GoStmt{}, &dst.GoStmt{}},
		{&ast.Ident{}, &dst.Ident{}}, {&ast.IfStmt{}, &dst.IfStmt{}}, {&ast.ImportSpec{}, &dst.ImportSpec{}},
		{&ast.IncDecStmt{}, &dst.IncDecStmt{}}, {&ast.IndexExpr{}, &dst.IndexExpr{}}, {&ast.IndexListExpr{}, &dst.IndexListExpr{}},
		{&ast.InterfaceType{}, &dst.InterfaceType{}}, {&ast.KeyValueExpr{}, &dst.KeyValueExpr{}}, {&ast.LabeledStmt{}, &dst.LabeledStmt{}},
		{&ast.MapType{}, &dst.MapType{}}, {&ast.ParenExpr{}, &dst.ParenExpr{}}, {&ast.RangeStmt{}, &dst.RangeStmt{}},
		{&ast.ReturnStmt{}, &dst.ReturnStmt{}}, {&ast.SelectStmt{}, &dst.SelectStmt{}}, {&ast.SelectorExpr{}, &dst.SelectorExpr{}},
		{&ast.SendStmt{}, &dst.SendStmt{}}, {&ast.SliceExpr{}, &dst.SliceExpr{}}, {&ast.StarExpr{}, &dst.StarExpr{}},
		{&ast.StructType{}, &dst.StructType{}}, {&ast.SwitchStmt{}, &dst.SwitchStmt{}}, {&ast.TypeAssertExpr{}, &dst.TypeAssertExpr{}},
		{&ast.TypeSpec{}, &dst.TypeSpec{}}, {&ast.TypeSwitchStmt{}, &dst.TypeSwitchStmt{}}, {&ast.UnaryExpr{}, &dst.UnaryExpr{}},
		{&ast.ValueSpec{}, &dst.ValueSpec{}},
	} {
		from, to := reflect.TypeOf(pair.from).Elem(), reflect.TypeOf(pair.to).Elem()
		kind := &nodeKind{to: to}
		for i := range from.NumField() {
			f := from.Field(i)
			if same, ok := to.FieldByName(f.Name); ok {
				if how := fieldCopyOf(same.Type, f.Type); how != copyNot {
					kind.fields = append(kind.fields, nodeField{i, same.Index[0], how})
				}
			}
		}
		kinds[from] = kind
	}
	return kinds
}

func fieldCopyOf(to, from reflect.Type) fieldCopy {
	node := reflect.TypeFor[dst.Node]()
	switch {
	case from == reflect.TypeFor[token.Pos]():
		return copyPresence
	case to.Implements(node):
		return copyNode
	case to.Kind() == reflect.Slice && to.Elem().Implements(node):
		return copyNodes
	case from.Kind() == reflect.Pointer: // an identifier's resolved object
		return copyNot
	case from == to:
		return copyValue
	}
	return copyConvert
}

func (c fieldCopy) copy(to, from reflect.Value) {
	switch c {
	case copyValue:
		to.Set(from)
	case copyConvert:
		to.Set(from.Convert(to.Type()))
	case copyPresence:
		to.SetBool(token.Pos(from.Int()).IsValid())
	case copyNode:
		if !from.IsNil() {
			to.Set(reflect.ValueOf(undecorated(from.Interface().(ast.Node))))
		}
	case copyNodes:
		if from.Len() == 0 {
			return
		}
		list := reflect.MakeSlice(to.Type(), from.Len(), from.Len())
		for i := range from.Len() {
			copyNode.copy(list.Index(i), from.Index(i))
		}
		to.Set(list)
	}
}
