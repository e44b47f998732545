package trial

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/commands"
)

// DefaultArm is the name of the arm in which nothing is different.
const DefaultArm = "default"

// An Arm is a way to repair that is compared with the default. An arm that lacks
// a part of the method shows what that part is worth.
type Arm struct {
	Name    string
	command string // repairs are made by this mendel, of another version; "": by this process
	changes []func(*mendel.Options)
}

// Without is the default arm without some operators.
func Without(operators ...string) Arm {
	return Arm{
		Name:    "without " + strings.Join(operators, " "),
		changes: []func(*mendel.Options){func(o *mendel.Options) { o.Without = operators }},
	}
}

// otherVersion begins the text of an arm that has a command.
const otherVersion = "mendel="

// apply changes the options of a repair.
func (a Arm) apply(o *mendel.Options) {
	for _, change := range a.changes {
		change(o)
	}
}

// A variant is a change of the options that has no value.
type variant struct {
	name, help string
	change     func(*mendel.Options)
}

var variants = []variant{
	{DefaultArm, "as mendel repair does it", func(*mendel.Options) {}},
	{"noise-only", "without the checker", func(o *mendel.Options) { o.NoChecker = true }},
	{"checker-only", "without noised runs of mutants", func(o *mendel.Options) { o.NoNoise = true }},
	{"uniform", "operators drawn with equal chances, not by weight", func(o *mendel.Options) { o.Search.Uniform = true }},
	{"random", "random edits of the original, no genetic search", func(o *mendel.Options) { o.Search.Random = true }},
	{"no-opening", "a random first generation", func(o *mendel.Options) { o.Search.NoOpening = true }},
	{"no-composites", "without composite edits", func(o *mendel.Options) { o.Search.NoComposites = true }},
	{"no-batch", "each mutant built by itself", func(o *mendel.Options) { o.Search.NoBatch = true }},
	{"scratch", "each mutant checked from scratch: no schedule of another one counts for it", func(o *mendel.Options) { o.Search.Scratch = true }},
	{"no-ranking", "edits not tried in the order of the ranked places of the fault", func(o *mendel.Options) { o.Search.NoRanking = true }},
	{"no-forcing", "no interleavings predicted and forced", func(o *mendel.Options) { o.Search.NoForcing = true }},
	{"score-only", "no candidate validated, so none ends the search", func(o *mendel.Options) { o.Search.ScoreOnly = true }},
	{"no-slope", "equal scores are equally good, whatever the failures", func(o *mendel.Options) { o.Search.NoSlope = true }},
	{"no-serialize", "serialising fixes rejected", func(o *mendel.Options) { o.NoSerialize = true }},
}

// A parameter is a change of the options that has a value.
type parameter struct {
	name, help string
	parse      func(text string) (func(*mendel.Options), error)
}

// Parameters are CORE's (Kelk 2015, table 4.11) as far as a repair has them.
var parameters = []parameter{
	{"population", "mutants of a generation", positive(func(o *mendel.Options) *int { return &o.Population })},
	{"generations", "at most", positive(func(o *mendel.Options) *int { return &o.Generations })},
	{"count", "noised runs that score a mutant", positive(func(o *mendel.Options) *int { return &o.Count })},
	{"confirm", "noised runs that confirm a fix", positive(func(o *mendel.Options) *int { return &o.Confirm })},
	{"timeout", "of one run, e.g. 2s", duration(func(o *mendel.Options) *time.Duration { return &o.Timeout })},
	{"replace-every", "generations between replacements, -1 never", positiveOrNever(func(o *mendel.Options) *int { return &o.Search.ReplaceEvery })},
	{"replace-fraction", "of the population that may be replaced", fraction(func(o *mendel.Options) *float64 { return &o.Search.ReplaceFraction })},
	{"replace-best", "chance that a good member takes the place", fraction(func(o *mendel.Options) *float64 { return &o.Search.ReplaceBest })},
	{"weak-turns", "bad generations before a member is replaced", positive(func(o *mendel.Options) *int { return &o.Search.WeakTurns })},
	{"weight-window", "generations that count for operators' weights", positive(func(o *mendel.Options) *int { return &o.Search.WeightWindow })},
	{"converge-window", "generations without improvement that end the search, -1 never", positiveOrNever(func(o *mendel.Options) *int { return &o.Search.ConvergeWindow })},
}

// positive parses a value of at least 1.
func positive(field func(*mendel.Options) *int) func(string) (func(*mendel.Options), error) {
	return integer(field, func(n int) error {
		if n < 1 {
			return errors.New("it must be positive")
		}
		return nil
	})
}

// positiveOrNever parses a value of at least 1, or -1 for never.
func positiveOrNever(field func(*mendel.Options) *int) func(string) (func(*mendel.Options), error) {
	return integer(field, func(n int) error {
		if n < 1 && n != -1 {
			return errors.New("it must be positive, or -1 for never")
		}
		return nil
	})
}

func integer(field func(*mendel.Options) *int, check func(int) error) func(string) (func(*mendel.Options), error) {
	return func(text string) (func(*mendel.Options), error) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, errors.New("it must be an integer")
		}
		return func(o *mendel.Options) { *field(o) = n }, check(n)
	}
}

// fraction parses a value above 0, which would mean the default, up to 1.
func fraction(field func(*mendel.Options) *float64) func(string) (func(*mendel.Options), error) {
	return func(text string) (func(*mendel.Options), error) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x <= 1) {
			return nil, errors.New("it must be a number above 0 and at most 1")
		}
		return func(o *mendel.Options) { *field(o) = x }, nil
	}
}

func duration(field func(*mendel.Options) *time.Duration) func(string) (func(*mendel.Options), error) {
	return func(text string) (func(*mendel.Options), error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return nil, errors.New("it must be a positive duration such as 2s")
		}
		return func(o *mendel.Options) { *field(o) = d }, nil
	}
}

// OfVersion is the arm of an executable of Mendel.
func OfVersion(path string) (Arm, error) { return parseArm(otherVersion + path) }

// parseArm reads an arm: changes joined by "+", such as "random+population=2".
func parseArm(text string) (Arm, error) {
	if path, ok := strings.CutPrefix(strings.TrimSpace(text), otherVersion); ok {
		command, err := commands.Find(path, "build the other version's ./cmd/mendel first")
		if err != nil {
			return Arm{}, fmt.Errorf("--arm %s: %w", text, err)
		}
		return Arm{Name: otherVersion + filepath.Base(command), command: command}, nil
	}
	parts := strings.Split(strings.TrimSpace(text), "+")
	slices.Sort(parts) // the same changes are the same arm
	parts = slices.Compact(parts)
	a := Arm{Name: strings.Join(parts, "+")}
	if len(parts) > 1 && slices.Contains(parts, DefaultArm) {
		return a, fmt.Errorf("--arm %s: %s stands alone", text, DefaultArm)
	}
	seen := map[string]bool{}
	for _, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		if seen[name] {
			return a, fmt.Errorf("--arm %s: two values of %s", text, name)
		}
		seen[name] = true
		change, err := parseChange(part)
		if err != nil {
			return a, fmt.Errorf("--arm %s: %w", text, err)
		}
		a.changes = append(a.changes, change)
	}
	if seen["noise-only"] && seen["checker-only"] {
		return a, fmt.Errorf("--arm %s: nothing is left to judge by", text)
	}
	return a, nil
}

// parseChange reads "name" or "name=value".
func parseChange(text string) (func(*mendel.Options), error) {
	name, value, valued := strings.Cut(text, "=")
	if i := slices.IndexFunc(variants, func(v variant) bool { return v.name == name }); i >= 0 {
		if valued {
			return nil, fmt.Errorf("%s has no value", name)
		}
		return variants[i].change, nil
	}
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
	if i < 0 {
		return nil, fmt.Errorf("no arm %q; \"mendel-bench core --help\" lists them", name)
	}
	if !valued {
		return nil, fmt.Errorf("%s needs a value, as in %s=2", name, name)
	}
	change, err := parameters[i].parse(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return change, nil
}

// ParseArms reads the arms asked for, each once, in their order.
func ParseArms(texts []string) ([]Arm, error) {
	var arms []Arm
	for _, text := range texts {
		a, err := parseArm(text)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(arms, func(b Arm) bool { return b.Name == a.Name }) {
			arms = append(arms, a)
		}
	}
	if len(arms) == 0 {
		return nil, errors.New("--arm: there is none to try")
	}
	return arms, nil
}

// ArmsHelp lists the arms for the command's help.
func ArmsHelp() string {
	var b strings.Builder
	for _, v := range variants {
		fmt.Fprintf(&b, "  %-22s%s\n", v.name, v.help)
	}
	for _, p := range parameters {
		fmt.Fprintf(&b, "  %-22s%s\n", p.name+"=...", p.help)
	}
	fmt.Fprintf(&b, "  %-22s%s\n", otherVersion+"FILE", "repairs made by this executable, built of another version of Mendel")
	return b.String()
}
