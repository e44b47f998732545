package report

import (
	"fmt"
	"slices"
	"strings"
)

// subjectWidth is the longest subject line that tools show whole.
const subjectWidth = 72

// Message is the text before the diff of a patch: a subject line, then what
// failed, what the patch does, and the evidence for it.
func Message(s Story) string {
	var b strings.Builder
	b.WriteString(s.subject() + "\n\n")
	for _, p := range s.failed() {
		first, rest, _ := strings.Cut(strings.TrimSuffix(p, "\n"), "\n")
		b.WriteString(wrap(first, textWidth, "", ""))
		for line := range strings.Lines(rest) {
			b.WriteString("  " + strings.TrimSpace(line) + "\n")
		}
	}
	b.WriteString("\nThe patch:\n")
	for _, p := range s.does() {
		b.WriteString(wrap(p, textWidth, "  * ", "    "))
	}
	b.WriteString("\nEvidence:\n")
	for _, p := range s.evidence() {
		b.WriteString(wrap(p, textWidth, "  * ", "    "))
	}
	if against := flags(s.Fix.Flags); len(against) > 0 {
		b.WriteString("\nReasons against it:\n")
		for _, p := range against {
			b.WriteString(wrap(p, textWidth, "  * ", "    "))
		}
	}
	b.WriteString("\n" + wrap(strings.Join(s.limits(), " "), textWidth, "", ""))
	return b.String()
}

// subject says in one line what is fixed where.
func (s Story) subject() string {
	what := "concurrency failure"
	if len(s.Failures) > 0 {
		what = s.Failures[0].Kind.Words()
	}
	var where []string
	for _, e := range s.Fix.Mutant.Edits {
		name := e.Func
		if name == "" {
			name = e.File
		}
		if !slices.Contains(where, name) {
			where = append(where, name)
		}
	}
	subject := oneLine("Fix " + what + " in " + list(where))
	if len(where) > 1 && len(subject) > subjectWidth {
		subject = oneLine(fmt.Sprintf("Fix %s in %s and %d more", what, where[0], len(where)-1))
	}
	return subject
}
