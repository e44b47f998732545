package seed

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

func TestSplice(t *testing.T) {
	src := []byte("0123456789")
	got, err := splice(src, []change{{from: 8, to: 9}, {from: 2, to: 2, text: "a"}, {from: 2, to: 4, text: "b"}})
	if err != nil || string(got) != "01ab45679" {
		t.Errorf("%q, %v", got, err)
	}
	for _, wrong := range [][]change{{{from: 1, to: 4}, {from: 3, to: 5}}, {{from: 5, to: 4}}, {{from: 5, to: 11}}} {
		if got, err := splice(src, wrong); err == nil {
			t.Errorf("%v gives %q", wrong, got)
		}
	}
}

// Imports that are not needed any more go, and only these. A file that is not
// formatted stays as it is elsewhere.
func TestApply(t *testing.T) {
	const src = "package p\n\nimport (\n\t\"fmt\"\n\t_ \"os\"\n\t\"sync\"\n)\n\nvar mu sync.Mutex\n\nfunc f() { fmt.Println(   ) }\n"
	at := strings.Index(src, "var mu")
	f := &analysis.File{Source: []byte(src)}
	got, err := apply(f, []change{{from: at, to: at + len("var mu sync.Mutex\n")}})
	want := strings.Replace(strings.Replace(src, "\t\"sync\"\n", "", 1), "var mu sync.Mutex\n", "", 1)
	if err != nil || string(got) != want {
		t.Errorf("%v:\n%s", err, got)
	}
}

// Operators take turns, the seed decides on places, and a limit is kept.
func TestChoose(t *testing.T) {
	var faults []*Fault
	for i := range 6 {
		faults = append(faults, &Fault{Operator: "a", Line: i})
	}
	faults = append(faults, &Fault{Operator: "b"})
	lines := func(seed uint64, limit int) (text string) {
		for _, f := range choose(faults, seed, limit) {
			text += fmt.Sprint(f.Operator, f.Line, " ")
		}
		return text
	}
	if all := lines(1, 0); len(strings.Fields(all)) != 7 || lines(1, 0) != all {
		t.Errorf("%q, then %q", all, lines(1, 0))
	}
	if two := lines(1, 2); !strings.Contains(two, "b0") || len(strings.Fields(two)) != 2 {
		t.Errorf("the first two are %q", two)
	}
	if !slices.ContainsFunc([]uint64{2, 3, 4, 5}, func(seed uint64) bool { return lines(seed, 0) != lines(1, 0) }) {
		t.Error("the seed changes nothing")
	}
}

func TestOperatorsNamed(t *testing.T) {
	names := map[string]bool{}
	for _, op := range Operators() {
		if names[op.Name] || op.Does == "" || op.find == nil {
			t.Errorf("operator %q is there twice, or incomplete", op.Name)
		}
		names[op.Name] = true
	}
	if got, err := operatorsNamed([]string{"dropclose"}); err != nil || len(got) != 1 || got[0].Name != "dropclose" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := operatorsNamed([]string{"magic"}); err == nil || !strings.Contains(err.Error(), "dropclose") {
		t.Errorf("%v", err)
	}
}

func TestPrint(t *testing.T) {
	r := &Result{Possible: 5, Variants: []Variant{
		{Fault: Fault{Operator: "dropclose", File: "a.go", Line: 3, Words: "Stop does not close c"}, Status: Missed, Tried: "passed 7 schedules"},
		{Fault: Fault{Operator: "dropwait", File: "a.go", Line: 9, Words: "Run does not wait for wg"}, Status: Noticed,
			Failure: &Failure{Failure: evidence.Failure{Kind: evidence.Race, Test: "TestRun", Message: "data race: x"}}},
		{Fault: Fault{Operator: "dropdone", File: "b.go", Line: 1, Words: "Run is not counted out of wg"}, Status: Unknown, Reason: "it waits for the network"},
	}}
	r.count()
	var b bytes.Buffer
	if err := r.Print(&b, PrintOptions{Verbose: true, Out: "out"}); err != nil {
		t.Fatal(err)
	}
	const want = `your tests notice 1 of 2 seeded faults; 1 could not be judged
2 more faults are possible and were not tried

got away:
  a.go:3: Stop does not close c.
      dropclose: passed 7 schedules

not judged:
  b.go:1: Run is not counted out of wg.
      dropdone: it waits for the network

noticed:
  a.go:9: Run does not wait for wg.
      dropwait: TestRun: data race: x

The patches are in out.
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &b, want)
	}
}
