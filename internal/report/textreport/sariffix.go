package textreport

import (
	"strings"
	"unicode/utf16"

	"github.com/aymanbagabas/go-udiff"

	"mendel/internal/dossier"
	"mendel/internal/report/sarif"
)

// fix is a fix as SARIF has it: what it is and what its evidence does not show,
// and for each file the regions to delete and what to put in their place.
func (l sarifLog) fix(f *dossier.Fix) sarif.Fix {
	words := say("%s (%s).", f.Title, f.Patch)
	for _, limit := range f.Evidence.Limits {
		words += " " + sentence(limit)
	}
	out := sarif.Fix{Description: text(words)}
	for _, file := range f.Files {
		change := sarif.ArtifactChange{ArtifactLocation: l.artifact(file.Path), Replacements: replacements(file.Before, file.After)}
		if len(change.Replacements) > 0 {
			out.ArtifactChanges = append(out.ArtifactChanges, change)
		}
	}
	return out
}

// replacements lead from one text to another, whole lines at a time.
func replacements(before, after string) []sarif.Replacement {
	var out []sarif.Replacement
	for _, e := range udiff.Lines(before, after) {
		// The end of a region is the place after its last character: a region of
		// whole lines ends at the first column of the next.
		line, column := at(before, e.Start)
		endLine, endColumn := at(before, e.End)
		r := sarif.Replacement{DeletedRegion: sarif.Region{StartLine: line, StartColumn: column, EndLine: endLine, EndColumn: endColumn}}
		if e.New != "" {
			r.InsertedContent = &sarif.Text{Text: e.New}
		}
		out = append(out, r)
	}
	return out
}

// at is the line of an offset and its column in UTF-16 code units, both from 1, as
// the log says.
func at(s string, offset int) (line, column int) {
	s = s[:offset]
	rest := s[strings.LastIndexByte(s, '\n')+1:]
	return 1 + strings.Count(s, "\n"), 1 + len(utf16.Encode([]rune(rest)))
}
