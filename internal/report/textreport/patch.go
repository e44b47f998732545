package textreport

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// author signs the mails. git am needs an address.
const author = "Mendel <mendel@localhost>"

// Message is the commit message of a fix, by its index in d.Fixes: a subject
// line, an empty one, and what failed, what the patch does and what it rests on.
func Message(d *dossier.Dossier, i int) string {
	f := d.Fixes[i]
	subject := report.OneLine(orElse(f.Title, "Fix a concurrency failure"))
	body := strings.TrimSpace(visible(f.Message)) // git refuses some characters in messages
	if first, rest, _ := strings.Cut(body, "\n"); strings.TrimSpace(first) == strings.TrimSpace(f.Title) {
		body = strings.TrimSpace(rest)
	}
	if body == "" {
		return subject + "\n"
	}
	return subject + "\n\n" + body + "\n"
}

// Patch writes a fix, by its index in d.Fixes, as a mail with its commit
// message: git am commits it, git apply and patch -p1 take the diff alone. File
// names are relative to the module's root; in a repository that has it in a
// subdirectory git am wants that with --directory.
func Patch(w io.Writer, d *dossier.Dossier, i int) error {
	subject, body, _ := strings.Cut(Message(d, i), "\n\n")
	var b bytes.Buffer
	// git am takes the form of the mail from its first line.
	b.WriteString("From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n")
	fmt.Fprintf(&b, "From: %s\n", author)
	fmt.Fprintf(&b, "Date: %s\n", d.Began.Format(time.RFC1123Z))
	fmt.Fprintf(&b, "Subject: [PATCH] %s\n", mime.QEncoding.Encode("utf-8", strings.TrimSpace(subject)))
	b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n")
	b.Write(report.Patch(report.ChangesOf(&d.Fixes[i]), body))
	_, err := w.Write(b.Bytes())
	return err
}
