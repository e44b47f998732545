package kill

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
)

// A report is the outcome of the kill command.
type report struct {
	Command     string         `json:"command"`
	Machine     tables.Machine `json:"machine"`
	Mendel      string         `json:"mendel"` // what identifies the version
	Subject     string         `json:"subject"`
	Source      string         `json:"source"` // what identifies the subject's source
	Seed        uint64         `json:"seed"`
	Limit       string         `json:"budget"` // of one repair
	Workers     int            `json:"workers"`
	Undisturbed []repair       `json:"undisturbed"`
	Trials      []killedRepair `json:"trials"`
}

// A repair is how a repair ended.
type repair struct {
	Status      mendel.Status `json:"status"`
	Reason      string        `json:"reason,omitempty"` // when there is no fix
	Exit        int           `json:"exit"`
	Seconds     float64       `json:"seconds"`           // of the process that ended it
	Patches     []string      `json:"patches,omitempty"` // best first, see identity.Patch
	Evaluations int           `json:"evaluations"`       // in the store
	Problems    []string      `json:"problems,omitempty"`
}

// A killedRepair is a repair that was killed and resumed.
type killedRepair struct {
	Nth   int            `json:"nth"` // from 1
	Kills []interruption `json:"kills"`
	// Early counts the repairs before this one that had ended when their moment came.
	Early int `json:"early,omitempty"`
	repair
	Lost     int      `json:"lost"`     // scores that were in the store at a kill and are not at the end
	Repeated int      `json:"repeated"` // scores that were in the store at a kill and were made again
	Left     []string `json:"left,omitempty"`
}

// An interruption is one kill -9.
type interruption struct {
	After       float64 `json:"after"` // seconds since the process began
	Phase       string  `json:"phase"` // the first word of what the repair did; "": it had stored nothing yet
	Evaluations int     `json:"evaluations"`
	Anew        bool    `json:"anew,omitempty"` // there was no repair to resume yet: it was begun anew
}

// early is the phase of a repair that had stored nothing.
const early = "starting"

// best is the patch of the best fix; "": there is none.
func (r repair) best() string {
	if len(r.Patches) == 0 {
		return ""
	}
	return r.Patches[0]
}

func (r *repair) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// line says in a line how a repair ended.
func (r repair) line() string {
	text := fmt.Sprintf("%s, patch %s, %d scores, %.1f s", r.Status, cmp.Or(r.best(), "none"), r.Evaluations, r.Seconds)
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text + tables.ProblemLines(r.Problems)
}

// line says in a line what became of a trial.
func (t killedRepair) line(r *report) string {
	var kills []string
	for _, k := range t.Kills {
		text := fmt.Sprintf("killed after %.1f s (%s, %d scores)", k.After, cmp.Or(k.Phase, early), k.Evaluations)
		if k.Anew {
			text += ", begun anew"
		}
		kills = append(kills, text)
	}
	text := strings.Join(append(kills, t.repair.line()), "; ")
	for _, p := range t.faults(r) {
		text += "\n\tNOT AS IT SHOULD BE: " + p
	}
	return text
}

// faults lists the criteria that a trial does not meet, without its problems.
func (t killedRepair) faults(r *report) []string {
	var faults []string
	if len(t.Kills) == 0 {
		faults = append(faults, "it always ended before it was to be killed")
	}
	if len(r.Undisturbed) > 0 && t.best() != r.Undisturbed[0].best() {
		faults = append(faults, fmt.Sprintf("the fix is %s, that of the undisturbed repair %s", cmp.Or(t.best(), "none"), cmp.Or(r.Undisturbed[0].best(), "none")))
	}
	if t.Lost > 0 {
		faults = append(faults, fmt.Sprintf("%d stored scores were lost", t.Lost))
	}
	if t.Repeated > 0 {
		faults = append(faults, fmt.Sprintf("%d stored scores were made again", t.Repeated))
	}
	for _, l := range t.Left {
		faults = append(faults, "left behind: "+l)
	}
	return faults
}

// duration is how long an undisturbed repair takes, in the mean.
func (r *report) duration() time.Duration {
	sum := 0.0
	for _, u := range r.Undisturbed {
		sum += u.Seconds
	}
	return time.Duration(sum / float64(max(1, len(r.Undisturbed))) * float64(time.Second))
}

// unfinished says what is left to do; nil: nothing.
func (r *report) unfinished(o Options) error {
	if len(r.Undisturbed) < o.Undisturbed || len(r.Trials) < o.Times {
		return fmt.Errorf("%d of %d undisturbed and %d of %d killed repairs are made", len(r.Undisturbed), o.Undisturbed, len(r.Trials), o.Times)
	}
	return nil
}

// open makes the report, or goes on with the one that was saved before if it
// was made under the same conditions.
func (o Options) open(machine tables.Machine, version string, s subject.Subject) (*report, error) {
	source, err := identity.Module(s.Dir)
	if err != nil {
		return nil, err
	}
	r := &report{
		Command: o.Command, Machine: machine, Mendel: version, Subject: s.Name, Source: source,
		Seed: o.Seed, Limit: o.Limit.String(), Workers: o.Workers,
	}
	if o.Out == "" {
		return r, nil
	}
	var old report
	if found, err := tables.ReadSaved(filepath.Join(o.Out, reportName+".json"), &old); err != nil || !found {
		return r, err
	}
	for _, c := range []struct {
		what     string
		was, now any
	}{
		{"subject", old.Subject, r.Subject}, {"source of the subject", old.Source, r.Source},
		{"version of Mendel", old.Mendel, r.Mendel}, {"machine", old.Machine, r.Machine},
		{"--seed", old.Seed, r.Seed}, {"--budget", old.Limit, r.Limit}, {"--workers", old.Workers, r.Workers},
	} {
		if c.was != c.now {
			return nil, fmt.Errorf("the results in %s are of another %s (%v, this is %v); choose another directory with --out", o.Out, c.what, c.was, c.now)
		}
	}
	old.Command = o.Command
	return &old, nil
}

// Write writes the tables.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s\n%s; Mendel %s; subject %s, seed %d, budget %s\n\n", r.Command, r.Machine, r.Mendel, r.Subject, r.Seed, r.Limit)
	undisturbed := tables.Table{Header: []string{"undisturbed repair", "status", "patch", "scores", "seconds"}}
	for i, u := range r.Undisturbed {
		undisturbed.Add(i+1, u.Status, cmp.Or(u.best(), "none"), u.Evaluations, fmt.Sprintf("%.1f", u.Seconds))
	}
	if err := undisturbed.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := r.byPhase().Render(w, markdown); err != nil {
		return err
	}
	var wrong []string
	for _, t := range r.Trials {
		for _, text := range append(t.faults(r), t.Problems...) {
			wrong = append(wrong, fmt.Sprintf("killed repair %d: %s", t.Nth, text))
		}
	}
	if len(wrong) > 0 {
		fmt.Fprintf(w, "\n- %s\n", strings.Join(wrong, "\n- "))
	}
	return nil
}

// byPhase sums up the trials by what the repair did when it was first killed,
// in the order of a repair.
func (r *report) byPhase() *tables.Table {
	t := &tables.Table{Header: []string{"killed when", "repairs", "killed twice", "scores stored then", "same fix", "lost", "made again", "something left", "seconds to the end"}}
	type sums struct{ repairs, twice, stored, same, lost, repeated, left int }
	by := map[string]*sums{}
	seconds, after := map[string][]float64{}, map[string]float64{}
	var phases []string
	for _, trial := range r.Trials {
		if len(trial.Kills) == 0 {
			continue
		}
		first := trial.Kills[0]
		phase := cmp.Or(first.Phase, early)
		s := by[phase]
		if s == nil {
			s = &sums{}
			by[phase] = s
			phases = append(phases, phase)
			after[phase] = first.After
		}
		after[phase] = min(after[phase], first.After)
		s.repairs++
		s.stored += first.Evaluations
		s.lost += trial.Lost
		s.repeated += trial.Repeated
		s.twice += count(len(trial.Kills) > 1)
		s.same += count(len(r.Undisturbed) > 0 && trial.best() == r.Undisturbed[0].best())
		s.left += count(len(trial.Left) > 0)
		seconds[phase] = append(seconds[phase], trial.Seconds)
	}
	slices.SortFunc(phases, func(a, b string) int { return cmp.Compare(after[a], after[b]) })
	for _, p := range phases {
		s := by[p]
		t.Add(p, s.repairs, s.twice, s.stored, s.same, s.lost, s.repeated, s.left, tables.FormatMeanRange(seconds[p]))
	}
	return t
}

// count is 1 for true.
func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Failures are the criteria that are not met.
func (r *report) Failures() []string {
	var failures []string
	for i, u := range r.Undisturbed {
		if u.best() == "" || len(u.Problems) > 0 {
			failures = append(failures, fmt.Sprintf("undisturbed repair %d: %s", i+1, u.line()))
		} else if u.best() != r.Undisturbed[0].best() {
			failures = append(failures, fmt.Sprintf("undisturbed repair %d ends with another fix than the first: nothing can be said of the others", i+1))
		}
	}
	bad := 0
	for _, t := range r.Trials {
		bad += count(len(t.faults(r))+len(t.Problems) > 0)
	}
	if bad > 0 {
		failures = append(failures, fmt.Sprintf("%d of %d killed repairs are not as they should be", bad, len(r.Trials)))
	}
	return failures
}
