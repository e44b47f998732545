package scenario

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
)

// orderedBudget is the time for exploring all ordered tests of a program, orderedSchedules how many schedules
// of each are tried: workers of the value may run differently beside the calls.
const (
	orderedBudget    = 5 * time.Second
	orderedSchedules = 2
	// leavingSchedules is how many are tried to see what is left waiting: races end the first ones.
	leavingSchedules = 12
	// patience has the ordered tests wait until nothing else can go on.
	patience = time.Minute
	// together is how many scenarios share a test that makes all their calls one after the other: a
	// test that fails costs a process of its own, and that is how it says what it came to.
	together = 10
)

// An ordered is what the calls of a scenario one after the other come to.
type ordered struct {
	kinds    map[evidence.Kind]checker.Failure // one of each kind
	outcomes []string                          // of each order; "": it differs from schedule to schedule
	// unknown: of an order nobody knows how it ends. A report has a failure that several tests have once.
	unknown bool
}

// random finds what is made anew in each process, such as a token: long words with letters and digits.
var random = regexp.MustCompile(`\b(?:[A-Za-z]+[0-9]|[0-9]+[A-Za-z])[A-Za-z0-9_-]{14,}\b`)

// successes counts the calls that succeed in an outcome, as the driver files do.
func successes(came string) int {
	calls, _, _ := strings.Cut(came, "], then ")
	return strings.Count(calls, "succeeds") + strings.Count(calls, `"true"`)
}

// mended says whether some orders come to something else in the patched program, and all that do are the bug's: what the
// original comes to is no measure then.
func (o ordered) mended(after ordered) bool {
	differ := false
	for i, outcome := range after.outcomes {
		if i < len(o.outcomes) && outcome != o.outcomes[i] {
			if !givenBack(o.outcomes[i], outcome) {
				return false
			}
			differ = true
		}
	}
	return differ
}

// oneResult finds what one call has come to.
var oneResult = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

// givenBack says whether calls come to the same in the patched program as in the original, but that some succeed there
// which have failed, beside another one that fails in both: that one has lost something in the original, which the patch
// gives back.
func givenBack(before, after string) bool {
	was, is := oneResult.FindAllStringSubmatch(before, -1), oneResult.FindAllStringSubmatch(after, -1)
	if len(was) != len(is) || oneResult.ReplaceAllString(before, "") != oneResult.ReplaceAllString(after, "") {
		return false
	}
	fails, mended := false, false
	for i := range was {
		switch b, a := was[i][1], is[i][1]; {
		case a == b:
			fails = fails || strings.HasSuffix(b, "fails")
		case strings.HasSuffix(b, "fails") && strings.HasSuffix(a, "succeeds"):
			mended = true
		default:
			return false
		}
	}
	return fails && mended
}

// complete says whether all orders have an outcome.
func (o ordered) complete() bool { return len(o.outcomes) > 0 && !slices.Contains(o.outcomes, "") }

// A group is scenarios whose ordered tests are one.
type group struct {
	name      string // of the test
	scenarios []*Scenario
}

// groups are the groups of the scenarios of a driver file.
func groups(f *analysis.File, some []*Scenario) []group {
	var all []group
	for chunk := range slices.Chunk(some, together) {
		all = append(all, group{fmt.Sprintf("TestMendelTogether%d%s", len(all)+1, suffix(f)), chunk})
	}
	return all
}

// write writes the tests of a group: one that says what its calls come to, and one that passes.
func (g group) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nfunc %s(t *testing.T) {\n\tt.Errorf(\"came to: %%q\", %s(t))\n}\n", g.name, g.function())
	fmt.Fprintf(b, "\nfunc %s(t *testing.T) {\n\t%s(t)\n}\n", g.leaving(), g.function())
	fmt.Fprintf(b, "\nfunc %s(t *testing.T) []string {\n\tvar came []string\n", g.function())
	for _, x := range g.scenarios {
		for _, order := range x.orders() {
			fmt.Fprintf(b, "\tcame = append(came, mendelScenario%d(t, %s))\n", x.number, orderText(order))
		}
	}
	b.WriteString("\treturn came\n}\n")
}

func (g group) function() string { return "mendelTo" + strings.TrimPrefix(g.name, "TestMendelTo") }

// leaving is the name of the test that passes, and shows what the calls leave waiting.
func (g group) leaving() string {
	return "TestMendelLeaving" + strings.TrimPrefix(g.name, "TestMendelTogether")
}

// orderText is an order as arguments.
func orderText(order []int) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(order), "[]")), ", ")
}

// explore makes the calls of scenarios one after the other in a program, groups of them first. What
// was not explored in time is left out.
func (s *Suite) explore(ctx context.Context, b *checker.Binary, some []*Scenario, budget time.Duration) (map[string]ordered, error) {
	all := map[string]ordered{}
	whole := s.groups(some)
	var tests []string
	for _, g := range whole {
		tests = append(tests, g.name)
	}
	began := time.Now()
	r, err := b.Check(ctx, s.search(tests, budget))
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	var alone []*Scenario
	for _, g := range whole {
		if !g.take(all, r) {
			alone = append(alone, g.scenarios...)
		}
	}
	if left := budget - time.Since(began); len(alone) > 0 && left > 0 {
		err = s.exploreAlone(ctx, b, alone, left, all)
	}
	return all, err
}

// groups are the groups that have one of some scenarios.
func (s *Suite) groups(some []*Scenario) []group {
	var all []group
	for _, f := range s.donorFiles() {
		for _, g := range groups(f, s.inFile(f)) {
			if slices.ContainsFunc(g.scenarios, func(x *Scenario) bool { return slices.Contains(some, x) }) {
				all = append(all, g)
			}
		}
	}
	return all
}

// findLeft finds the goroutines that the calls leave waiting in the original whatever happens: they are how the
// program is, and no failure of a patched one.
func (s *Suite) findLeft(ctx context.Context, b *checker.Binary) error {
	if !s.maker.starts() {
		return nil
	}
	var tests []string
	groups := s.groups(s.Scenarios)
	for _, g := range groups {
		tests = append(tests, g.leaving())
	}
	search := s.search(tests, orderedBudget)
	search.Schedules = leavingSchedules
	r, err := b.Check(ctx, search)
	if err != nil {
		return fmt.Errorf("scenarios: %w", err)
	}
	for _, f := range r.Failures {
		if f.Kind == evidence.Blocked {
			s.left = append(s.left, noise.Left(f.Failure)...)
		}
	}
	slices.Sort(s.left)
	s.left = slices.Compact(s.left)
	s.unsettled = map[*Scenario]bool{}
	for _, g := range groups {
		if g.ended(r) {
			continue
		}
		for _, x := range g.scenarios {
			s.unsettled[x] = true
		}
	}
	return nil
}

// ended says whether the test of a group that passes came to its end, so that it is known what is left
// waiting then.
func (g group) ended(r *checker.Report) bool {
	explored := slices.ContainsFunc(r.Tests, func(t checker.TestReport) bool { return t.Name == g.leaving() && t.Schedules > 0 })
	return explored && !slices.ContainsFunc(r.Failures, func(f checker.Failure) bool {
		return f.Test == g.leaving() && f.Kind != evidence.Race && f.Kind != evidence.Blocked
	})
}

// search is how ordered tests are explored.
func (s *Suite) search(tests []string, budget time.Duration) checker.Search {
	return checker.Search{Budget: budget, Schedules: orderedSchedules, All: true, PastRaces: true, Tests: tests, Single: true, Patience: patience, Standing: s.left}
}

// take takes what a group came to from a report; false: something failed, or was not explored, and each has to
// be asked alone.
func (g group) take(all map[string]ordered, r *checker.Report) bool {
	came, clean := cameToIn(r.Failures, g.name)
	if !clean || len(came) == 0 {
		return false
	}
	for _, x := range g.scenarios {
		o := ordered{kinds: map[evidence.Kind]checker.Failure{}}
		for range x.orders() {
			if len(came[0]) == 0 {
				return false
			}
			outcome := came[0][0]
			for i, other := range came {
				if len(other) == 0 || other[0] != outcome || random.MatchString(outcome) {
					outcome = ""
				}
				came[i] = other[min(1, len(other)):]
			}
			o.outcomes = append(o.outcomes, outcome)
		}
		all[x.Name] = o
	}
	return true
}

// exploreAlone makes the calls of each scenario in executions of their own.
func (s *Suite) exploreAlone(ctx context.Context, b *checker.Binary, some []*Scenario, budget time.Duration, all map[string]ordered) error {
	var tests []string
	for _, x := range some {
		for i := range x.orders() {
			tests = append(tests, x.ordered(i))
		}
	}
	r, err := b.Check(ctx, s.search(tests, budget))
	if err != nil {
		return fmt.Errorf("scenarios: %w", err)
	}
	seen := map[string]bool{}
	for _, t := range r.Tests {
		seen[t.Name] = t.Schedules > 0
	}
	for _, x := range some {
		o, explored := ordered{kinds: map[evidence.Kind]checker.Failure{}}, true
		for i := range x.orders() {
			explored = explored && seen[x.ordered(i)]
			o.add(r.Failures, x.ordered(i))
		}
		if explored {
			all[x.Name] = o
		}
	}
	return nil
}

// add adds what one order came to.
func (o *ordered) add(failures []checker.Failure, test string) {
	came, _ := cameToIn(failures, test)
	for _, f := range failures {
		if f.Test == test && !isOutcome(f) {
			o.kinds[f.Kind] = f
		}
	}
	o.unknown = o.unknown || len(came) == 0
	outcome := ""
	if len(came) == 1 && len(came[0]) == 1 && !random.MatchString(came[0][0]) {
		outcome = came[0][0]
	}
	o.outcomes = append(o.outcomes, outcome)
}

// cameTo finds what an ordered test says, a string or a list of strings as Go quotes them.
var cameTo = regexp.MustCompile(`^[^"]*came to: \[?("(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*)`)

// isOutcome says whether a failure is the way in which an ordered test says what it came to.
func isOutcome(f checker.Failure) bool {
	return f.Kind == evidence.TestFailure && cameTo.MatchString(f.Message)
}

// cameToIn are the lists that a test came to, in each schedule that differs; clean: it did not fail otherwise.
func cameToIn(failures []checker.Failure, test string) (came [][]string, clean bool) {
	clean = true
	for _, f := range failures {
		switch {
		case f.Test != test:
		case !isOutcome(f):
			clean = false
		default:
			var list []string
			rest := cameTo.FindStringSubmatch(f.Message)[1]
			for rest != "" {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					break
				}
				text, _ := strconv.Unquote(quoted)
				list = append(list, text)
				rest = strings.TrimPrefix(rest[len(quoted):], " ")
			}
			came = append(came, list)
		}
	}
	return came, clean
}
