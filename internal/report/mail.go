package report

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
	"time"
)

// author signs the mails. git am needs an address.
const author = "Mendel <mendel@localhost>"

// Mail is a patch as a mail with its commit message: git am commits it, git apply
// and patch -p1 take the diff alone, as they do of [Patch]. The subject is the
// first line of the message. A zero date leaves the date to git am.
func Mail(changes []Change, message string, date time.Time) []byte {
	subject, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	var b bytes.Buffer
	// git am takes the form of the mail from its first line.
	b.WriteString("From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n")
	fmt.Fprintf(&b, "From: %s\n", author)
	if !date.IsZero() {
		fmt.Fprintf(&b, "Date: %s\n", date.Format(time.RFC1123Z))
	}
	fmt.Fprintf(&b, "Subject: [PATCH] %s\n", mime.QEncoding.Encode("utf-8", OneLine(strings.TrimSpace(subject))))
	b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n")
	b.Write(Patch(changes, VisibleText(body))) // git refuses some characters in messages
	return b.Bytes()
}

// VisibleText is [Visible] for the lines of a text; the last ends with a newline too.
func VisibleText(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(Visible(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}
