package tree

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"

	"mendel/mutate/internal/lines"
)

// Print returns the source of the file.
//
// Where the original is not gofmt-ed, or where decorating and restoring it
// moves a comment, printing would touch lines that no edit is about. Then the
// lines that differ between the unedited and the edited tree, both printed,
// are carried over to the original text.
func (f *Edited) Print() ([]byte, error) {
	printed, err := printTree(f.root)
	if err != nil {
		return nil, err
	}
	original, err := f.tree.print()
	if err != nil {
		return nil, err
	}
	if bytes.Equal(original, f.Original.File.Source) {
		return printed, nil
	}
	if bytes.Equal(printed, original) {
		return f.Original.File.Source, nil
	}
	out, err := lines.Rebase(f.Original.File.Source, original, printed)
	if err != nil {
		return nil, err
	}
	if err := sameCode(out, printed); err != nil {
		return nil, err
	}
	return out, nil
}

// sameCode reports whether two sources are the same but for comments and layout.
func sameCode(a, b []byte) error {
	bare := func(src []byte) ([]byte, error) {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := format.Node(&out, fset, f); err != nil {
			return nil, err
		}
		// Blank lines and aligned columns are layout.
		return []byte(lines.Squeezed(out.String())), nil
	}
	x, err := bare(a)
	if err != nil {
		return fmt.Errorf("keeping the original's layout: %w", err)
	}
	y, err := bare(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(x, y) {
		return errors.New("the layout around the edit is too unusual to keep")
	}
	return nil
}
