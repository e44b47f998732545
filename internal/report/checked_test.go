package report

import (
	"bytes"
	"strings"
	"testing"

	"mendel/checker/sched/explore"
	"mendel/validate"
)

// What the checker did stands in the summary and in the patch's message, with
// what it left open, and never more than was done.
func TestChecked(t *testing.T) {
	for _, c := range []struct {
		name    string
		checked validate.Checked
		want    string // "": nothing
		limit   string
	}{
		{"not used", validate.Checked{}, "", ""},
		{
			"bounded", validate.Checked{Verdict: explore.Exhausted, Bound: 2, Followed: 3, Schedules: 1234, Seconds: 1.24},
			"Model checker: every schedule with at most 2 preemptions passed (1234 schedules tried in 1.2 s), among them 3 schedules that failed before.",
			"The model checker did not try all schedules with more than 2 preemptions.",
		},
		{
			"all", validate.Checked{Verdict: explore.Exhausted, Bound: -1, Schedules: 1},
			"Model checker: every schedule passed (1 schedule tried in 0.0 s).", "",
		},
		{
			"fair", validate.Checked{Verdict: explore.Exhausted, Bound: 0, Fair: true, Schedules: 40},
			"Model checker: every schedule without preemption in which no busy wait keeps other goroutines waiting passed (40 schedules tried in 0.0 s).",
			"The model checker left out schedules in which a busy wait keeps other goroutines waiting.",
		},
		{
			"budget", validate.Checked{Verdict: explore.Passed, Followed: 1, Schedules: 3000, Seconds: 2},
			"Model checker: 3000 schedules passed in 2.0 s, among them 1 schedule that failed before; there are more.",
			"The model checker did not try all schedules.",
		},
		{
			"uncontrolled", validate.Checked{Verdict: explore.Passed, Reason: "all schedules were tried, but not all of the program is under control: net.Dial", Schedules: 30, Seconds: 1},
			"Model checker: 30 schedules passed in 1.0 s.",
			"The model checker did not cover everything: all schedules were tried, but not all of the program is under control: net.Dial.",
		},
		{
			"as the bug needed", validate.Checked{Verdict: explore.Exhausted, Bound: 2, Needed: 1, Schedules: 40, Seconds: 1},
			"Model checker: every schedule with at most 2 preemptions passed; the bug needed 1 (40 schedules tried in 1.0 s).",
			"The model checker did not try all schedules with more than 2 preemptions.",
		},
		{
			"less than the bug needed", validate.Checked{Verdict: explore.Exhausted, Bound: 1, Needed: 2, Schedules: 40, Seconds: 1},
			"Model checker: every schedule with at most 1 preemption passed; the bug needed 2 (40 schedules tried in 1.0 s).",
			"The model checker did not try all schedules with more than 1 preemption, and the bug needed 2.",
		},
		{
			"covered", validate.Checked{Verdict: explore.Covered, Followed: 1, Schedules: 30, Seconds: 1},
			"Model checker: every outcome of every schedule passed (30 schedules tried in 1.0 s), among them 1 schedule that failed before.", "",
		},
		{
			"no verdict", validate.Checked{Verdict: explore.Inconclusive, Reason: "a step took too long:\ngoroutine 7."},
			"Model checker: no verdict, a step took too long: goroutine 7.", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := story()
			s.Fix.Checked = c.checked
			if got := checkedWords(c.checked); got != c.want {
				t.Errorf("words\n%q, want\n%q", got, c.want)
			}
			var summary bytes.Buffer
			if err := Summary(&summary, s); err != nil {
				t.Fatal(err)
			}
			for where, text := range map[string]string{"summary": summary.String(), "message": Message(s)} {
				flat := strings.Join(strings.Fields(text), " ")
				if !strings.Contains(flat, c.want) || !strings.Contains(flat, c.limit) {
					t.Errorf("%s does not tell:\n%s", where, text)
				}
				if named := strings.Contains(flat, "odel checker"); named != (c.want != "") {
					t.Errorf("%s names the checker: %v", where, named)
				}
			}
		})
	}
}
