package evidence

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plausible checks what every failure has, whatever text it is from.
func plausible(t *testing.T, f Failure) {
	t.Helper()
	switch f.Kind {
	case Race, Deadlock, Blocked, Panic, TestFailure, Timeout:
	default:
		t.Errorf("kind %q", f.Kind)
	}
	if f.Message == "" || strings.Contains(f.Message, "\n") {
		t.Errorf("message %q is not one line", f.Message)
	}
	if !strings.HasPrefix(f.Signature, string(f.Kind)+": ") {
		t.Errorf("signature %q of a %s", f.Signature, f.Kind)
	}
	if len(f.Stacks) > maxStacks {
		t.Errorf("%d stacks", len(f.Stacks))
	}
	for _, s := range f.Stacks {
		if len(s.Frames) > maxFrames {
			t.Errorf("%d calls", len(s.Frames))
		}
		for _, frame := range append(s.Frames, s.Created...) {
			if frame.Func == "" || frame.Line < 0 || strings.ContainsAny(frame.File, "\n") {
				t.Errorf("implausible frame %+v", frame)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range realOutputs(f) {
		f.Add([]byte(text))
	}
	f.Add([]byte(raceStart + "\nWrite at 0x1 by goroutine 8:\n  f.()\n      :1\n"))
	f.Add([]byte("{\"Action\":\"output\",\"Output\":\"panic: x\\n\"}\n"))
	f.Add([]byte(blockedStart + "TestX\ngoroutine 1 [select]:\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		last, seen := 0, make(map[string]bool)
		for _, failure := range Parse(text) {
			plausible(t, failure)
			if failure.Kind.Rank() < last {
				t.Errorf("%s comes too late", failure.Kind)
			}
			last = failure.Kind.Rank()
			if seen[failure.Signature] {
				t.Errorf("signature %q twice", failure.Signature)
			}
			seen[failure.Signature] = true
		}
	})
}

// FuzzRead reads what people keep. Log lines before it change nothing.
func FuzzRead(f *testing.F) {
	for _, text := range kept(f) {
		f.Add([]byte(text))
	}
	for _, by := range names(describe(decorations)) {
		f.Add([]byte(decorations[by](1, raceStart) + "\n" + decorations[by](2, "Write at 0x1 by goroutine 8:") + "\n"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := Read(data)
		if err != nil && len(found) > 0 {
			t.Errorf("failures and error %v", err)
		}
		seen := make(map[string]bool)
		for _, n := range found {
			plausible(t, n.Failure)
			if key := n.Package + " " + n.Signature; seen[key] {
				t.Errorf("%q twice", key)
			} else {
				seen[key] = true
			}
		}
		if err != nil || isProfile(data) || bytes.HasPrefix(data, []byte("\x1f\x8b")) || !bytes.Equal(data, decoded(data)) {
			return
		}
		after, err := Read(append([]byte("served /index.html\nserved /\n"), data...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(found, after); diff != "" {
			t.Errorf("lines before the text change what is found: %s", diff)
		}
	})
}

func describe(m map[string]func(int, string) string) map[string]string {
	all := make(map[string]string)
	for name := range m {
		all[name] = name
	}
	return all
}

// FuzzProfile reads binary profiles, most of them damaged.
func FuzzProfile(f *testing.F) {
	for name, text := range kept(f) {
		if isText(name) {
			continue
		}
		data, err := unzip([]byte(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parseProfile(data)
		if err != nil {
			return
		}
		for _, g := range p.goroutines() {
			if g.ID < 1 || len(g.Frames) > maxFrames {
				t.Errorf("implausible goroutine %+v", g)
			}
			for _, frame := range g.Frames {
				if frame.Func == "" || frame.Line < 0 {
					t.Errorf("implausible frame %+v", frame)
				}
			}
		}
		if failure, ok, err := p.failure(); ok && err == nil {
			plausible(t, failure)
		}
	})
}

// FuzzLeaks reads goleak's complaints, with any text in the place of stacks.
func FuzzLeaks(f *testing.F) {
	f.Add("main.f()\n\t/x/x.go:3 +0x1\n", "chan send", 4)
	f.Add("]\n --- FAIL: TestX\n", "sync.Mutex.Lock, 2 minutes", 0)
	f.Fuzz(func(t *testing.T, stack, state string, indent int) {
		before := strings.Repeat(" ", max(0, indent%20))
		var b strings.Builder
		for line := range strings.Lines("[Goroutine 7 in state " + state + ", with main.f on top of the stack:\n" + stack + "\n]\n") {
			b.WriteString(before + line)
		}
		for _, n := range Parse([]byte(b.String())) {
			plausible(t, n)
		}
	})
}

// evil are texts that a careless parser reads again and again, by what they
// consist of.
var evil = map[string]func(n int) string{
	"races":           repeated(raceStart + "\n"),
	"race accesses":   func(n int) string { return raceStart + "\n" + repeated("Write at 0x1 by goroutine 8:\n")(n) },
	"calls":           func(n int) string { return "goroutine 1 [select]:\n" + repeated("a.f()\n\t/a.go:1\n")(n) },
	"goroutines":      repeated("goroutine 1 [chan send]:\na.f()\n\t/a.go:1\n\n"),
	"headers":         repeated("goroutine 1 [select]:\n"),
	"panics":          repeated("panic: x\n"),
	"lines of panics": func(n int) string { return repeated("panic: x\n" + strings.Repeat("\n", headerLines+1))(n) },
	"failed tests":    repeated("--- FAIL: TestX (0.00s)\n"),
	"subtests":        func(n int) string { return repeated("    --- FAIL: TestX/a\n        x_test.go:1: m\n")(n) },
	"messages":        func(n int) string { return "=== RUN TestX\n" + repeated("    x.go:1: m\n        more\n")(n) },
	"leaks":           repeated("[Goroutine 7 in state select, with x on top of the stack:\na.f()\n\t/a.go:1\n"),
	"profiles":        repeated("goroutine profile: total 1\n1 @ 0x1\n#\t0x1\ta.f+0x1\t/a.go:1\n"),
	"one profile":     func(n int) string { return "goroutineleak profile: total 1\n" + repeated("1 @ 0x1\n")(n) },
	"marks":           repeated(" (scan)"),
	"state marks":     func(n int) string { return "goroutine 1 [x" + repeated(" (scan)")(n) + "]:\n" },
	"brackets":        func(n int) string { return "goroutine 1 [select]:\na.f" + repeated("[")(n) + "()\n\t/a.go:1\n" },
	"spaces":          repeated(" "),
	"escapes":         repeated("\x1b]"),
	"colours":         repeated("\x1b[0"),
	"times":           repeated("2026-11-21T15:08:14Z "),
	"sources":         repeated("a | "),
	"prefixes":        repeated("ci " + raceStart + "\nci Write at 0x1 by goroutine 8:\n"),
	"quotations":      repeated("    goroutine 1 [select]:\n"),
	"packages":        repeated("FAIL\ta/b\t0.1s\n"),
	"events":          repeated(`{"Action":"output","Package":"a","Output":"panic: x\n"}` + "\n"),
	"broken events":   func(n int) string { return `{"Action":` + repeated("{")(n) },
	"of packages":     repeated("FAIL\ta/b\t0.1s\npanic: x\n"),
	"half a profile":  repeated("\x0a\x04\x08\x01\x10\x02"),
}

func repeated(s string) func(n int) string {
	return func(n int) string { return strings.Repeat(s, n/len(s)+1) }
}

// TestLinear doubles long texts: what is allocated doubles, and
// does not grow four times. (Time would measure the machine.)
func TestLinear(t *testing.T) {
	allocated := func(text string) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Read([]byte(text))
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for name, text := range evil {
		const size = 128 << 10
		one, two := allocated(text(size)), allocated(text(2*size))
		if two > 2.7*one {
			t.Errorf("%s: %.0f bytes for one, %.0f for two", name, one, two)
		}
		if two > 200*2*size {
			t.Errorf("%s: %.0f bytes for a text of %d", name, two, 2*size)
		}
	}
}

// TestReadsOnce counts lines: each is read once, whatever begins on it.
func TestReadsOnce(t *testing.T) {
	for name, text := range evil {
		text := text(64 << 10)
		p := &parser{scanner: newScanner(text)}
		for p.more() {
			rest := len(p.rest)
			line := p.line
			if !p.race() && !p.report() && !p.leaks() && !p.profile() && !p.crash() && !p.testLine() {
				p.next()
			}
			if p.more() && len(p.rest) >= rest && p.line == line && rest > 0 {
				t.Fatalf("%s: the parser does not move on at %q", name, line[:min(len(line), 80)])
			}
		}
	}
}

// FuzzRace reads race reports with any text in the place of their stacks. Log
// lines between the lines change no race.
func FuzzRace(f *testing.F) {
	_, report, _ := strings.Cut(realOutputs(f)["race.txt"], raceStart+"\n")
	report, _, _ = strings.Cut(report, raceEnd)
	f.Add(report)
	f.Add("Write at 0x1 by main goroutine:\n  [failed to restore the stack]\n\nPrevious read at 0x1 by goroutine 7:\n  f.g()\n      x.go:3 +0x1\n")
	f.Fuzz(func(t *testing.T, report string) {
		text := raceStart + "\n" + report + "\n" + raceEnd + "\n"
		want := races(Parse([]byte(text)))
		for _, race := range want {
			plausible(t, race)
		}
		if strings.Count(report, "\n") > raceNoise/2 || strings.Contains(report, testMark) {
			return // more is not promised
		}
		noisy := strings.ReplaceAll(text, "\n", "\n2026/01/02 15:04:05 served /\n")
		if diff := cmp.Diff(want, races(Parse([]byte(noisy)))); diff != "" {
			t.Errorf("log lines between the lines: %s", diff)
		}
	})
}

// races are the races among failures, without the tests: which one a text names
// last depends on more than the report.
func races(all []Failure) []Failure {
	var found []Failure
	for _, f := range all {
		if f.Kind == Race {
			f.Test = ""
			found = append(found, f)
		}
	}
	return found
}
