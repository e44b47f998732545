package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"

	"github.com/dave/dst"
)

// bare makes a tree of syntax that has no decorations: no comments, no line breaks. A
// sketch needs no more, and to find the decorations takes most of the time of package decorator.
func bare(n ast.Node) dst.Node {
	from := reflect.ValueOf(n).Elem()
	plan := bareKinds[from.Type()]
	if plan == nil {
		panic(fmt.Sprintf("mutate: no tree is made of a %T", n))
	}
	made := reflect.New(plan.to)
	to := made.Elem()
	for _, f := range plan.fields {
		f.how.copy(to.Field(f.to), from.Field(f.from))
	}
	return made.Interface().(dst.Node)
}

// A bareKind says how a kind of node is made of syntax.
type bareKind struct {
	to     reflect.Type
	fields []bareField
}

// A bareField says how a field of a node is made of the syntax's of the same name.
type bareField struct {
	from, to int // which field it is
	how      bareCopy
}

// A bareCopy is how a value of a node is made of the syntax's.
type bareCopy int

const (
	copyNot      bareCopy = iota // the node does without
	copyValue                    // it is the same
	copyConvert                  // it is the same, of another type: a channel's direction
	copyPresence                 // of a token that need not be there
	copyNode
	copyNodes
)

var bareKinds = findBareKinds()

// findBareKinds pairs the kinds of both packages, and their fields, by their names.
func findBareKinds() map[reflect.Type]*bareKind {
	kinds := make(map[reflect.Type]*bareKind)
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
		kind := &bareKind{to: to}
		for i := range from.NumField() {
			f := from.Field(i)
			if same, ok := to.FieldByName(f.Name); ok {
				if how := bareCopyOf(same.Type, f.Type); how != copyNot {
					kind.fields = append(kind.fields, bareField{i, same.Index[0], how})
				}
			}
		}
		kinds[from] = kind
	}
	return kinds
}

func bareCopyOf(to, from reflect.Type) bareCopy {
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

func (c bareCopy) copy(to, from reflect.Value) {
	switch c {
	case copyValue:
		to.Set(from)
	case copyConvert:
		to.Set(from.Convert(to.Type()))
	case copyPresence:
		to.SetBool(token.Pos(from.Int()).IsValid())
	case copyNode:
		if !from.IsNil() {
			to.Set(reflect.ValueOf(bare(from.Interface().(ast.Node))))
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
