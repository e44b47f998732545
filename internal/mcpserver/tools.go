package mcpserver

import (
	"cmp"
	"context"
	"path/filepath"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Keys of the input are the names of flags, with their meaning, but for those of [target]
// and for texts that a command reads from standard input.

// A target is what a tool works on.
type target struct {
	Package string `json:"package,omitempty" jsonschema:"directory or import path of the package whose tests are run, . if absent; check and repair also take a pattern such as ./... for several packages"`
	Dir     string `json:"dir,omitempty" jsonschema:"directory to work in: names of packages and files are relative to it; the one of the server if absent"`
	Run     string `json:"run,omitempty" jsonschema:"only tests that match this regular expression, all tests if absent"`
	Budget  string `json:"budget,omitempty" jsonschema:"how long it may take, such as 30s or 5m"`
	Seed    uint64 `json:"seed,omitempty" jsonschema:"of the random choices, 1 if absent"`
	Tags    string `json:"tags,omitempty" jsonschema:"build tags, comma-separated"`
}

type checkInput struct {
	target
	Out         string   `json:"out,omitempty" jsonschema:"directory for results, mendel-out if absent; schedules for replay are written there"`
	All         bool     `json:"all,omitempty" jsonschema:"go on after a failure, to collect others"`
	Strategy    string   `json:"strategy,omitempty" jsonschema:"how to explore: auto if absent, dfs, mcm, states, random, pct, pctlarge or pos; with the real scheduler maple, noise, delay or stress"`
	Preemptions int      `json:"preemptions,omitempty" jsonschema:"bound of dfs on preemptions, 2 if absent, -1 for none"`
	Native      bool     `json:"native,omitempty" jsonschema:"use the real scheduler only, for what the checker cannot follow"`
	Since       string   `json:"since,omitempty" jsonschema:"only packages that the change since this revision can have affected"`
	Baseline    string   `json:"baseline,omitempty" jsonschema:"file with failures that are known"`
	Exclude     []string `json:"exclude,omitempty" jsonschema:"patterns of packages to leave out"`
}

type repairInput struct {
	target
	Out          string `json:"out,omitempty" jsonschema:"directory for results, mendel-out if absent: patches, report, schedules"`
	From         string `json:"from,omitempty" jsonschema:"file that names the failure: a race report, goroutine dump, panic, test output, schedule, or the output directory of a repair"`
	Evidence     string `json:"evidence,omitempty" jsonschema:"the text that names the failure, in place of a file: a race report, goroutine dump, panic or test output"`
	IncludeTests bool   `json:"include-tests,omitempty" jsonschema:"let fixes change how the goroutines of tests synchronise, but no assertion"`
	Write        bool   `json:"write,omitempty" jsonschema:"apply the best fix to the source"`
	Test         bool   `json:"test,omitempty" jsonschema:"when there is a fix, make a regression test of the failure, too"`
	Resume       string `json:"resume,omitempty" jsonschema:"go on with the repair in this output directory; only budget and write may be given too"`
}

type verifyInput struct {
	target
	Out       string `json:"out,omitempty" jsonschema:"directory for results, mendel-out/verify if absent"`
	Patch     string `json:"patch,omitempty" jsonschema:"the patch: a unified diff, with names relative to the module or the repository; it may be applied already"`
	PatchFile string `json:"patch-file,omitempty" jsonschema:"file with the patch, in place of its text"`
	Since     string `json:"since,omitempty" jsonschema:"verify what has changed in the working tree since this revision, in place of a patch"`
	From      string `json:"from,omitempty" jsonschema:"file that names the failure: a report, a schedule, or the output directory of a repair"`
}

type replayInput struct {
	File  string `json:"file" jsonschema:"the file that check or repair has saved: failure-1.schedule or failure-1.iroot in its output directory"`
	Dir   string `json:"dir,omitempty" jsonschema:"directory that the name of the file is relative to; the one of the server if absent"`
	Count int    `json:"count,omitempty" jsonschema:"how often to follow it, once if absent"`
}

type localizeInput struct {
	target
	Method string `json:"method,omitempty" jsonschema:"schedules or noise; if absent schedules, and noise where the checker can say nothing"`
}

// addTools adds the tools to a server.
func (s *server) addTools(m *mcp.Server) {
	addTool(s, m, &mcp.Tool{Name: "check", Title: "Look for interleavings that fail", Description: `Run the tests of a Go package under a scheduler that tries many interleavings, and show one that fails: a data race, a deadlock, a goroutine that blocks for ever, a panic or a failing assertion. The source stays as it is. The result says what failed where, the interleaving as a table, and the schedule file to replay it. The verdict is failed; flaky (a test fails only if a time-out of its own expires early, as on a busy machine) or left (a test leaves goroutines that it does not end); exhausted or covered (no schedule fails, up to the stated bound); passed (none of those that were tried); or inconclusive, with the reason. It takes seconds, 30 s and the build at most unless budget says otherwise.`}, s.check)
	addTool(s, m, &mcp.Tool{Name: "repair", Title: "Mend a concurrency bug", Description: `Reproduce how the tests of a Go package fail under some interleavings, search for edits of the synchronisation that mend it, and validate them by a model checker, by many runs under the race detector and by rules against hiding a failure. The source stays as it is unless write is true. The result has patches (fix-1.patch in the output directory is the best) with the evidence and what it does not show. The status is fixed, incomplete (the validation could not be ended), not-fixed or not-reproduced. It takes from ten seconds to the whole budget, 10 minutes unless given. Read the patch before you use it.`, Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(false)}}, s.repair)
	addTool(s, m, &mcp.Tool{Name: "verify", Title: "Judge a patch", Description: `Say whether a patch mends a concurrency bug and hides nothing, whoever has written it: reproduce the failure without the patch, then validate the patch by the model checker, by runs under the race detector, by rules against hiding a failure (no deleted work, sleeps, dropped messages), by go vet and the other tests. Give the patch as text, as a file, or as the change since a revision. The source stays as it is. The status is fixed if the patch is validated, not-fixed if it is refused, with the reason, incomplete, or not-reproduced if nothing fails without it.`}, s.verify)
	addTool(s, m, &mcp.Tool{Name: "replay", Title: "Show an interleaving again", Description: `Build the program of a schedule that check or repair has saved, follow the schedule, and show the interleaving. It says whether the test fails as recorded, and whether the source has changed since. After a change the verdict may be diverged: the schedule fits no longer, so use check or verify to judge the change.`, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}}, s.replay)
	addTool(s, m, &mcp.Tool{Name: "localize", Title: "Rank the places at fault", Description: `Compare interleavings of a Go package's tests that fail with those that pass, and rank the places in the source that make them fail, each with the kind of fault: an access without the lock that others hold, locks in two orders, a wait that nobody ends. Use it to know where to look. Nothing is written.`, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}}, s.localize)
}

// addTool adds a tool whose calls are command lines. Unless a tool says otherwise, it adds
// files in the output directory, and changes nothing else.
func addTool[In any](s *server, m *mcp.Server, t *mcp.Tool, call func(In) Call) {
	if t.Annotations == nil {
		t.Annotations = &mcp.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(false)}
	}
	mcp.AddTool(m, t, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		return s.call(ctx, req, call(in))
	})
}

func (s *server) check(in checkInput) Call {
	l := s.line("check", in.target).out(in.Out, "mendel-out")
	l.yes("all", in.All).text("strategy", in.Strategy).number("preemptions", in.Preemptions).yes("native", in.Native)
	l.text("since", in.Since).file("baseline", in.Baseline)
	for _, pattern := range in.Exclude {
		l.text("exclude", pattern)
	}
	return l.call("", in.Package)
}

func (s *server) repair(in repairInput) Call {
	var l *line
	if in.Resume != "" { // the directory is where it was
		l = &line{args: []string{"repair"}, dir: s.dir(in.Dir)}
		in.Dir = ""
		l.target(in.target).file("resume", in.Resume).file("out", in.Out)
	} else {
		l = s.line("repair", in.target).out(in.Out, "mendel-out")
	}
	if in.Evidence != "" {
		l.text("from", "-")
	}
	l.file("from", in.From).yes("include-tests", in.IncludeTests).yes("write", in.Write).yes("test", in.Test)
	return l.call(in.Evidence, in.Package)
}

func (s *server) verify(in verifyInput) Call {
	l := s.line("verify", in.target).out(in.Out, filepath.Join("mendel-out", "verify"))
	l.text("since", in.Since).file("from", in.From)
	patch := l.path(in.PatchFile)
	if in.Patch != "" {
		patch = "-"
	}
	if patch == "" && in.Since == "" {
		in.Package = "" // it would be taken for the patch that is missing
	}
	return l.call(in.Patch, patch, in.Package)
}

func (s *server) replay(in replayInput) Call {
	l := &line{args: []string{"replay"}, dir: s.dir(in.Dir)}
	return l.number("count", in.Count).call("", l.path(in.File))
}

func (s *server) localize(in localizeInput) Call {
	return s.line("localize", in.target).text("method", in.Method).call("", in.Package)
}

// dir is the directory of a call; "": the current one.
func (s *server) dir(named string) string {
	if named == "" || filepath.IsAbs(named) {
		return cmp.Or(named, s.o.Dir)
	}
	return filepath.Join(s.o.Dir, named)
}

// A line is a command line that is put together.
type line struct {
	args []string
	dir  string // that names of files are relative to; "": the current one
}

// line begins the command line of a tool with a target.
func (s *server) line(command string, t target) *line {
	l := &line{args: []string{command}, dir: s.dir(t.Dir)}
	return l.text("chdir", l.dir).target(t)
}

// target adds the flags of a target.
func (l *line) target(t target) *line {
	l.text("run", t.Run).text("budget", t.Budget).text("tags", t.Tags)
	if t.Seed != 0 {
		l.text("seed", strconv.FormatUint(t.Seed, 10))
	}
	return l
}

// out adds the output directory. Where another directory than the current one is worked
// in, it is there.
func (l *line) out(named, usual string) *line {
	if named == "" && l.dir != "" {
		named = usual
	}
	return l.file("out", named)
}

// path is the name of a file as seen from the current directory.
func (l *line) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(l.dir, name)
}

func (l *line) file(flag, name string) *line { return l.text(flag, l.path(name)) }

func (l *line) text(flag, value string) *line {
	if value != "" {
		l.args = append(l.args, "--"+flag+"="+value)
	}
	return l
}

func (l *line) number(flag string, n int) *line {
	if n != 0 {
		l.text(flag, strconv.Itoa(n))
	}
	return l
}

func (l *line) yes(flag string, is bool) *line {
	if is {
		l.text(flag, "true")
	}
	return l
}

// call ends the command line with those arguments that there are.
func (l *line) call(stdin string, arguments ...string) Call {
	l.args = append(l.args, "--")
	for _, a := range arguments {
		if a != "" {
			l.args = append(l.args, a)
		}
	}
	return Call{Args: l.args, Stdin: stdin}
}
