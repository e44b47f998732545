package regress

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// A wanted failure is the one that a test must show. The test is a copy, so that lines of
// test files are others; those of the program are the same.
type wanted struct {
	kind   evidence.Kind
	places []string // of the program, with their functions, as signatures have them
	text   string   // what the test says, of a test failure; without numbers
	locks  bool     // a goroutine that is blocked waits for a mutex
	// patience is what the test says when it waits no longer: how goroutines that are blocked show.
	patience []string
}

func want(f evidence.Failure) wanted {
	w := wanted{kind: f.Kind, places: ofProgram(f.Signature)}
	w.locks = w.blocks() && strings.Contains(f.Message, "Mutex.")
	if f.Kind == evidence.TestFailure {
		w.text = said(f.Message)
	}
	return w
}

// blocks reports whether the failure is that goroutines are blocked for ever.
func (w wanted) blocks() bool { return w.kind == evidence.Blocked || w.kind == evidence.Deadlock }

// ofProgram are the places of a signature that are not in test files.
func ofProgram(signature string) []string {
	_, list, _ := strings.Cut(signature, ": ")
	var places []string
	for place := range strings.SplitSeq(list, ", ") {
		_, file, ok := strings.Cut(place, " ")
		file, _, _ = strings.Cut(file, ":")
		if ok && !strings.HasSuffix(file, "_test.go") {
			places = append(places, place)
		}
	}
	return places
}

var (
	inTest  = regexp.MustCompile(`(?s)^.*?_test\.go:\d+: (.*)$`)
	numbers = regexp.MustCompile(`0x[0-9a-f]+|\d+`)
)

// said is the first line of what a test says, behind its place, without numbers.
func said(message string) string {
	if m := inTest.FindStringSubmatch(message); m != nil {
		message = m[1]
	}
	message, _, _ = strings.Cut(message, "\n")
	return numbers.ReplaceAllString(strings.TrimSpace(message), "N")
}

// seen reports whether a run has failed in the way that is wanted.
func (w wanted) seen(r *gotool.RunResult) bool {
	if r.ExitCode == 0 {
		return false
	}
	switch w.kind {
	case evidence.TestFailure:
		return strings.Contains(numbers.ReplaceAllString(string(r.Output), "N"), w.text)
	case evidence.Deadlock, evidence.Blocked:
		return w.hangs(string(r.Output)) || w.waited(r)
	}
	return slices.ContainsFunc(evidence.Parse(r.Output), func(f evidence.Failure) bool {
		return f.Kind == w.kind && slices.Equal(ofProgram(f.Signature), w.places)
	})
}

// waited reports whether a run has ended because the test waited no longer, and for nothing
// else.
func (w wanted) waited(r *gotool.RunResult) bool {
	failures := evidence.Parse(r.Output)
	if slices.ContainsFunc(failures, func(f evidence.Failure) bool { return f.Kind != evidence.TestFailure }) {
		return false
	}
	return slices.ContainsFunc(w.patience, func(text string) bool { return strings.Contains(string(r.Output), text) })
}

// hangs reports whether a run has ended because goroutines are blocked where they are to be.
// Package order, the runtime or a bubble says so.
func (w wanted) hangs(output string) bool {
	blocked := strings.Contains(output, "order: deadlock: ") || strings.Contains(output, "all goroutines are asleep - deadlock!") || strings.Contains(output, "panic: deadlock: ")
	for _, place := range w.places {
		_, file, _ := strings.Cut(place, " ")
		file, _, _ = strings.Cut(file, ":")
		blocked = blocked && strings.Contains(output, "/"+path.Base(file)+":")
	}
	return blocked
}
