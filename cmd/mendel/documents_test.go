package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mendel/internal/sample"
)

// documents are the pages for users, by name as seen from the repository's root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, name := range append(names, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.ToSlash(rel)] = string(text)
	}
	return pages
}

// The README is for the first ten minutes; what is longer belongs into docs.
func TestReadmeIsShort(t *testing.T) {
	if n := len(documents(t)["README.md"]); n > 9000 {
		t.Errorf("README.md has %d bytes, more than 9000: move something to docs/guide.md", n)
	}
}

var (
	readmeCommand = regexp.MustCompile(`(?m)^    go run \./cmd/mendel (.*)$`)
	readmeOutput  = regexp.MustCompile("(?ms)^```\n(.*?)^```$")
	digits        = regexp.MustCompile(`\d+`)
)

// The commands in the README print what it shows. Lines may be left out there,
// and numbers differ from run to run.
func TestReadmeOutput(t *testing.T) {
	sample.Whole(t, "TestDocumentedInvocations knows its commands and flags, and TestScripts/repair_race looks at what is printed")
	if testing.Short() {
		t.Skip("a repair takes some seconds")
	}
	readme := documents(t)["README.md"]
	commands, outputs := readmeCommand.FindAllStringSubmatch(readme, -1), readmeOutput.FindAllStringSubmatch(readme, -1)
	if len(commands) != 2 || len(outputs) != 2 {
		t.Fatalf("%d commands with %d outputs, want a repair and a check", len(commands), len(outputs))
	}
	for i, command := range commands {
		out := t.TempDir()
		var printed bytes.Buffer
		c := newRootCommand()
		args := append(strings.Fields(command[1]), "-C", filepath.Join("..", ".."), "--out", out)
		if args[0] == "repair" { // the calibrated time is too short when other tests take the whole machine
			args = append(args, "--timeout", "30s")
		}
		c.SetArgs(args)
		c.SetOut(&printed)
		c.SetErr(&printed)
		var code exitError
		if err := c.ExecuteContext(t.Context()); err != nil && !errors.As(err, &code) {
			t.Fatalf("mendel %s: %v", command[1], err)
		}
		text := strings.ReplaceAll(printed.String(), out, "mendel-out")
		rest := strings.Split(digits.ReplaceAllString(text, "0"), "\n")
		for line := range strings.Lines(outputs[i][1]) {
			line = strings.TrimSuffix(digits.ReplaceAllString(line, "0"), "\n")
			at := slices.Index(rest, line)
			switch {
			case line == "...":
			case at < 0:
				t.Errorf("mendel %s does not print this line of the README, or not in this order:\n%s\nit prints:\n%s", command[1], line, text)
			default:
				rest = rest[at+1:]
			}
		}
	}
}

// An invocation of mendel in a document, up to what the shell does with it.
var invocation = regexp.MustCompile(`(?:\bmendel|/cmd/mendel|/mendel") ((?:repair|verify|check|cover|localize|mcp|replay|reproduce|seed|stress|report|status)\b[^|>#` + "`" + `\n]*)`)

// The commands and flags in the documents and in the examples of the help texts exist.
func TestDocumentedInvocations(t *testing.T) {
	pages := documents(t)
	for _, c := range newRootCommand().Commands() {
		pages["mendel help "+c.Name()] = c.Example
	}
	seen := 0
	for name, text := range pages {
		for _, m := range invocation.FindAllStringSubmatch(text, -1) {
			var args []string
			for _, word := range strings.Fields(m[1]) {
				if strings.HasPrefix(word, "(") || word == "&&" || word == "||" {
					break
				}
				args = append(args, strings.Trim(word, `",.;:()`))
			}
			c, rest, err := newRootCommand().Find(args)
			if err == nil {
				err = c.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("%s: mendel %s: %v", name, m[1], err)
			}
			seen++
		}
	}
	if seen < 20 {
		t.Errorf("only %d invocations of mendel were found", seen)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	block   = regexp.MustCompile("(?ms)^```.*?^```$")
	slugOut = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// The links between the documents lead to files and headings that exist.
func TestDocumentLinks(t *testing.T) {
	pages := documents(t)
	for name, text := range pages {
		for _, m := range link.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(m[1], "://") {
				continue
			}
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if anchor != "" && !hasHeading(pages[target], anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
}

// hasHeading reports whether a page has a heading with an anchor, as code hosts
// make them.
func hasHeading(text, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
		slug := slugOut.ReplaceAllString(strings.ToLower(m[1]), "")
		if strings.ReplaceAll(slug, " ", "-") == anchor {
			return true
		}
	}
	return false
}
