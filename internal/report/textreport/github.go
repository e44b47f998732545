package textreport

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// GitHub writes workflow commands, which GitHub Actions shows as annotations of
// the run and, where the lines are part of it, in the changes of a pull
// request: an error for each failure, at the first of its places, and a notice
// for each fix, at the first of its edits. Where there is no fix a warning says
// why.
//
// Root is the directory of the repository, absolute; files are named relative to
// it where the module lies below, else relative to the module.
func GitHub(w io.Writer, root string, dossiers ...*dossier.Dossier) error {
	var b strings.Builder
	for _, d := range dossiers {
		annotations(&b, below(root, d.Dir), d)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// below is a module's directory relative to its repository's, slash-separated;
// "" if they are one, or it is elsewhere.
func below(root, dir string) string {
	if root == "" || dir == "" {
		return ""
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func annotations(b *strings.Builder, under string, d *dossier.Dossier) {
	for _, f := range d.Failures {
		at, others := firstPlace(f.Places)
		text := report.OneLine(orElse(f.Message, f.Kind.Words()))
		for _, p := range others {
			text += "\n" + bare(place(p))
		}
		text += "\n" + bare(seen(f))
		annotate(b, "error", under, at.File, at.Line, bare(failureTitle(f)), text)
	}
	for i := range d.Fixes {
		annotateFix(b, under, say("Mendel: fix %d of %d", i+1, len(d.Fixes)), &d.Fixes[i], i == 0)
	}
	for i := range d.PartialFixes {
		f := &d.PartialFixes[i]
		annotateFix(b, under, say("Mendel: fix of the %s alone", report.Covered(d, f)), f, true)
	}
	if len(d.Fixes) == 0 {
		level := "warning"
		if len(d.Failures) == 0 {
			level = "notice"
		}
		annotate(b, level, under, "", 0, bare("Mendel: "+outcome(d)), orElse(d.Reason, d.Status)+"\n"+d.Package)
	}
}

// annotateFix writes a notice for a fix, at the first of its edits.
func annotateFix(b *strings.Builder, under string, title prose, f *dossier.Fix, patch bool) {
	text := report.OneLine(f.Title)
	if len(f.Incomplete) > 0 {
		title += ", validation incomplete"
	}
	var at dossier.Edit
	for k, e := range f.Edits {
		if k == 0 {
			at = e
		}
		text += "\n" + bare(why(e))
	}
	if patch {
		text += "\n" + strings.TrimSuffix(string(report.Patch(report.ChangesOf(f), "")), "\n")
	}
	annotate(b, "notice", under, at.File, at.Line, bare(title), text+"\n"+"Patch: "+f.Patch)
}

// firstPlace is the first place of a failure in a file of the module, and the
// others.
func firstPlace(places []dossier.Place) (first dossier.Place, others []dossier.Place) {
	at := -1
	for i, p := range places {
		if at < 0 && p.File != "" && !path.IsAbs(p.File) && !filepath.IsAbs(p.File) {
			first, at = p, i
		} else {
			others = append(others, p)
		}
	}
	return first, others
}

// annotate writes one workflow command. Without a file it concerns the run.
func annotate(b *strings.Builder, level, under, file string, line int, title, text string) {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+property(path.Join(under, file)))
		if line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", line))
		}
	}
	properties = append(properties, "title="+property(title))
	fmt.Fprintf(b, "::%s %s::%s\n", level, strings.Join(properties, ","), data(text))
}

// data escapes the text of a workflow command, property what stands before it,
// as the runner undoes it.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A").Replace(strings.TrimSuffix(report.VisibleText(s), "\n"))
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(report.Visible(s))
}
