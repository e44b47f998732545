package htmlreport

import (
	"slices"

	"mendel/internal/dossier"
)

// A note says why a hunk changes what it changes.
type note struct {
	dossier.Edit
	// Elsewhere: the edit is noted in full at another hunk, which this one goes
	// with.
	Elsewhere bool
	// Same: the note above has the same places of the failure.
	Same bool
}

// annotate gives each hunk of a fix its notes. An edit belongs to the hunk that
// holds its line or, when its change lies elsewhere in the function, to the
// nearest one of its file. A hunk that no edit belongs to, such as the
// declaration of a new lock, goes with the edits of its file or, if there are
// none, with all.
func annotate(files []comparison, edits []dossier.Edit) {
	for _, e := range edits {
		at := nearest(files, e)
		if at == nil {
			continue
		}
		n := note{Edit: e}
		if above := len(at.Notes) - 1; above >= 0 && len(e.Conflicts) > 0 {
			n.Same = slices.Equal(at.Notes[above].Conflicts, e.Conflicts)
		}
		at.Notes = append(at.Notes, n)
	}
	for i := range files {
		for j := range files[i].Parts {
			p := &files[i].Parts[j]
			if p.Fold == 0 && len(p.Notes) == 0 {
				p.Notes = goesWith(files[i].Path, edits)
			}
		}
	}
}

// nearest is the hunk nearest to an edit, nil if its file has none.
func nearest(files []comparison, e dossier.Edit) *part {
	var at *part
	for i := range files {
		if files[i].Path != e.File {
			continue
		}
		for j := range files[i].Parts {
			p := &files[i].Parts[j]
			if p.Fold == 0 && (at == nil || p.distance(e.Line) < at.distance(e.Line)) {
				at = p
			}
		}
	}
	return at
}

// distance is how many lines of the original lie between a line and the part; 0 inside.
func (p *part) distance(line int) int {
	return max(p.from-line, line-(p.to-1), 0)
}

func goesWith(file string, edits []dossier.Edit) []note {
	var here, all []note
	for _, e := range edits {
		n := note{Edit: e, Elsewhere: true}
		all = append(all, n)
		if e.File == file {
			here = append(here, n)
		}
	}
	if len(here) > 0 {
		return here
	}
	return all
}
