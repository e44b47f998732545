package rules

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/rules.md anew")

// Each rule that is declared has a row, and each row all that belongs to a rule: the checker decides
// it, or the sources do.
func TestRuleTable(t *testing.T) {
	var rows []string
	for _, r := range Rules {
		rows = append(rows, string(r.Name))
		if r.Forbids == "" || r.Decided == "" || r.Blind == "" || r.check == nil && !r.Checker {
			t.Errorf("%s lacks something", r.Name)
		}
	}
	declared := constantsOf(t, "rules.go", "Name")
	slices.Sort(rows)
	if slices.Sort(declared); !slices.Equal(rows, declared) || len(rows) == 0 {
		t.Errorf("rows for %q, declared are %q", rows, declared)
	}
	if breach := (&Rule{Name: DroppedMessage, Checker: true}).Check(nil); breach != nil {
		t.Errorf("the sources decide what only the checker can: %v", breach)
	}
}

// docs/rules.md has the tables, each between two comments; the rest of the page is written by hand.
func TestDocument(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "rules.md")
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := got
	for table, text := range map[string]string{"rules": ruleTable(), "flags": flagTable()} {
		begin, end := []byte("<!-- "+table+": made from the table in validate/rules -->\n"), []byte("<!-- end of "+table+" -->\n")
		before, rest, ok := bytes.Cut(want, begin)
		_, after, closed := bytes.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("docs/rules.md has no place for the table of %s", table)
		}
		want = slices.Concat(before, begin, []byte(text), end, after)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/rules.md is stale; run go test ./validate/rules -run Document -update")
	}
}

func ruleTable() string {
	var b bytes.Buffer
	b.WriteString("| Rule | What it forbids | How it is decided | What it cannot see |\n|---|---|---|---|\n")
	for _, r := range Rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, r.Forbids, r.Decided, r.Blind)
	}
	return b.String()
}

func flagTable() string {
	var b bytes.Buffer
	b.WriteString("| Flag | What it means | Who gives it | What comes of it |\n|---|---|---|---|\n")
	for _, f := range Flags {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, f.Words, f.From, consequence(f))
	}
	return b.String()
}

// consequence says what comes of a flag.
func consequence(f Flag) string {
	text := "others are preferred"
	if f.Workaround {
		text = "a workaround"
	}
	if f.Elsewhere {
		text += "; what the fix does is done elsewhere, too"
	}
	if f.Rejects != "" {
		text += "; rejected " + f.Rejects
	}
	return text
}
