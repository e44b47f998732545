package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write docs/commands.md anew")

// TestCommandsDocument: docs/commands.md is what --help prints, as a page.
func TestCommandsDocument(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "commands.md")
	want := commandsDocument(newRootCommand())
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/commands.md is stale; run go test ./cmd/mendel -run CommandsDocument -update")
	}
}

// commandsDocument is the page of a command line: a section for each command.
func commandsDocument(root *cobra.Command) []byte {
	var b bytes.Buffer
	b.WriteString("# Commands\n\n<!-- Made from the help texts: go test ./cmd/mendel -run CommandsDocument -update -->\n\n")
	fmt.Fprintf(&b, "`%s help COMMAND` prints the same. [guide.md](guide.md) explains more.\n", root.Name())
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s %s\n\n    %s %s\n", root.Name(), c.Name(), root.Name(), c.Use)
		writeProse(&b, c.Long)
		writeFlags(&b, c.Flags())
		if c.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n\n```\n%s\n```\n", regexp.MustCompile(`(?m)^  `).ReplaceAllString(c.Example, ""))
		}
	}
	return b.Bytes()
}

// An item of a list in a help text: two spaces, a name, two spaces or more, an
// explanation. Its further lines are indented deeper.
var item = regexp.MustCompile(`^  (\S+) {2,}(.*)$`)

// writeProse writes a help text as Markdown.
func writeProse(b *bytes.Buffer, text string) {
	before := "" // what the line before was: "", "prose" or "item"
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		m := item.FindStringSubmatch(line)
		switch {
		case line == "":
			before = ""
			continue
		case m != nil:
			if before == "prose" {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "- `%s`: %s\n", m[1], escape(m[2]))
			before = "item"
		case before == "item" && strings.HasPrefix(line, "   "):
			fmt.Fprintf(b, "  %s\n", escape(strings.TrimSpace(line)))
		default:
			if before != "prose" {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "%s\n", escape(line))
			before = "prose"
		}
	}
}

// stated matches the default value in the usage of a flag whose zero value is
// not what it means.
var stated = regexp.MustCompile(` \(default:? ([^)]*)\)$`)

// writeFlags writes the flags of a command as a table.
func writeFlags(b *bytes.Buffer, flags *pflag.FlagSet) {
	b.WriteString("\n| flag | default | meaning |\n|---|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		def := f.DefValue
		switch def {
		case "0", "0s", "false", "[]":
			def = ""
		}
		if m := stated.FindStringSubmatch(usage); m != nil {
			def, usage = m[1], strings.TrimSuffix(usage, m[0])
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, def, escape(usage))
	})
}

// Words of a help text that Markdown shows as code: flags and files.
var code = regexp.MustCompile(`(^|[\s(])(--[a-z][a-z-]*|[\w-]+\.(?:json|html|md|patch|schedule|db)|\./\.\.\.|mendel-out)($|[\s.,:;)])`)

// escape makes Markdown of a line of a help text.
func escape(line string) string {
	line = strings.ReplaceAll(line, "|", "\\|")
	for old := ""; old != line; { // neighbours share the space between them
		old = line
		line = code.ReplaceAllString(line, "$1`$2`$3")
	}
	return line
}
