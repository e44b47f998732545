//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mendel/internal/events"
	"mendel/internal/mcpserver"
	"mendel/internal/sample"
)

// racy is a module with a race that is found at once, and settings that make a repair short.
var racy = map[string]string{
	"go.mod":      "module example.com/racy\n\ngo 1.25\n",
	"mendel.toml": "count = 2\n[repair]\nconfirm = 5\n[verify]\nconfirm = 5\n",
	"racy.go":     "package racy\n\nvar n int\n\nfunc add() { n++ }\n",
	"racy_test.go": `package racy

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(add)
	}
	wg.Wait()
}
`,
}

// right mends the race of racy.
const right = `--- a/racy.go
+++ b/racy.go
@@ -1,5 +1,12 @@
 package racy
 
-var n int
+import "sync"
 
-func add() { n++ }
+var mu sync.Mutex // guards n
+var n int
+
+func add() {
+	mu.Lock()
+	n++
+	mu.Unlock()
+}
`

// writeModule writes the files of a module into a directory of its own.
func writeModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mcpCommand is a server that works in a directory and has one for temporary files.
func mcpCommand(dir, temp string) *exec.Cmd {
	cmd := exec.Command("mendel", "mcp", "-C", dir)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	cmd.Stderr = os.Stderr
	return cmd
}

// An agent is a client of the real server, over its standard input and output.
type agent struct {
	*mcp.ClientSession
	t        *testing.T
	progress chan string
}

func newAgent(t *testing.T, dir, temp string) *agent {
	t.Helper()
	a := &agent{t: t, progress: make(chan string, 1000)}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			a.progress <- req.Params.Message
		},
	})
	var err error
	if a.ClientSession, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: mcpCommand(dir, temp)}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// call calls a tool and asks for progress. The text and the document are what it returns.
func (a *agent) call(ctx context.Context, tool string, input map[string]any) (text string, document []byte, err error) {
	a.t.Helper()
	p := &mcp.CallToolParams{Name: tool, Arguments: input, Meta: mcp.Meta{}}
	p.SetProgressToken(tool)
	r, err := a.CallTool(ctx, p)
	if err != nil {
		return "", nil, err
	}
	if r.StructuredContent != nil {
		if document, err = json.Marshal(r.StructuredContent); err != nil {
			a.t.Fatal(err)
		}
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		text = "error: " + text
	}
	return text, document, nil
}

// told are the messages of progress until now.
func (a *agent) told() (all []string) {
	for {
		select {
		case message := <-a.progress:
			all = append(all, message)
		default:
			return all
		}
	}
}

// An agent uses each tool; results are the documents of the commands.
func TestMCP(t *testing.T) {
	dir, temp := writeModule(t, racy), t.TempDir()
	a := newAgent(t, dir, temp)
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if len(tool.Description) < 100 || tool.InputSchema == nil {
			t.Errorf("%s: %q with input %v", tool.Name, tool.Description, tool.InputSchema)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"check", "localize", "repair", "replay", "verify"}) {
		t.Errorf("tools %q", names)
	}
	type called struct {
		tool, input, want string
		document          string // file with the document, or a part of it
		progress          string
	}
	calls := []called{
		{"check", `{"all": true}`, "failed: 1 failure", "mendel-out/check.json", "building the instrumented tests"},
		{"replay", `{"file": "mendel-out/failure-1.schedule"}`, "failed: data race in TestAdd, as recorded", `"verdict":"failed"`, "following the schedule of TestAdd"},
		{"localize", `{}`, "racy.go:5", `"status":"found"`, "comparing executions"},
		{"check", `{"package": "./nosuch"}`, "error: package directory: ", "", ""},
		{"repair", `{"budget": "soon"}`, `error: invalid argument "soon" for "--budget"`, "", ""},
		{"verify", `{"package": "."}`, "error: name a patch, or a revision", "", ""},
	}
	if sample.All() { // else what the commands print is seen by scripts alone
		calls = append(calls,
			called{"repair", `{"run": "TestAdd"}`, "Model checker: every outcome of every schedule passed", "mendel-out/result.json", "generation 1: best score 1000 of 1000"},
			called{"verify", `{"patch": ` + quoted(t, right) + `, "from": "mendel-out"}`, "validated: the patch", "mendel-out/verify/result.json", "verifying the patch"},
			called{"check", `{"package": "./..."}`, "failed: 1 package, 1 new failure", "mendel-out/checks.json", ""},
		)
	}
	for _, c := range calls {
		var input map[string]any
		if err := json.Unmarshal([]byte(c.input), &input); err != nil {
			t.Fatal(err)
		}
		a.told()
		text, document, err := a.call(t.Context(), c.tool, input)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s %s: want %q in\n%s", c.tool, c.input, c.want, text)
		}
		if strings.HasSuffix(c.document, ".json") {
			file, err := os.ReadFile(filepath.Join(dir, c.document))
			if err != nil {
				t.Fatal(err)
			}
			if !sameJSON(t, document, file) {
				t.Errorf("%s %s: the result is not %s:\n%s", c.tool, c.input, c.document, document)
			}
		} else if !bytes.Contains(document, []byte(c.document)) || c.document == "" && document != nil {
			t.Errorf("%s %s: want %q in %s", c.tool, c.input, c.document, document)
		}
		if told := a.told(); !slices.ContainsFunc(told, func(m string) bool { return strings.HasPrefix(m, c.progress) }) && c.progress != "" {
			t.Errorf("%s %s: no progress %q in %q", c.tool, c.input, c.progress, told)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("between calls there are temporary files: %v, %v", left, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, temp)
}

// Whatever a client says, a tool makes a command line that the command knows.
func TestMCPFlags(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	parsed := 0
	go mcpserver.Serve(t.Context(), there, there, mcpserver.Options{Run: func(_ context.Context, call mcpserver.Call, _ func(events.Event), _, _ io.Writer) error {
		parsed++
		c, rest, err := newRootCommand().Find(call.Args)
		if err != nil {
			return err
		}
		return c.ParseFlags(rest)
	}})
	client, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: here, Writer: here}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for tool, err := range client.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		input, samples := map[string]any{}, map[string]any{"string": "1s", "integer": 1, "boolean": true}
		for name, of := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			kind, _ := of.(map[string]any)["type"].(string)
			input[name] = samples[kind]
			if input[name] == nil { // a list, or null
				input[name] = []string{"a"}
			}
		}
		if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: input}); err != nil || r.IsError {
			t.Errorf("%s with %v: %+v, %v", tool.Name, input, r, err)
		}
	}
	if parsed != 5 {
		t.Errorf("%d tools were called", parsed)
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sameJSON reports whether two documents have the same value.
func sameJSON(t *testing.T, documents ...[]byte) bool {
	t.Helper()
	var texts []string
	for _, d := range documents {
		var value any
		if err := json.Unmarshal(d, &value); err != nil {
			t.Fatalf("%v:\n%s", err, d)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts[0] == texts[1]
}

// A call that is cancelled ends with all that it has started, and others can follow.
func TestMCPCancel(t *testing.T) {
	dir, temp := writeModule(t, hopeless), t.TempDir()
	a := newAgent(t, dir, temp)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, _, err := a.call(ctx, "repair", map[string]any{"budget": "10m"})
		ended <- err
	}()
	for message := range a.progress {
		if strings.Contains(message, "running the tests with noise") {
			break
		}
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("a call that was cancelled has a result")
	}
	text, _, err := a.call(t.Context(), "replay", map[string]any{"file": "nosuch"}) // once the repair is gone
	if err != nil || !strings.HasPrefix(text, "error: ") {
		t.Errorf("%s, %v", text, err)
	}
	onlyMendelRuns(t, temp)
	result, err := os.ReadFile(filepath.Join(dir, "mendel-out", "result.json"))
	if err != nil || !bytes.Contains(result, []byte("interrupted")) {
		t.Errorf("%v\n%s", err, result)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, temp)
}

// onlyMendelRuns fails when a process other than the server and its guard has a temporary
// directory in its environment.
func onlyMendelRuns(t *testing.T, temp string) {
	t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ") // none but on Linux
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range environs {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte("TMPDIR="+temp)) {
			continue
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		if program, _, _ := strings.Cut(string(line), "\x00"); err == nil && filepath.Base(program) != "mendel" {
			t.Errorf("still running: %s: %q", filepath.Dir(name), line)
		}
	}
}

// A client that misbehaves while a call runs leaves no process and no file behind.
func TestMCPMisbehaved(t *testing.T) {
	dir := writeModule(t, hopeless)
	for _, tt := range []struct {
		name      string
		misbehave func(stdin io.WriteCloser, stdout io.Closer)
		fails     bool // the server says what was wrong
	}{
		{"garbage", func(stdin io.WriteCloser, _ io.Closer) { io.WriteString(stdin, "{]\x00\xff\n") }, true},
		{"huge", func(stdin io.WriteCloser, _ io.Closer) {
			junk := bytes.Repeat([]byte("x"), 1<<20)
			io.WriteString(stdin, `{"jsonrpc":"2.0","method":"`)
			for range 64 {
				if _, err := stdin.Write(junk); err != nil {
					return // the server is gone
				}
			}
		}, true},
		{"gone", func(stdin io.WriteCloser, stdout io.Closer) { stdin.Close(); stdout.Close() }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			temp := t.TempDir()
			cmd := mcpCommand(dir, temp)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bad","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"repair","arguments":{"out":"`+t.TempDir()+`"},"_meta":{"progressToken":1}}}
`)
			seen := false
			for lines := bufio.NewScanner(stdout); !seen && lines.Scan(); {
				seen = strings.Contains(lines.Text(), "running the tests with noise")
			}
			if !seen {
				t.Errorf("no progress")
			}
			tt.misbehave(stdin, stdout)
			io.Copy(io.Discard, stdout)
			if err := cmd.Wait(); (err != nil) != tt.fails {
				t.Errorf("the server ended with %v; it says:\n%s", err, stderr.String())
			}
			if said := stderr.String(); (said != "") != tt.fails || strings.Contains(said, "goroutine") {
				t.Errorf("the server says:\n%s", said)
			}
			nothingLeft(t, temp)
		})
	}
}
