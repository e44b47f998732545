package winners

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/operators"
)

// A report is the outcome of the command, as saved in operators.json.
type report struct {
	tables.Machine
	Mendel   string     `json:"mendel"` // hash of the source that repaired
	Seed     uint64     `json:"seed"`
	Limit    string     `json:"limit"` // of one repair
	Programs []*outcome `json:"programs"`
	Saved    []*saved   `json:"saved,omitempty"`
}

// An outcome is what became of a program.
type outcome struct {
	program
	attempt
	Without attempt `json:"without"` // the operators wanted

	left bool // not chosen now
}

// An attempt is a repair and the best patch.
type attempt struct {
	Trial *trial.Trial `json:"trial,omitempty"` // nil: not yet
	Patch string       `json:"patch,omitempty"`
}

// winners are the operators that won with a repair, each once: that which drew the
// candidate first, if the fix has none of its own edits.
func winners(t *trial.Trial) []string {
	if t == nil || t.Status != mendel.Fixed {
		return nil
	}
	var names []string
	for _, name := range append([]string{t.Drawn}, t.Operators...) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// won reports whether an operator won that should.
func (o *outcome) won() bool {
	return slices.ContainsFunc(winners(o.Trial), func(name string) bool { return slices.Contains(o.Wanted, name) })
}

// unwritten is what the best fix should write and does not; "" if it writes everything.
func (o *outcome) unwritten() string {
	var after strings.Builder // what the patch says of the lines that are there afterwards
	for line := range strings.Lines(o.Patch) {
		if !strings.HasPrefix(line, "-") {
			after.WriteString(line[1:])
		}
	}
	for _, wanted := range o.Writes {
		if !regexp.MustCompile("(?m)" + wanted).MatchString(after.String()) {
			return wanted
		}
	}
	return ""
}

// alone reports whether nothing mends the program without the operators wanted.
func (o *outcome) alone() bool {
	return o.won() && o.Without.Trial != nil && o.Without.Trial.Status != mendel.Fixed
}

// Failures implements tables.Document.
func (r *report) Failures() []string {
	var failures []string
	for _, p := range r.Programs {
		switch {
		case p.Trial == nil:
			failures = append(failures, p.Name+" is not repaired yet")
		case !p.Trial.OK():
			failures = append(failures, fmt.Sprintf("%s: %s", p.Name, p.Trial.Line()))
		case !p.won():
			failures = append(failures, fmt.Sprintf("%s: %s won, want %s", p.Name, strings.Join(winners(p.Trial), " "), strings.Join(p.Wanted, " or ")))
		case p.unwritten() != "":
			failures = append(failures, fmt.Sprintf("%s: the fix does not write %q", p.Name, p.unwritten()))
		}
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; %s at most for each repair; seed %d; Mendel's source %s.\n\n", r.Machine, r.Limit, r.Seed, r.Mendel)
	if err := r.programTable().Render(w, markdown); err != nil {
		return err
	}
	won, alone, tried := 0, 0, 0
	for _, p := range r.Programs {
		if p.won() {
			won++
		}
		if p.Without.Trial != nil {
			tried++
		}
		if p.alone() {
			alone++
		}
	}
	fmt.Fprintf(w, "\nAn operator that should won %d of %d programs.", won, len(r.Programs))
	if tried > 0 {
		fmt.Fprintf(w, " %d of %d have no fix without it.", alone, tried)
	}
	fmt.Fprint(w, "\n\n")
	if err := r.operatorTable().Render(w, markdown); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.neverLine())
	return err
}

// programTable has a row for each program.
func (r *report) programTable() *tables.Table {
	t := &tables.Table{Header: []string{"program", "should win", "won", "best fix", "lines", "evaluations", "seconds", "without those that should win"}}
	for _, p := range r.Programs {
		t.Add(p.Name, strings.Join(p.Wanted, " or "))
		if p.Trial == nil {
			t.Extend("-", "-", "-", "-", "-", "-")
			continue
		}
		verdict := "no"
		if p.won() {
			verdict = "yes"
		}
		t.Extend(verdict, fixWords(p.Trial))
		t.Extend(linesWords(p.Trial), fmt.Sprint(p.Trial.Search.Evaluations), fmt.Sprintf("%.0f", p.Trial.Seconds), withoutWords(p.Without.Trial))
	}
	return t
}

// fixWords are the operators of the best fix, and whose composite edit it was;
// else the status.
func fixWords(t *trial.Trial) string {
	if t.Status != mendel.Fixed {
		return string(t.Status)
	}
	var names []string
	times := map[string]int{}
	for _, name := range t.Operators {
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if times[name] > 1 {
			names[i] = fmt.Sprintf("%d %s", times[name], name)
		}
	}
	text := strings.Join(names, " + ")
	if t.Drawn != "" && times[t.Drawn] == 0 {
		text += ", a composite of " + t.Drawn
	}
	for _, flag := range t.Flags {
		text += ", " + string(flag)
	}
	return text
}

// linesWords are the changed lines of the best fix.
func linesWords(t *trial.Trial) string {
	if t.Status != mendel.Fixed {
		return "-"
	}
	return fmt.Sprint(t.ChangedLines)
}

// withoutWords are what came of a repair without the operators wanted.
func withoutWords(t *trial.Trial) string {
	switch {
	case t == nil:
		return "-"
	case t.Status != mendel.Fixed:
		return string(t.Status)
	}
	return fmt.Sprintf("%s, %d lines", fixWords(t), t.ChangedLines)
}

// operatorTable has a row for each operator: what it won here and elsewhere.
func (r *report) operatorTable() *tables.Table {
	t := &tables.Table{Header: []string{"operator", "programs"}}
	for _, s := range r.Saved {
		t.Header = append(t.Header, s.Name)
	}
	for _, operator := range operators.All() {
		t.Add(operator.Name, countWords(r.wins(operator.Name)))
		for _, s := range r.Saved {
			t.Extend(countWords(s.Wins[operator.Name]))
		}
	}
	return t
}

// wins are the programs that an operator won.
func (r *report) wins(operator string) (names []string) {
	for _, p := range r.Programs {
		if slices.Contains(winners(p.Trial), operator) {
			names = append(names, p.Name)
		}
	}
	return names
}

// countWords are the number of some names and the names.
func countWords(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	return fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", "))
}

// neverLine names the operators that won nowhere.
func (r *report) neverLine() string {
	var never []string
	for _, operator := range operators.All() {
		if len(r.wins(operator.Name)) > 0 || slices.ContainsFunc(r.Saved, func(s *saved) bool { return s.won(operator.Name) }) {
			continue
		}
		never = append(never, operator.Name)
	}
	if len(never) == 0 {
		return "Every operator has won somewhere."
	}
	return fmt.Sprintf("%d operators have won nowhere: %s.", len(never), strings.Join(never, ", "))
}
