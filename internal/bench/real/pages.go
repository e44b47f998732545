package real

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"mendel/internal/gotool"
)

// pagesName is the name of the files that set patches beside the human fixes.
const pagesName = "real-patches"

//go:embed pages.html
var pagesText string

var pages = template.Must(template.New(pagesName).Funcs(template.FuncMap{"lines": diffLines}).Parse(pagesText))

// A fact is a line about a repair.
type fact struct{ Name, Value string }

// Facts lists what a reader of the patch should know.
func (t *armTrial) Facts() []fact {
	facts := []fact{
		{"verdict", t.verdict()},
		{"time", fmt.Sprintf("%.1f s, %s s of them from the first full score to the validated fix", t.Seconds, t.validationWords())},
		{"checker took part", t.checkerWords()},
		{"flags", t.flagWords()},
	}
	if t.Verified != nil {
		facts = append(facts, fact{"verification", t.Verified.Line()})
	}
	return facts
}

// writePages writes the Markdown and the HTML page to a directory.
func (r *report) writePages(dir string) error {
	var page bytes.Buffer
	if err := pages.Execute(&page, r); err != nil {
		return fmt.Errorf("make the page of patches: %w", err)
	}
	for suffix, text := range map[string][]byte{".html": page.Bytes(), ".md": []byte(r.markdown())} {
		if err := gotool.WriteFile(filepath.Join(dir, pagesName+suffix), text); err != nil {
			return fmt.Errorf("save the page of patches: %w", err)
		}
	}
	return nil
}

// markdown is the Markdown page.
func (r *report) markdown() string {
	var b strings.Builder
	b.WriteString("# Patches beside the human fixes\n")
	for _, bug := range r.Bugs {
		fmt.Fprintf(&b, "\n## %s\n\n%s. %s %s\n\n[The human fix](https://github.com/%s/commit/%s)%s", bug.Name, bug.Kind, bug.Description, bug.Notes, bug.Repo, bug.FixCommit, fenced(bug.Human))
		for _, t := range bug.Trials {
			fmt.Fprintf(&b, "\n### Mendel, %s\n\n", t.Arm)
			for _, f := range t.Facts() {
				fmt.Fprintf(&b, "- %s: %s\n", f.Name, strings.ReplaceAll(f.Value, "\n", "\n  "))
			}
			if t.Patch != "" {
				b.WriteString(fenced(t.Patch))
			}
		}
	}
	return b.String()
}

// fenced is a diff as Markdown, with a fence that it does not contain.
func fenced(diff string) string {
	fence := "```"
	for strings.Contains(diff, fence) {
		fence += "`"
	}
	return "\n\n" + fence + "diff\n" + strings.TrimRight(diff, "\n") + "\n" + fence + "\n"
}

// A diffLine is a line of a diff and its class in the page.
type diffLine struct{ Class, Text string }

// diffLines splits a diff.
func diffLines(diff string) []diffLine {
	var lines []diffLine
	for line := range strings.Lines(diff) {
		class := ""
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			class = "file"
		case strings.HasPrefix(line, "@@"):
			class = "hunk"
		case strings.HasPrefix(line, "+"):
			class = "added"
		case strings.HasPrefix(line, "-"):
			class = "removed"
		case strings.HasPrefix(line, "#"):
			class = "note"
		}
		lines = append(lines, diffLine{class, line})
	}
	return lines
}
