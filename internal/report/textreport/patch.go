package textreport

import (
	"io"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// Message is the commit message of a fix, by its index in d.Fixes: a subject
// line, an empty one, and what failed, what the patch does and what it rests on.
func Message(d *dossier.Dossier, i int) string {
	f := d.Fixes[i]
	subject := report.OneLine(orElse(f.Title, "Fix a concurrency failure"))
	body := strings.TrimSpace(report.VisibleText(f.Message))
	if first, rest, _ := strings.Cut(body, "\n"); strings.TrimSpace(first) == strings.TrimSpace(f.Title) {
		body = strings.TrimSpace(rest)
	}
	if body == "" {
		return subject + "\n"
	}
	return subject + "\n\n" + body + "\n"
}

// Patch writes a fix, by its index in d.Fixes, as a mail with its commit
// message, and with the regression test if it has one: git am commits it, git apply and
// patch -p1 take the diff alone. File
// names are relative to the module's root; in a repository that has it in a
// subdirectory git am wants that with --directory.
func Patch(w io.Writer, d *dossier.Dossier, i int) error {
	changes := report.ChangesOf(&d.Fixes[i])
	if i == 0 && d.Regression != nil {
		changes = append(changes, report.NewFiles(d.Regression.Files)...)
	}
	_, err := w.Write(report.Mail(changes, Message(d, i), d.Began))
	return err
}
