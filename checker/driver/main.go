package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/state"
	"mendel/checker/wire"
)

// Package testing sets the number of processors that it finds when it starts
// again whenever it makes a test: it must find one.
func init() {
	if os.Getenv(wire.Env) != "" {
		sched.OneProcessor()
	}
}

// Main is the body of the entry test. The environment variable wire.Env names the
// file of the request that it answers. Without that variable it skips its test.
func Main(t *testing.T) {
	name := os.Getenv(wire.Env)
	if name == "" {
		t.Skipf("no request: %s is not set. This test is the checker's own", wire.Env)
	}
	os.Unsetenv(wire.Env) // the program may start its binary again
	request, err := read(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(request.Answers, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(fmt.Errorf("open the file for the answers: %w", err))
	}
	state.Choose(request.Clone)
	err = answer(file, registered.of(request.Clone), request)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestMain is the body of the binary's TestMain where the program has one, whose name is
// then another: only a process that the program itself has started calls that.
func TestMain(m *testing.M, program func(*testing.M)) {
	if os.Getenv(wire.Env) == "" {
		program(m)
		return
	}
	m.Run()
}

// read reads a request.
func read(name string) (*wire.Request, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	request := &wire.Request{}
	if err := json.Unmarshal(text, request); err != nil {
		return nil, fmt.Errorf("read the request in %s: %w", name, err)
	}
	return request, nil
}

// A session answers one request.
type session struct {
	suite
	request *wire.Request
	out     *json.Encoder
	end     time.Time // of the time for all tests; zero: none
	err     error     // the first of writing

	idled   bool          // whether idle is known
	idling  []sched.Place // see idle
	used    bool          // another test was explored before
	initial []byte        // points reached before any execution: by values that are not computed again
}

// answer writes the answers to a request.
func answer(w io.Writer, s suite, request *wire.Request) error {
	d := &session{suite: s, request: request, out: json.NewEncoder(w)}
	d.initial = d.reached()
	if t := request.Search.Time; t > 0 {
		d.end = time.Now().Add(t)
	}
	var work func()
	switch {
	case request.Mode == wire.Replay, request.Mode == wire.Guided:
		work = d.replay
	case request.Mode == wire.Witness:
		work = d.witness
	case request.Mode == wire.Check && request.Search.OwnProcess:
		work = d.ownProcess
	case request.Mode == wire.Check:
		work = d.check
	default:
		return fmt.Errorf("unknown mode %q of the request: want %s, %s, %s or %s", request.Mode, wire.Check, wire.Replay, wire.Guided, wire.Witness)
	}
	d.say(wire.Answer{Ready: &wire.Ready{Planted: selfCheck(d.planted()), Missing: d.missing()}})
	work()
	d.say(wire.Answer{Done: true})
	return d.err
}

// say writes an answer as one line.
func (d *session) say(a wire.Answer) {
	if err := d.out.Encode(a); err != nil && d.err == nil {
		d.err = fmt.Errorf("write an answer: %w", err)
	}
}

// missing returns the requested tests that the binary does not have, each once.
func (d *session) missing() []string {
	names := d.request.Tests
	if d.request.Mode != wire.Check && d.request.Mode != wire.Witness {
		names = nil
		for _, s := range d.request.First {
			names = append(names, s.Test)
		}
	}
	var missing []string
	seen := map[string]bool{}
	for _, name := range names {
		if _, ok := d.test(name); !ok && !seen[name] {
			missing = append(missing, name)
		}
		seen[name] = true
	}
	return missing
}

// check explores the tests, each in an equal part of the remaining time.
func (d *session) check() {
	var tests []Test
	for _, name := range d.request.Tests {
		if t, ok := d.test(name); ok {
			tests = append(tests, t)
		}
	}
	for i, t := range tests {
		var end time.Time
		if !d.end.IsZero() {
			now := time.Now()
			end = now.Add(d.end.Sub(now) / time.Duration(len(tests)-i))
		}
		result := d.explore(t, end)
		d.say(wire.Answer{Test: result})
		if result.Stale {
			return
		}
		d.used = true
	}
}
