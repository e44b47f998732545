package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/internal/dossier"
	"mendel/validate"
)

// ProseWidth is where text for people is wrapped, in columns, when nothing is
// known of where it is read.
const ProseWidth = textWidth

// Count is a number with its noun, in the plural where it has to be: "2 runs".
func Count(n int, noun string) string { return count(n, noun) }

// List joins names, each once: "a, b and c".
func List(names []string) string { return list(names) }

// OneLine replaces what would break a line or act on a terminal.
func OneLine(s string) string { return oneLine(s) }

// Wrap breaks text into lines of at most width columns, the first after first,
// the others after indent. Longer words stay whole. The last line ends with a
// newline too.
func Wrap(text string, width int, first, indent string) string {
	return wrap(text, width, first, indent)
}

// Visible shows the characters of a line of source that would act on a terminal
// or change the order in which it is read: control characters as their
// pictures, "␛", others that do not print by number, "\u202e", and what is no
// UTF-8 by its bytes, "\xff". Tabs stay.
func Visible(s string) string {
	if !strings.ContainsFunc(s, invisible) {
		return s
	}
	const pictures, del = 0x2400, 0x7f
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !invisible(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune(pictures + r)
		case r == del:
			b.WriteRune('␡')
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

// invisible reports whether a character of a line must be shown in another form.
func invisible(r rune) bool {
	return r == utf8.RuneError || r != '\t' && !unicode.IsPrint(r)
}

// Seen says in a sentence how often a failure of the original showed.
func Seen(f dossier.FailureRecord) string {
	if f.Forced != "" {
		return "Seen when an interleaving was forced, " + oneLine(f.Forced) + "."
	}
	if f.Runs == 0 {
		return "Found by the model checker alone."
	}
	return fmt.Sprintf("Seen in %d of %s under noise.", f.Seen, count(f.Runs, "run"))
}

// Missed words the chance that a failure is still there, as frequent as before at
// least, and n runs all passed by luck; "" where that cannot be computed. Before,
// failed of runs failed. See validate.Unseen.
func Missed(failed, runs, n int) string {
	passed := runs - failed
	if failed <= 0 || passed < 0 || n <= 0 {
		return ""
	}
	return fmt.Sprintf("If the bug were still there, as frequent as %s in %s suggest at least (with 95 %% confidence), the chance that all of these pass would be %s.",
		count(failed, "failure"), count(runs, "run"), chance(validate.Unseen(failed, runs, n)))
}

// SearchEnded says in a sentence why a search ended, by the word for it in a
// dossier; "" for none.
func SearchEnded(why string) string {
	switch why {
	case "":
		return ""
	case "accepted":
		return "It ended with a fix that there are no reasons against."
	case "exhausted":
		return "It ended because every mutant that the edits can make was tried."
	case "generations-exhausted":
		return "It ended after the last generation allowed."
	case "converged":
		return "It ended because its mutants stopped improving."
	case "no-edits":
		return "There was nothing to edit."
	case "stopped":
		return "It was stopped early."
	}
	return "It ended: " + strings.TrimSuffix(oneLine(why), ".") + "."
}
