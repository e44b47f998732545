package diagnosis_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
	"mendel/internal/localize"
	"mendel/internal/operators"
	"mendel/mutate"
)

var update = flag.Bool("update", false, "write docs/faults.md anew")

var remedies = diagnosis.Remedies

// Each fault has a sentence, somebody who names it, and strategies or a reason why there are
// none; strategies are of operators that there are.
func TestFaults(t *testing.T) {
	for _, f := range evidence.Faults() {
		if f.Doc() == "" || len(namedBy(f)) == 0 {
			t.Errorf("%s: doc %q, named by %q", f, f.Doc(), namedBy(f))
		}
		i := slices.IndexFunc(remedies, func(r diagnosis.Remedy) bool { return r.Fault() == f })
		switch {
		case i < 0:
			t.Errorf("%s is not in the table of strategies", f)
		case (len(remedies[i].Strategies()) == 0) != (remedies[i].None() != ""):
			t.Errorf("%s has strategies or says why not: %v, %q", f, remedies[i].Strategies(), remedies[i].None())
		}
	}
	if len(remedies) != len(evidence.Faults()) {
		t.Errorf("%d faults, %d in the table of strategies", len(evidence.Faults()), len(remedies))
	}
	check := func(name, doc string, kinds []evidence.Kind, faults []evidence.Fault) {
		if name == "" || doc == "" || len(kinds) == 0 || len(faults) == 0 {
			t.Errorf("diagnosis %q: %q, of %q, names %q", name, doc, kinds, faults)
		}
		for _, f := range faults {
			if f.Doc() == "" {
				t.Errorf("diagnosis %s names %q, which is no fault", name, f)
			}
		}
	}
	for _, d := range localize.Diagnoses() {
		check(d.Name, d.Doc, d.Kinds, d.Faults)
	}
	for _, d := range diagnosis.Diagnoses() {
		check(d.Name, d.Doc, d.Kinds, d.Faults)
	}
}

// Each operator claims the faults that it mends, or says why it claims none; what it claims
// has it among its strategies, and each fault that has strategies is claimed.
func TestOperators(t *testing.T) {
	all := operators.All()
	claimed := map[evidence.Fault]bool{}
	for _, op := range all {
		if (len(op.Faults) == 0) != (op.NoFault != "") {
			t.Errorf("%s claims %q, or none because %q", op.Name, op.Faults, op.NoFault)
		}
		for _, f := range op.Faults {
			claimed[f] = true
			if !slices.ContainsFunc(diagnosis.Strategies(f), func(s diagnosis.Strategy) bool { return s.Operator == op.Name }) {
				t.Errorf("%s claims to mend %s, and is none of its strategies", op.Name, f)
			}
		}
	}
	for _, r := range remedies {
		if (len(r.Strategies()) > 0) != claimed[r.Fault()] {
			t.Errorf("%s: claimed %t, but %d strategies", r.Fault(), claimed[r.Fault()], len(r.Strategies()))
		}
		for _, s := range r.Strategies() {
			if !slices.ContainsFunc(all, func(op *mutate.Operator) bool { return op.Name == s.Operator }) {
				t.Errorf("%s: there is no operator %s", r.Fault(), s.Operator)
			}
			if i := slices.IndexFunc(all, func(op *mutate.Operator) bool { return op.Name == s.Operator }); i >= 0 && all[i].Needs == "" {
				t.Errorf("%s is a strategy for %s, and does not say what it needs", s.Operator, r.Fault())
			}
		}
	}
}

// docs/faults.md has the table.
func TestDocument(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "faults.md")
	want := document()
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
		t.Errorf("docs/faults.md is stale; run go test ./internal/diagnosis -run Document -update")
	}
}

// namedBy are the diagnoses that can name a fault.
func namedBy(f evidence.Fault) (list []string) {
	for _, d := range localize.Diagnoses() {
		if slices.Contains(d.Faults, f) {
			list = append(list, d.Name)
		}
	}
	for _, d := range diagnosis.Diagnoses() {
		if slices.Contains(d.Faults, f) {
			list = append(list, d.Name)
		}
	}
	return list
}

func document() []byte {
	var b bytes.Buffer
	b.WriteString(`# Faults

<!-- Made from the tables of faults, diagnoses, strategies and operators by the test that checks this page. -->

A fault is what is wrong with a program, where a kind of failure is how it shows. A diagnosis explains failures and names faults: by executions (package ` + "`internal/localize`" + `), or by the source (` + "`internal/diagnosis`" + `), which also does where there is no execution but a dump of goroutines or a panic that somebody has kept. Each fault has strategies, in the order in which a careful maintainer would try them. A repair tries the edits of the first strategies for the first faults before anything else, two of each before the next has its turn; those with flags come last. An edit of a strategy is in the function of a place that the diagnosis names, unless something else that the two have in common stands behind the strategy.

## From faults to strategies

| fault | what is wrong | named by | strategies |
|---|---|---|---|
`)
	for _, f := range evidence.Faults() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f, f.Doc(), strings.Join(namedBy(f), ", "), mendedBy(f))
	}
	b.WriteString(`
## Diagnoses

| diagnosis | explains | by |
|---|---|---|
`)
	row := func(name, doc string, kinds []evidence.Kind) {
		var words []string
		for _, k := range kinds {
			words = append(words, string(k))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, strings.Join(words, ", "), doc)
	}
	for _, d := range localize.Diagnoses() {
		row(d.Name, d.Doc, d.Kinds)
	}
	for _, d := range diagnosis.Diagnoses() {
		row(d.Name, d.Doc, d.Kinds)
	}
	b.WriteString(`
## From operators to faults

An operator that claims a fault is also likelier wherever the fault is found.

| operator | faults that it claims |
|---|---|
`)
	for _, op := range operators.All() {
		var faults []string
		for _, f := range op.Faults {
			faults = append(faults, string(f))
		}
		what := strings.Join(faults, ", ")
		if what == "" {
			what = "none: " + op.NoFault
		}
		fmt.Fprintf(&b, "| [%s](../mutate/%s/doc.go) | %s |\n", op.Name, op.Name, what)
	}
	return b.Bytes()
}

// mendedBy are the strategies for a fault in words.
func mendedBy(f evidence.Fault) string {
	i := slices.IndexFunc(remedies, func(r diagnosis.Remedy) bool { return r.Fault() == f })
	if remedies[i].None() != "" {
		return "none: " + remedies[i].None()
	}
	var list []string
	for _, s := range remedies[i].Strategies() {
		text := s.Operator
		if len(s.Forms) > 0 {
			text += " " + strings.Join(s.Forms, ", ")
		}
		if s.Bound != diagnosis.InFunction {
			text += " (" + string(s.Bound) + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}
