package noise

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise/hook"
	"mendel/internal/gotool"
)

// Parts of a failed run's output that are kept, in bytes.
const (
	keptHead = 24 << 10
	keptTail = 40<<10 - 64
)

// classify makes an outcome of a process's result.
func classify(r gotool.RunResult, seed uint64, timeout time.Duration) Outcome {
	tests, running := testsIn(r.Output)
	o := Outcome{
		Seed:     seed,
		Elapsed:  r.Elapsed,
		CPU:      r.CPU,
		Switches: r.Switches,
		Tests:    tests,
		hung:     r.Stop != gotool.Exited || r.ExitCode == hook.ExitDeadlock,
	}
	if r.Stop == gotool.Exited && r.ExitCode == 0 {
		o.Pass = tests > 0 // what the output resembles does not matter
		return o
	}
	o.Failures = evidence.Parse(r.Output)
	if f, ok := stopped(r, timeout, o.Failures); ok {
		f.Test = running
		if running != "" {
			f.Message += " while " + running + " ran"
			f.Signature += ": " + running
		}
		o.Failures = append(o.Failures, f)
		slices.SortStableFunc(o.Failures, func(a, b evidence.Failure) int { return a.Kind.Rank() - b.Kind.Rank() })
	}
	o.Output = shortened(r.Output)
	return o
}

// stopped is the failure that the end of the process itself shows, if its output
// does not show it.
func stopped(r gotool.RunResult, timeout time.Duration, found []evidence.Failure) (evidence.Failure, bool) {
	failure := func(kind evidence.Kind, what, message string) (evidence.Failure, bool) {
		return evidence.Failure{Kind: kind, Signature: string(kind) + ": " + what, Message: message}, true
	}
	switch r.Stop {
	case gotool.TimedOut:
		for _, f := range found {
			if f.Kind.Hangs() {
				return evidence.Failure{}, false
			}
		}
		return failure(evidence.Timeout, "no end", fmt.Sprintf("the tests did not end within %v", timeout))
	case gotool.OutOfMemory:
		return failure(evidence.Panic, "memory", "the tests used more memory than a run may")
	case gotool.TooMuchText:
		return failure(evidence.Timeout, "output", "the tests printed more than a run may")
	case gotool.TooManyProcesses:
		return failure(evidence.Panic, "processes", "the tests started more processes than a run may")
	case gotool.DiskFull:
		return failure(evidence.Panic, "disk", "the tests wrote more to the disk than a run may")
	}
	if len(found) > 0 {
		return evidence.Failure{}, false
	}
	if r.ExitCode < 0 {
		return failure(evidence.Panic, "signal", "the test binary was killed by a signal")
	}
	return failure(evidence.TestFailure, "exit", fmt.Sprintf("the test binary ended with exit status %d", r.ExitCode))
}

// testsIn counts the top-level tests begun in a marked verbose output, and
// names the one begun last that has not ended.
func testsIn(output []byte) (begun int, running string) {
	const mark = "\x16"
	ended := make(map[string]bool)
	var order []string
	_, output, _ = bytes.Cut(output, []byte(mark))
	for text := range bytes.SplitSeq(output, []byte(mark)) {
		line, _, _ := bytes.Cut(text, []byte("\n"))
		fields := strings.Fields(string(line[:min(len(line), 1024)]))
		if len(fields) < 3 || strings.Contains(fields[2], "/") {
			continue
		}
		switch {
		case fields[0] == "===" && fields[1] == "RUN":
			begun++
			order = append(order, fields[2])
		case fields[0] == "---":
			ended[fields[2]] = true
		}
	}
	for _, name := range slices.Backward(order) {
		if !ended[name] {
			return begun, name
		}
	}
	return begun, ""
}

// shortened keeps the beginning and the end of an output.
func shortened(output []byte) []byte {
	if len(output) <= keptHead+keptTail {
		return output
	}
	left := len(output) - keptHead - keptTail
	short := make([]byte, 0, keptHead+keptTail+64)
	short = append(short, output[:keptHead]...)
	short = fmt.Appendf(short, "\n... %d bytes left out ...\n", left)
	return append(short, output[len(output)-keptTail:]...)
}
