package stress

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"mendel/internal/report"
	"mendel/internal/result"
)

// A Comparison is how two runs, or two sets of runs, of a test differ.
type Comparison struct {
	Test string    `json:"test"`
	A    []LogRun  `json:"a"`
	B    []LogRun  `json:"b"`
	Same int       `json:"same"`             // steps that the first of A and the first of B have in common
	Next [2]*Line  `json:"next"`             // what follows there, in A and in B; null: nothing, the run is over
	Only [2][]Seen `json:"only"`             // orders that occur in runs of A and in none of B, and the other way round
	Last *Line     `json:"before,omitempty"` // the last step in common
}

// A LogRun is a run of a log.
type LogRun struct {
	File      string `json:"file"`
	Run       int    `json:"run"`
	Result    string `json:"result"`
	Signature string `json:"signature,omitempty"`
	Message   string `json:"message,omitempty"`
	Steps     int    `json:"steps"`

	test  string
	steps []Line
}

// A Seen order is two steps of two goroutines that follow each other on one object: First
// before Then.
type Seen struct {
	Order
	Runs int `json:"runs"` // that have it
}

// An Order of two steps on an object.
type Order struct {
	Object string `json:"object"`
	First  Step   `json:"first"`
	Then   Step   `json:"then"`
}

// A Step as it is the same in all runs.
type Step struct {
	Goroutine string `json:"goroutine"`
	Operation string `json:"operation"`
	Place     string `json:"place"`
}

func stepOf(l Line) Step { return Step{l.Goroutine, l.Operation, l.Place} }

func (s Step) String() string {
	if s.Place == "" {
		return s.Goroutine + " " + s.Operation
	}
	return fmt.Sprintf("%s %s (%s)", s.Goroutine, s.Operation, s.Place)
}

// Compare compares runs of logs. Each name is that of a file, with ":n" for run n of it,
// or with ":passed" or ":failed" for all such runs. One name alone stands for the runs of
// the file that passed, and those that failed. Only runs of the same test are compared:
// that of the first run of the last name.
func Compare(names ...string) (*Comparison, error) {
	if len(names) == 1 {
		file, which := splitName(names[0])
		if which != "" {
			return nil, fmt.Errorf("--compare %s: one run is compared with nothing; name another one", names[0])
		}
		names = []string{file + ":passed", file + ":failed"}
	}
	if len(names) != 2 {
		return nil, errors.New("--compare: want one log or two")
	}
	b, err := readRuns(names[1], "")
	if err != nil {
		return nil, err
	}
	c := &Comparison{Test: b[0].test}
	c.B = slices.DeleteFunc(b, func(r LogRun) bool { return r.test != c.Test })
	if c.A, err = readRuns(names[0], c.Test); err != nil {
		return nil, err
	}
	c.diverge()
	a, other := ordersOf(c.A), ordersOf(c.B)
	c.Only[0], c.Only[1] = without(a, other), without(other, a)
	return c, nil
}

// splitName takes a name apart: "run.log:3". A colon of a file's name is none if nothing
// that can be chosen stands behind it.
func splitName(name string) (file, which string) {
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return name, ""
	}
	which = name[i+1:]
	if _, err := strconv.Atoi(which); err == nil || which == "passed" || which == "failed" {
		return name[:i], which
	}
	return name, ""
}

// readRuns reads the runs that a name stands for, of a test if one is named: without a
// choice the first one.
func readRuns(name, test string) ([]LogRun, error) {
	file, which := splitName(name)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read a log: %w", err)
	}
	all, err := parseLog(file, data)
	if err != nil {
		return nil, err
	}
	var chosen []LogRun
	for _, r := range all {
		switch {
		case len(r.steps) == 0, test != "" && r.test != test:
		case which == "", which == r.Result, which == strconv.Itoa(r.Run):
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		of := ""
		if test != "" {
			of = " of " + test
		}
		return nil, fmt.Errorf("%s has no such run%s with steps: %q; mendel stress --log writes them of runs under control", file, of, which)
	}
	if which == "" {
		chosen = chosen[:1]
	}
	return chosen, nil
}

// parseLog reads a log.
func parseLog(file string, data []byte) ([]LogRun, error) {
	var runs []LogRun
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		var l Line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: no line of a log that mendel stress --log writes: %w", file, n, err)
		}
		if l.Event == Begin {
			runs = append(runs, LogRun{File: file, Run: l.Run, Result: "not ended", test: l.Test})
		}
		if len(runs) == 0 {
			return nil, fmt.Errorf("%s:%d: the log begins in the middle of a run", file, n)
		}
		r := &runs[len(runs)-1]
		switch {
		case l.Event == End:
			r.Result, r.Signature, r.Message = l.Result, l.Signature, l.Message
		case l.Step > 0:
			r.steps = append(r.steps, l)
			r.Steps++
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("read the log %s: %w", file, err)
	}
	return runs, nil
}

// diverge finds the first difference of the first runs.
func (c *Comparison) diverge() {
	a, b := c.A[0].steps, c.B[0].steps
	for c.Same < min(len(a), len(b)) && stepOf(a[c.Same]) == stepOf(b[c.Same]) && a[c.Same].With == b[c.Same].With {
		c.Same++
	}
	if c.Same > 0 {
		c.Last = &a[c.Same-1]
	}
	if c.Same < len(a) {
		c.Next[0] = &a[c.Same]
	}
	if c.Same < len(b) {
		c.Next[1] = &b[c.Same]
	}
}

// Different reports whether anything is.
func (c *Comparison) Different() bool {
	return c.Next[0] != nil || c.Next[1] != nil || len(c.Only[0])+len(c.Only[1]) > 0
}

// ordersOf are the orders in some runs, in the order in which they occur, with the number
// of runs that have them. Two reads that follow each other are none.
func ordersOf(runs []LogRun) []Seen {
	var all []Seen
	at := map[Order]int{}
	for _, r := range runs {
		last := map[string]Line{}
		here := map[Order]bool{}
		for _, l := range r.steps {
			before, ok := last[l.Object]
			if l.Object != "" {
				last[l.Object] = l
			}
			if !ok || l.Object == "" || before.Goroutine == l.Goroutine || before.Event == "read" && l.Event == "read" {
				continue
			}
			o := Order{l.Object, stepOf(before), stepOf(l)}
			if here[o] {
				continue
			}
			here[o] = true
			if _, known := at[o]; !known {
				at[o] = len(all)
				all = append(all, Seen{Order: o})
			}
			all[at[o]].Runs++
		}
	}
	return all
}

// without are the orders of some runs that others have not got, the most frequent first.
func without(some, others []Seen) []Seen {
	only := slices.DeleteFunc(slices.Clone(some), func(s Seen) bool {
		return slices.ContainsFunc(others, func(o Seen) bool { return o.Order == s.Order })
	})
	slices.SortStableFunc(only, func(a, b Seen) int { return b.Runs - a.Runs })
	return append([]Seen{}, only...)
}

// JSON is the comparison for machines.
func (c *Comparison) JSON() ([]byte, error) { return result.Indent(c) }

// shownOrders are printed of each side.
const shownOrders = 20

// Print writes the comparison for people.
func (c *Comparison) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", c.Test)
	for i, runs := range [][]LogRun{c.A, c.B} {
		r := runs[0]
		fmt.Fprintf(b, "  %s: run %d of %s, %s, %s", side(i), r.Run, r.File, r.Result, report.Count(r.Steps, "step"))
		if len(runs) > 1 {
			fmt.Fprintf(b, ", and %s", report.Count(len(runs)-1, "other run"))
		}
		if r.Message != "" {
			fmt.Fprintf(b, "\n     %s", report.OneLine(r.Message))
		}
		fmt.Fprintln(b)
	}
	if !c.Different() {
		fmt.Fprintf(b, "They do not differ.\n")
		return b.Flush()
	}
	if c.Next[0] == nil && c.Next[1] == nil {
		fmt.Fprintf(b, "The first runs do not differ.\n")
	} else {
		fmt.Fprintf(b, "First difference, after %s in common\n", report.Count(c.Same, "step"))
		if c.Last != nil {
			fmt.Fprintf(b, "  both: %s\n", stepOf(*c.Last))
		}
		for i, l := range c.Next {
			text := "the run ends"
			if l != nil {
				text = stepOf(*l).String()
			}
			fmt.Fprintf(b, "  %s:    %s\n", side(i), text)
		}
	}
	for i, only := range c.Only {
		fmt.Fprintf(b, "Orders in %s alone: %d\n", side(i), len(only))
		for k, o := range only {
			if k == shownOrders {
				fmt.Fprintf(b, "  ...; --json has all\n")
				break
			}
			fmt.Fprintf(b, "  in %s: %s\n    first %s\n    then  %s\n", report.Count(o.Runs, "run"), o.Object, o.First, o.Then)
		}
	}
	return b.Flush()
}

func side(i int) string { return string(rune('A' + i)) }
