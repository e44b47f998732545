package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mendel/internal/events"
)

// A Call is a command line.
type Call struct {
	Args  []string // the name of the command first
	Stdin string
}

// A Runner runs a command line: it tells its events to a function, and writes what it has
// found to stdout, for people, and what it has to say beside that to stderr. The last
// event has the document and the exit code; an error without any event is bad usage.
type Runner func(ctx context.Context, c Call, tell func(events.Event), stdout, stderr io.Writer) error

// Options of a server.
type Options struct {
	Version string // of Mendel
	Dir     string // that calls work in which name none; "": the current one
	Run     Runner
}

// instructions tell a model what the tools are for.
const instructions = `Mendel finds and mends concurrency bugs in Go programs: data races, deadlocks, goroutines that block for ever, broken atomicity. It runs the tests of a package, so use it on programs whose tests may be run here.

check looks for an interleaving under which a test fails, and shows it. replay shows a saved interleaving again, for instance after a change. localize ranks the places in the source that make tests fail. repair searches for a patch that mends what fails, and validates it. verify judges a patch that somebody else has written, you for instance: use it before you call a concurrency bug fixed.

Calls run one after the other and take from seconds to the whole budget. Ask for progress notifications, and cancel a call that takes too long. Exit codes, files and words are explained by "mendel help COMMAND".`

// Serve serves the tools to one client, who writes to in and reads from out, until the
// client leaves or ctx ends. Then no command runs any more.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	s := &server{ctx: ctx, o: o, turn: make(chan struct{}, 1)}
	m := mcp.NewServer(&mcp.Implementation{Name: "mendel", Title: "Mendel", Version: o.Version}, &mcp.ServerOptions{Instructions: instructions})
	s.addTools(m)
	err := m.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}})
	if ctx.Err() != nil || left(err) {
		return nil // that is how it ends
	}
	if err != nil {
		return fmt.Errorf("serve tools: %w", err)
	}
	return nil
}

// left reports whether an error says that the client has left: it may do so while it is
// written to.
func left(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE)
}

// unclosed is a writer that stays open when a connection is closed.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// A server runs the calls of a client.
type server struct {
	ctx  context.Context // ends all calls
	o    Options
	turn chan struct{} // has room for the call that runs
}

// call runs a command line for a tool.
func (s *server) call(ctx context.Context, req *mcp.CallToolRequest, c Call) (*mcp.CallToolResult, any, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	n := notify(ctx, req)
	defer n.close()
	if err := s.wait(ctx, n); err != nil {
		return nil, nil, err
	}
	defer func() { <-s.turn }()

	var end *events.End
	var stdout, stderr bytes.Buffer
	err := s.o.Run(ctx, c, func(e events.Event) {
		if last, ok := e.(*events.End); ok {
			end = last
		}
		n.tell(e)
	}, &stdout, &stderr)
	if end == nil {
		return nil, nil, err // bad usage
	}
	return answer(end, stdout.String(), stderr.String())
}

// wait waits until the calls before are done.
func (s *server) wait(ctx context.Context, n *notifier) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
		n.send("waiting until the call before is done")
	}
	select {
	case s.turn <- struct{}{}:
		if ctx.Err() == nil {
			return nil
		}
		<-s.turn
	case <-ctx.Done():
	}
	return fmt.Errorf("wait until the call before is done: %w", ctx.Err())
}

// answer is the result of a call: what was found, for people and as a document.
func answer(end *events.End, stdout, stderr string) (*mcp.CallToolResult, any, error) {
	var parts []string
	for _, text := range []string{end.Error, stdout, stderr} {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, text)
		}
	}
	r := &mcp.CallToolResult{IsError: end.Error != "", Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(parts, "\n\n")}}}
	if end.Result == nil {
		return r, nil, nil
	}
	return r, end.Result, nil
}
