package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mendel/checker/sched/explore"
	"mendel/internal/events"
)

// A session is a client of a server whose commands are run by a function.
type session struct {
	*mcp.ClientSession
	line   net.Conn
	wire   *wire
	heard  chan string // messages of progress
	served chan error  // what Serve returns
}

// connect serves a client until the test ends, or hangs up earlier.
func connect(t *testing.T, o Options) *session {
	t.Helper()
	here, there := net.Pipe()
	s := &session{line: here, wire: &wire{}, heard: make(chan string, 100), served: make(chan error, 1)}
	go func() { s.served <- Serve(t.Context(), there, there, o) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			s.heard <- req.Params.Message
		},
	})
	var err error
	if s.ClientSession, err = client.Connect(t.Context(), &mcp.LoggingTransport{Transport: &mcp.IOTransport{Reader: here, Writer: here}, Writer: s.wire}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A wire keeps what went over it.
type wire struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *wire) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// call calls a tool, and asks for progress.
func (s *session) call(ctx context.Context, tool string, input any) (*mcp.CallToolResult, error) {
	p := &mcp.CallToolParams{Name: tool, Arguments: input, Meta: mcp.Meta{}}
	p.SetProgressToken(tool)
	return s.CallTool(ctx, p)
}

func text(r *mcp.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		all = append(all, c.(*mcp.TextContent).Text)
	}
	return strings.Join(all, "|")
}

// A tool's input is a command line; its result is what the command has found, and what it
// tells becomes progress.
func TestCall(t *testing.T) {
	var calls []Call
	s := connect(t, Options{Run: func(_ context.Context, c Call, tell func(events.Event), stdout, stderr io.Writer) error {
		calls = append(calls, c)
		e := events.NewStream(tell)
		e.Begin(events.Begin{})
		e.Phase("loading")
		e.Part("a").Printf("a line")
		for _, best := range []float64{500, 500, 900} {
			tell(&events.Search{Generation: 2, Best: best, Scored: 7})
		}
		io.WriteString(stdout, "found\n")
		io.WriteString(stderr, "beside\n")
		e.End(events.End{Exit: 1, Result: json.RawMessage(`{"verdict":"failed","n":12345678901234567890}`)})
		return errors.New("exit status 1")
	}})
	r, err := s.call(t.Context(), "check", map[string]any{"package": "./...", "run": "Test A", "all": true, "budget": "5s", "exclude": []string{"a", "b"}, "seed": 7})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"check", "--run=Test A", "--budget=5s", "--seed=7", "--all=true", "--exclude=a", "--exclude=b", "--", "./..."}
	if len(calls) != 1 || !slices.Equal(calls[0].Args, want) {
		t.Errorf("%q, want %q", calls, want)
	}
	// The document is what it was, numbers included, which the client's types have not.
	document := `"structuredContent":{"verdict":"failed","n":12345678901234567890}`
	if text(r) != "found\n\nbeside" || r.IsError || !strings.Contains(s.wire.String(), document) {
		t.Errorf("%q, error %v, over the wire:\n%s", text(r), r.IsError, s.wire)
	}
	heard := []string{"loading", "a: a line", "generation 2: best score 500 of 1000, 7 mutants scored", "generation 2: best score 900 of 1000, 7 mutants scored"}
	for _, want := range heard {
		if got := <-s.heard; got != want {
			t.Errorf("progress %q, want %q", got, want)
		}
	}
}

// What each tool makes of its input. A tool works in the directory of the call, else in
// that of the server, and names of files are relative to it.
func TestLines(t *testing.T) {
	here := &server{}
	abs := filepath.Join(t.TempDir(), "abs")
	there := &server{o: Options{Dir: abs}}
	for _, c := range []struct {
		got  Call
		want string
	}{
		{here.check(checkInput{}), "check --"},
		{here.check(checkInput{target: target{Package: "-x", Dir: "d"}, Baseline: "b"}), "check --chdir=d --out=d/mendel-out --baseline=d/b -- -x"},
		{there.check(checkInput{target: target{Dir: "d"}, Out: "o"}), "check --chdir=ABS/d --out=ABS/d/o --"},
		{there.repair(repairInput{target: target{Package: "p"}, Evidence: "race"}), "repair --chdir=ABS --out=ABS/mendel-out --from=- -- p <race"},
		{here.repair(repairInput{target: target{Dir: "d", Budget: "1h"}, Resume: "out", Write: true}), "repair --budget=1h --resume=d/out --write=true --"},
		{here.verify(verifyInput{target: target{Package: "p"}, Patch: "--- a"}), "verify -- - p <--- a"},
		{there.verify(verifyInput{target: target{Package: "p"}, PatchFile: "f"}), "verify --chdir=ABS --out=ABS/mendel-out/verify -- ABS/f p"},
		{here.verify(verifyInput{target: target{Package: "p"}, Since: "main", From: "f"}), "verify --since=main --from=f -- p"},
		{here.verify(verifyInput{target: target{Package: "p"}}), "verify --"},
		{there.replay(replayInput{File: "f", Count: 3}), "replay --count=3 -- ABS/f"},
		{here.localize(localizeInput{target: target{Tags: "a,b"}, Method: "noise"}), "localize --tags=a,b --method=noise --"},
	} {
		got := strings.Join(c.got.Args, " ")
		if c.got.Stdin != "" {
			got += " <" + c.got.Stdin
		}
		if got = strings.ReplaceAll(filepath.ToSlash(got), filepath.ToSlash(abs), "ABS"); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// Bad usage and commands that cannot do their work are errors of the call, in words.
func TestErrors(t *testing.T) {
	s := connect(t, Options{Run: func(_ context.Context, c Call, tell func(events.Event), stdout, stderr io.Writer) error {
		if c.Args[0] == "check" {
			return errors.New("--strategy magic: there is no such strategy")
		}
		events.NewStream(tell).End(events.End{Exit: 2, Error: "it does not build"})
		return errors.New("it does not build")
	}})
	for tool, want := range map[string]string{"check": "--strategy magic: there is no such strategy", "repair": "it does not build"} {
		r, err := s.call(t.Context(), tool, map[string]any{})
		if err != nil || !r.IsError || text(r) != want || r.StructuredContent != nil {
			t.Errorf("%s: %+v, %v", tool, r, err)
		}
	}
	r, err := s.call(t.Context(), "check", map[string]any{"nosuch": 1})
	if err == nil && !r.IsError {
		t.Error("an input that no tool has is taken")
	}
}

// A client may leave while it is written to.
func TestLeft(t *testing.T) {
	for _, err := range []error{io.EOF, io.ErrClosedPipe, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}} {
		if !left(fmt.Errorf("write: %w", err)) {
			t.Errorf("%v is an error", err)
		}
	}
	if left(io.ErrUnexpectedEOF) || left(nil) {
		t.Error("any end is one")
	}
}

// Calls wait for each other. One that is cancelled ends its command or, if it waits, is
// not run at all; a client that leaves ends what runs.
func TestOneAtATime(t *testing.T) { synctest.Test(t, testOneAtATime) }

func testOneAtATime(t *testing.T) {
	ended := make(chan string, 3)
	s := connect(t, Options{Run: func(ctx context.Context, c Call, tell func(events.Event), stdout, stderr io.Writer) error {
		tell(&events.Phase{Text: c.Args[0] + " runs"})
		<-ctx.Done()
		ended <- c.Args[0]
		return ctx.Err()
	}})
	first, cancelFirst := context.WithCancel(t.Context())
	second, cancelSecond := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	calls.Go(func() { s.call(first, "check", map[string]any{}) })
	await := func(want string) {
		t.Helper()
		if got := <-s.heard; got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	await("check runs")
	calls.Go(func() { s.call(second, "localize", map[string]any{}) })
	await("waiting until the call before is done")
	cancelSecond()
	synctest.Wait() // the server has heard of it
	calls.Go(func() { s.call(t.Context(), "repair", map[string]any{}) })
	await("waiting until the call before is done")
	cancelFirst()
	await("repair runs")
	s.line.Close()
	if err := <-s.served; err != nil {
		t.Error(err)
	}
	calls.Wait()
	if a, b := <-ended, <-ended; a != "check" || b != "repair" || len(ended) > 0 {
		t.Errorf("ended: %s, %s and %d more", a, b, len(ended))
	}
}

// The end of the server's context ends what runs.
func TestServerEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	here, there := net.Pipe()
	running := make(chan bool)
	served := make(chan error)
	go func() {
		served <- Serve(ctx, there, there, Options{Run: func(ctx context.Context, _ Call, _ func(events.Event), _, _ io.Writer) error {
			close(running)
			<-ctx.Done()
			return ctx.Err()
		}})
	}()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: here, Writer: here}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	calls.Go(func() { client.CallTool(t.Context(), &mcp.CallToolParams{Name: "check"}) })
	<-running
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	here.Close()
	calls.Wait()
}

// An agent is told of the strategies that there are; predict is for people, who have a flag.
func TestStrategiesAreThoseOfTheChecker(t *testing.T) {
	strategies := slices.DeleteFunc(explore.Names(), func(name string) bool { return name == explore.Auto || name == explore.Predict })
	want := "how to explore: " + explore.Auto + " if absent, " + explore.Alternatives(strategies) + "; with the real scheduler"
	if f, _ := reflect.TypeFor[checkInput]().FieldByName("Strategy"); !strings.HasPrefix(f.Tag.Get("jsonschema"), want) {
		t.Errorf("the schema has %q, want %q", f.Tag.Get("jsonschema"), want)
	}
}
