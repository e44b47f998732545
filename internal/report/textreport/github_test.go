package textreport

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"mendel/internal/dossier"
)

// command is a workflow command as the runner takes it apart.
var command = regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)$`)

// undo is what the runner does to the text of a command, and to a property.
var undo = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")

// properties takes those of a command apart.
func properties(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for p := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			t.Errorf("%q is no property", p)
		}
		out[name] = undo.Replace(value)
	}
	return out
}

func TestGitHub(t *testing.T) {
	text := written(t, func(w io.Writer) error { return GitHub(w, "/src/repo", bank()) })
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d commands, want one for each of two failures and two fixes:\n%s", len(lines), text)
	}
	for i, want := range []struct{ level, file, line, says string }{
		{"error", "m/bank/bank.go", "10", "created at bank/bank_test.go:9"},
		{"error", "", "", "amount is 1, want 2"},
		{"notice", "m/bank/bank.go", "9", "+\tmu     sync.Mutex // guards amount\n"},
		{"notice", "m/bank/bank.go", "10", "fix-2.patch"},
	} {
		m := command.FindStringSubmatch(lines[i])
		if m == nil {
			t.Errorf("%q is no command", lines[i])
			continue
		}
		p := properties(t, m[2])
		if m[1] != want.level || p["file"] != want.file || p["line"] != want.line || p["title"] == "" || !strings.Contains(undo.Replace(m[3]), want.says) {
			t.Errorf("command %d: %s, want %+v", i, lines[i], want)
		}
	}
}

// No text of others becomes a command or a property of its own.
func TestGitHubHostile(t *testing.T) {
	for _, d := range []*dossier.Dossier{hostile(bank(), nasty), hostile(unfixed(), nasty)} {
		text := written(t, func(w io.Writer) error { return GitHub(w, "", d) })
		controls(t, text, "\n\t")
		for line := range strings.Lines(text) {
			m := command.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				t.Errorf("%q is no command", line)
				continue
			}
			for name := range properties(t, m[2]) {
				if name != "file" && name != "line" && name != "title" {
					t.Errorf("a property %s in %s", name, line)
				}
			}
		}
	}
}

func TestBelow(t *testing.T) {
	for _, tt := range []struct{ root, dir, want string }{
		{"/a", "/a", ""}, {"/a", "/a/b/c", "b/c"}, {"/a", "/ab", ""}, {"/a/b", "/a", ""}, {"", "/a", ""}, {"/a", "", ""}, {"/a", "relative", ""},
	} {
		if got := below(tt.root, tt.dir); got != tt.want {
			t.Errorf("%q below %q is %q, want %q", tt.dir, tt.root, got, tt.want)
		}
	}
}
