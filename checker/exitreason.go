package checker

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"mendel/analysis/evidence"
	"mendel/analysis/evidence/symbol"
	"mendel/internal/gotool"
)

// The exit reason of a process that did not finish has at most lastLines lines,
// and lastBytes bytes, of its last output.
const (
	lastLines = 5
	lastBytes = 600
	dumpBytes = 8 << 20 // of the end of the output, in which a dump is looked for
)

// exitReason says, for people, how a process ended that did not finish its work;
// hung reports that it had to be ended because it took too long.
func (c *Checker) exitReason(p *process) (why string, hung bool) {
	r := p.result
	switch r.Stop {
	case gotool.TimedOut:
		why = fmt.Sprintf("the test process did not end within %v and was ended", p.limit.Round(100*time.Millisecond))
		return why + c.hanging(r.Output), true
	case gotool.OutOfMemory:
		return fmt.Sprintf("the test process was ended because it used more memory than it may (%d MiB)", r.MaxRSS>>20), false
	case gotool.TooMuchText:
		return fmt.Sprintf("the test process was ended because it printed more than it may (%d MiB)%s", outputLimit>>20, last(r.Output)), false
	case gotool.TooManyProcesses:
		return "the test process was ended because it started more processes than it may", false
	case gotool.DiskFull:
		return "the test process was ended because it wrote more to the disk than it may", false
	}
	switch {
	case p.wrong != "":
		return "the test process gave an answer that cannot be read: " + p.wrong, false
	case r.Stop == gotool.Cancelled:
		return "the test process was interrupted", false
	case p.done:
		return "the test process did not say what came of it", false
	}
	crash := p.crashed()
	switch {
	case crash != "":
		return "the test process crashed outside control" + crash, false
	case r.ExitCode < 0:
		return "the test process was killed by a signal" + last(r.Output), false
	case p.ready == nil:
		return fmt.Sprintf("the test process ended with exit status %d before its first test (os.Exit or log.Fatal in an init function?)%s", r.ExitCode, last(r.Output)), false
	}
	return fmt.Sprintf("the test process ended with exit status %d in the middle of a test (os.Exit or log.Fatal outside control?)%s", r.ExitCode, last(r.Output)), false
}

// exited reports whether a process ended itself in the middle of a test.
func (p *process) exited() bool {
	return p.result.Stop == gotool.Exited && p.wrong == "" && !p.done && p.ready != nil && p.result.ExitCode >= 0 && p.crashed() == ""
}

// goExit is the exit status of a Go program that crashes.
const goExit = 2

// crashed is the message of a crash of the Go runtime or of a panic in the
// output, with the place if there is one; "" if there was no crash.
func (p *process) crashed() string {
	if p.result.ExitCode != goExit {
		return ""
	}
	for _, f := range evidence.Parse(tail(p.result.Output, dumpBytes)) {
		if f.Kind == evidence.Panic || f.Kind == evidence.Deadlock {
			return ": " + f.Message
		}
	}
	return ""
}

// hanging is where a process was when it was asked to print its goroutines: the
// position of a goroutine of the program that does not wait for the engine.
func (c *Checker) hanging(output []byte) string {
	for _, g := range evidence.ParseGoroutines(tail(output, dumpBytes)) {
		f, ok := c.innermost(g.Frames)
		if !ok || c.library(f) || f.Func == "main.main" {
			continue
		}
		n := slices.Index(g.Frames, f)
		if !slices.ContainsFunc(g.Frames[:n], func(f evidence.Frame) bool { return strings.HasPrefix(f.Func, symbol.Root) }) {
			return fmt.Sprintf(": %s in %s", g.State, evidence.Describe(f))
		}
	}
	return ""
}

// colours are the sequences by which programs colour what they print on a terminal.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// last is the end of an output, as an addition to a sentence.
func last(output []byte) string {
	text := strings.TrimSpace(colours.ReplaceAllString(string(bytes.ToValidUTF8(tail(output, 4*lastBytes), []byte("?"))), ""))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-lastLines):]
	text = strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.Join(lines, "\n"))
	if len(text) > lastBytes {
		text = "..." + strings.ToValidUTF8(text[len(text)-lastBytes:], "")
	}
	return "; it printed last: " + text
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
