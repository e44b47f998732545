package textreport

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/internal/report"
)

// A prose is a sentence or several. What is code in it stands between two
// control characters, which no other text in it has.
type prose string

const (
	codeBegins = '\x02'
	codeEnds   = '\x03'
)

// A code is a word of the program in a sentence: a function, a position.
type code string

// say is fmt.Sprintf for prose; what is put in becomes one line.
func say(format string, args ...any) prose {
	for i, arg := range args {
		switch arg := arg.(type) {
		case code:
			if arg = code(report.OneLine(string(arg))); arg == "" {
				args[i] = ""
				continue
			}
			args[i] = string(codeBegins) + string(arg) + string(codeEnds)
		case string:
			args[i] = report.OneLine(arg)
		case evidence.Kind:
			args[i] = report.OneLine(arg.Words())
		}
	}
	return prose(fmt.Sprintf(format, args...))
}

// plain is a text of others as prose, with a full stop.
func plain(text string) prose {
	text = report.OneLine(text)
	if text == "" || strings.HasSuffix(text, ".") {
		return prose(text)
	}
	return prose(text + ".")
}

// sentence is a text of others as prose that begins with a capital.
func sentence(text string) prose { return capital(plain(text)) }

// failureTitle names a failure in a heading.
func failureTitle(f dossier.FailureRecord) prose {
	if f.Test == "" {
		return capital(say("%s", f.Kind))
	}
	return capital(say("%s in %s", f.Kind, code(f.Test)))
}

// lowerWord matches a text that begins with a word and not with a name.
var lowerWord = regexp.MustCompile(`^[a-z-]+([ :,;.]|$)`)

// capital makes the first letter of a sentence of ours one.
func capital(p prose) prose {
	if !lowerWord.MatchString(string(p)) {
		return p
	}
	return prose(strings.ToUpper(string(p[:1]))) + p[1:]
}

// seen says how often a failure showed.
func seen(f dossier.FailureRecord) prose { return prose(report.Seen(f)) }

// place describes one of a failure's places: "write at account.go:53 in
// (*Account).Transfer: to.amount += n".
func place(p dossier.Place) prose {
	s := say("%s", orElse(p.What, "involved"))
	if p.File != "" {
		s += say(" at %s", code(position(p.File, p.Line)))
	}
	if p.Func != "" {
		s += say(" in %s", code(p.Func))
	}
	if p.Text != "" {
		s += say(": %s", code(p.Text))
	}
	return s
}

// position is a file and its line; 0 is none.
func position(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// why says what an edit does, and against what.
func why(e dossier.Edit) prose {
	s := say("%s", code(position(e.File, e.Line)))
	if e.Func != "" {
		s += say(" in %s", code(e.Func))
	}
	s += say(": %s", orElse(e.Words, e.Operator))
	if e.Note != "" {
		s += say(" (%s)", e.Note)
	}
	s += "."
	if len(e.Conflicts) > 0 {
		var at []string
		for i, c := range e.Conflicts {
			if rest := len(e.Conflicts) - i; i == shownEach && rest > 1 {
				at = append(at, fmt.Sprintf("%d more", rest))
				break
			}
			at = append(at, strings.TrimSpace(c.What+" at "+position(path.Base(c.File), c.Line)))
		}
		s += say(" It concerns: %s.", report.List(at))
	}
	return s
}

// support lists what a fix passed.
func support(e dossier.Evidence) []prose {
	var out []prose
	if e.RunsBefore > 0 {
		out = append(out, say("Before: %d of %s of the original under noise failed.", e.FailedBefore, report.Count(e.RunsBefore, "run")))
	}
	detector := "and the race detector"
	if !e.Race {
		detector = "without the race detector"
	}
	after := prose("After: no run under noise was made.")
	if e.RunsAfter > 0 {
		after = say("After: %s under noise %s, all of which passed%s; seeds %d to %d.",
			report.Count(e.RunsAfter, "run"), detector, report.ButFor(e.Delayed), e.FirstSeed, e.FirstSeed+uint64(e.RunsAfter)-1)
	}
	out = append(out, after)
	if missed := report.Missed(e.FailedBefore, e.RunsBefore, e.RunsAfter); missed != "" {
		out = append(out, prose(missed))
	}
	if e.Check != "" {
		out = append(out, plain(e.Check))
	}
	if e.Vet {
		out = append(out, "go vet: nothing found.")
	} else {
		out = append(out, "go vet: not run.")
	}
	if e.OtherTests != "" {
		out = append(out, plain(e.OtherTests))
	}
	return append(out, prose(report.CostWords(e)))
}

// clock words a number of seconds: "5.2 s", "12 min", "3 h 20 min".
func clock(seconds float64) string {
	switch minutes := int(seconds/60 + 0.5); {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	case minutes%60 == 0:
		return fmt.Sprintf("%d h", minutes/60)
	default:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	}
}

// outcome is how a repair ended, in a line.
func outcome(d *dossier.Dossier) prose {
	what := prose("nothing")
	if f := report.Gravest(d.Failures); f != nil {
		what = say("a %s", f.Kind)
		if more := len(d.Failures) - 1; more > 0 {
			what += say(" and %s", report.Count(more, "more failure"))
		}
	}
	switch {
	case d.Verified != "" && d.Status != "not-reproduced":
		return say("%s is %s for ", d.Verified, report.VerdictWords(d.Status)) + what
	case d.Status == "fixed-incomplete":
		return "a fix, validation incomplete, for " + what
	case d.Status == "workaround":
		return "a workaround for " + what
	case report.Validated(d.Fixes) == 1:
		return "a fix for " + what
	case report.Validated(d.Fixes) > 1:
		return say("%d fixes for ", report.Validated(d.Fixes)) + what
	case d.Status == "not-fixed":
		return "no fix for " + what
	case d.Status == "not-reproduced":
		return "no failure reproduced"
	}
	return say("state: %s", report.StateWords(d.Status, true))
}
