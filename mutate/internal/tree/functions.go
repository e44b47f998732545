package tree

import (
	"fmt"
	"slices"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// InsertFunc declares a function behind another one: source has it, with a comment, as a
// function without name and receiver, which are given apart.
func (f *Edited) InsertFunc(behind *dst.FuncDecl, name string, recv *dst.FieldList, source string) error {
	parsed, err := decorator.Parse("package p\n\n" + source + "\n")
	if err != nil {
		return fmt.Errorf("parsing %q: %w", source, err)
	}
	decl := dst.Clone(parsed.Decls[0]).(*dst.FuncDecl)
	decl.Name.Name, decl.Recv = name, recv
	decl.Decs.Before, decl.Decs.After = dst.EmptyLine, dst.EmptyLine
	return f.InsertDecl(behind, decl)
}

// InsertDecl puts the declaration of a function behind another one.
func (f *Edited) InsertDecl(behind, decl *dst.FuncDecl) error {
	at := slices.Index(f.root.Decls, dst.Decl(behind))
	if at < 0 {
		return fmt.Errorf("the function to declare %s behind is no longer in %s", decl.Name.Name, f.Original.File.Rel)
	}
	f.root.Decls = slices.Insert(f.root.Decls, at+1, dst.Decl(decl))
	return nil
}

// HasInserted reports whether a function with a name has been put right behind another one.
func (f *Edited) HasInserted(behind *dst.FuncDecl, name string) bool {
	at := slices.Index(f.root.Decls, dst.Decl(behind)) + 1
	if at >= len(f.root.Decls) {
		return false
	}
	decl, ok := f.root.Decls[at].(*dst.FuncDecl)
	_, original := f.ids.of(f.root.Decls[at])
	return ok && !original && decl.Name.Name == name
}

// HasMethod reports whether the file has, or has got, a method of a type.
func (f *Edited) HasMethod(of, name string) bool {
	return slices.ContainsFunc(f.root.Decls, func(d dst.Decl) bool {
		decl, ok := d.(*dst.FuncDecl)
		if !ok || decl.Name.Name != name || decl.Recv == nil {
			return false
		}
		t := decl.Recv.List[0].Type
		if p, ok := t.(*dst.StarExpr); ok {
			t = p.X
		}
		id, ok := t.(*dst.Ident)
		return ok && id.Name == of
	})
}
