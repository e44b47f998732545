package seeded

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
)

// repairedShare of the variants are to be repaired and verified: 26 of 30.
const repairedShare = 26.0 / 30

// A report is the outcome of the command, as saved in seeded.json.
type report struct {
	tables.Machine
	Mendel    string     `json:"mendel"` // hash of the source that seeded and repaired
	Seed      uint64     `json:"seed"`
	Wanted    int        `json:"wanted"` // variants of each library in the mean
	Repair    bool       `json:"repair"`
	Localize  bool       `json:"localize"`
	Limit     string     `json:"limit"`  // of one repair
	Effort    string     `json:"effort"` // of a verification
	Libraries []*library `json:"libraries"`
}

// A library is a module with its variants.
type library struct {
	Name     string          `json:"name"` // path and version
	Packages []seededPackage `json:"packages"`
	Variants []*variant      `json:"variants"` // chosen of those that were found; null: not yet
}

// A seededPackage is what its tests notice.
type seededPackage struct {
	Package  string     `json:"package"` // slash-separated directory
	Run      string     `json:"run,omitempty"`
	Left     []string   `json:"left,omitempty"`   // tests that fail as they are
	Delayed  []string   `json:"delayed"`          // those that fail under noise; null: not looked for yet
	Reason   string     `json:"reason,omitempty"` // why nothing was seeded
	Possible int        `json:"possible"`
	Noticed  int        `json:"noticed"`
	Missed   int        `json:"missed"`
	Unknown  int        `json:"unknown"`
	Found    []*variant `json:"found"` // noticed
}

func (p seededPackage) line() string {
	if p.Reason != "" {
		return p.Reason
	}
	return fmt.Sprintf("%d of %d seeded faults noticed, %d unknown, %d possible", p.Noticed, p.Noticed+p.Missed, p.Unknown, p.Possible)
}

// A variant is a package with a fault that its tests notice.
type variant struct {
	Package  string        `json:"package"`
	Run      string        `json:"run,omitempty"`
	Operator string        `json:"operator"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Words    string        `json:"words"`
	Kind     evidence.Kind `json:"kind"`
	Test     string        `json:"test"`
	Message  string        `json:"message"`
	Fault    string        `json:"fault"`           // patch that seeds it
	Found    *found        `json:"found,omitempty"` // by localize
	Trial    *trial.Trial  `json:"trial,omitempty"`
	Proof    *proof        `json:"proof,omitempty"`
}

func (v *variant) place() string { return fmt.Sprintf("%s:%d", v.File, v.Line) }

// wanted are the tests that the variant's pattern selects.
func (v *variant) wanted(tests []string) (some []string) {
	run := regexp.MustCompile(v.Run)
	for _, name := range tests {
		if run.MatchString(name) {
			some = append(some, name)
		}
	}
	return some
}

// noticing is a -run pattern of the test that notices the fault.
func (v *variant) noticing() string {
	name, _, _ := strings.Cut(v.Test, "/")
	if name == "" {
		return v.Run // a failure of none, or of all
	}
	return "^" + regexp.QuoteMeta(name) + "$"
}

// repaired reports whether there is a fix that nothing speaks against.
func (v *variant) repaired() bool {
	return v.Trial != nil && v.Trial.OK() && v.Proof != nil && v.Proof.problem() == ""
}

// line says in a line what became of a repair.
func (v *variant) line() string {
	text := v.Trial.Line()
	if v.Proof != nil {
		text += fmt.Sprintf("; %d noised runs, %s, inverse: %t", v.Proof.Runs, v.Proof.Checked, v.Proof.Inverse)
		if problem := v.Proof.problem(); problem != "" {
			text += tables.ProblemLines([]string{problem})
		}
	}
	return text
}

// library is the one with a name, made if it is not there.
func (r *report) library(name string) *library {
	i := slices.IndexFunc(r.Libraries, func(l *library) bool { return l.Name == name })
	if i < 0 {
		r.Libraries, i = append(r.Libraries, &library{Name: name}), len(r.Libraries)
	}
	return r.Libraries[i]
}

// of is the package of a variant.
func (r *report) of(v *variant) *seededPackage {
	for _, l := range r.Libraries {
		if slices.Contains(l.Variants, v) {
			i := slices.IndexFunc(l.Packages, func(p seededPackage) bool { return p.Package == v.Package })
			return &l.Packages[i]
		}
	}
	panic("seeded: a variant of no library")
}

// counts are those of the variants that were repaired, or tried to be.
func (r *report) counts() (variants, tried, fixed, repaired, inverse int, seconds []float64) {
	for _, l := range r.Libraries {
		for _, v := range l.Variants {
			variants++
			if v.Trial == nil {
				continue
			}
			tried++
			if v.Trial.OK() {
				fixed++
			}
			if v.repaired() {
				repaired++
				seconds = append(seconds, v.Trial.Seconds)
				if v.Proof.Inverse {
					inverse++
				}
			}
		}
	}
	return
}

// Failures implements tables.Document.
func (r *report) Failures() []string {
	var failures []string
	variants, _, _, repaired, _, _ := r.counts()
	if want := r.Wanted * len(r.Libraries); variants < want {
		failures = append(failures, fmt.Sprintf("%d variants, want %d", variants, want))
	}
	if r.Repair && float64(repaired) < repairedShare*float64(variants) {
		failures = append(failures, fmt.Sprintf("repaired and verified %d of %d variants, want %.0f %%", repaired, variants, repairedShare*100))
	}
	if places, first, _ := r.localised(); r.Localize && (places < variants || float64(first) < firstShare*float64(places)) {
		failures = append(failures, fmt.Sprintf("the fault is among the first %d places in %d of %d variants, want %.0f %%", firstPlaces, first, variants, firstShare*100))
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; %s at most for each repair; each patch verified with %s; seed %d; Mendel's source %s.\n\n", r.Machine, r.Limit, r.Effort, r.Seed, r.Mendel)
	packages := tables.Table{Header: []string{"library", "package", "possible", "tried", "noticed", "missed", "unknown", "left out"}}
	faults := tables.Table{Header: []string{"variant", "operator", "place", "failure", "rank", "first places", "repaired", "verified", "seconds", "fix", "inverse"}}
	n := 0
	for _, l := range r.Libraries {
		for _, p := range l.Packages {
			left := strings.Join(p.Left, " ")
			if p.Reason != "" {
				left = p.Reason
			}
			packages.Add(l.Name, p.Package, p.Possible, p.Noticed+p.Missed+p.Unknown, p.Noticed, p.Missed, p.Unknown, left)
		}
		for _, v := range l.Variants {
			n++
			faults.Add(n, v.Operator, v.place(), v.Kind)
			faults.Extend(v.Found.cells()...)
			faults.Extend(v.cells()...)
		}
	}
	if err := packages.Render(w, markdown); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := faults.Render(w, markdown); err != nil {
		return err
	}
	if err := r.writeFound(w); err != nil {
		return err
	}
	for _, l := range r.Libraries {
		for _, p := range l.Packages {
			if len(p.Delayed) > 0 {
				fmt.Fprintf(w, "\nUnder noise %s of %s, package %s, fail as they are; their assertions do not count in the verification.\n", strings.Join(p.Delayed, ", "), l.Name, p.Package)
			}
		}
	}
	_, tried, fixed, repaired, inverse, seconds := r.counts()
	if tried == 0 {
		_, err := fmt.Fprintf(w, "\n%d variants, none of them repaired yet.\n", n)
		return err
	}
	median := "-"
	if len(seconds) > 0 {
		median = fmt.Sprintf("%.0f", tables.Median(seconds))
	}
	_, err := fmt.Fprintf(w, "\nOf %d variants %d were tried: %d repaired, %d of them verified, in %s s in the median. Exact inverses of the seeded fault: %d of %d.\n",
		n, tried, fixed, repaired, median, inverse, repaired)
	return err
}

// cells are what became of a repair.
func (v *variant) cells() []string {
	if v.Trial == nil {
		return []string{"-", "-", "-", "-", "-"}
	}
	repaired, verified, inverse := "no: "+string(v.Trial.Status), "-", "-"
	if v.Trial.OK() {
		repaired = "yes"
	}
	if v.Proof != nil {
		verified, inverse = "yes", "no"
		if problem := v.Proof.problem(); problem != "" {
			verified = "no: " + tables.FirstLine(problem)
		}
		if v.Proof.Inverse {
			inverse = "yes"
		}
	}
	return []string{repaired, verified, fmt.Sprintf("%.0f", v.Trial.Seconds), strings.Join(v.Trial.Operators, "+"), inverse}
}
