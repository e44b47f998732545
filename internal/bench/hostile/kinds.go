package hostile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/internal/gotool"
)

// How a hostile program ends: at one of gotool's limits, which have their
// names, or in one of these ways.
const (
	endedPassed = "passed"
	endedFailed = "by itself" // it crashed, or its test failed
	endedUntold = "not controlled"
	endedKilled = "killed" // whoever ran it
)

// A kind is a way to misbehave.
type kind struct {
	test  string        // of the hostile module; of builds and kills a name
	limit time.Duration // of time
	ends  []string      // how a noised run, a build or a kill may end; with the checker it may be otherwise
	build func() string // what is to be built, without its package clause; nil: it is run
	kill  bool          // whoever runs it is killed
}

const (
	onTime   = string(gotool.TimedOut)
	atMemory = string(gotool.OutOfMemory)
	atOutput = string(gotool.TooMuchText)
	atForks  = string(gotool.TooManyProcesses)
	atDisk   = string(gotool.DiskFull)
)

// kinds are the tests of testdata/hostile.txtar, and sources that take a compiler
// too much time or memory.
var kinds = []kind{
	{test: "TestSleeps", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestIgnoresSignals", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestSpins", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestStopsItself", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestClosesOutput", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestBecomesAnother", limit: 2 * time.Second, ends: []string{onTime}},
	{test: "TestAllocates", limit: 10 * time.Second, ends: []string{atMemory}},
	{test: "TestAllocatesInParallel", limit: 10 * time.Second, ends: []string{atMemory}},
	{test: "TestAllocatesInChild", limit: 10 * time.Second, ends: []string{atMemory}},
	{test: "TestStartsGoroutines", limit: 10 * time.Second, ends: []string{atMemory, onTime, endedFailed}},
	{test: "TestStartsThreads", limit: 10 * time.Second, ends: []string{endedFailed, atMemory, onTime}},
	{test: "TestPrints", limit: 10 * time.Second, ends: []string{atOutput}},
	{test: "TestPrintsInChild", limit: 10 * time.Second, ends: []string{atOutput}},
	{test: "TestForks", limit: 10 * time.Second, ends: []string{atForks, atMemory}},
	{test: "TestForkBomb", limit: 10 * time.Second, ends: []string{atForks, atMemory}},
	{test: "TestRelay", limit: 10 * time.Second, ends: []string{endedPassed}},
	{test: "TestDaemonises", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestHoldsOutput", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestFillsDisk", limit: 20 * time.Second, ends: []string{atDisk}},
	{test: "TestFillsDiskUnseen", limit: 60 * time.Second, ends: []string{atDisk}},
	{test: "TestMakesFiles", limit: 10 * time.Second, ends: []string{atDisk, onTime}},
	{test: "TestMakesDeepDirectories", limit: 5 * time.Second, ends: []string{atDisk, onTime}},
	{test: "TestLocksDirectories", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestLinksElsewhere", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestReplacesTempDir", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestRemovesTempDir", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestListens", limit: 5 * time.Second, ends: []string{endedPassed}},
	{test: "TestOpensFiles", limit: 10 * time.Second, ends: []string{endedFailed}},
	{test: "TestKillsItsGroup", limit: 5 * time.Second, ends: []string{endedFailed}},
	{test: "TestAborts", limit: 5 * time.Second, ends: []string{endedFailed}},

	{test: "constant", limit: 20 * time.Second, ends: []string{atMemory, endedFailed}, build: longConstant},
	{test: "nesting", limit: 20 * time.Second, ends: []string{atMemory, onTime, endedFailed}, build: deepNesting},
	{test: "functions", limit: 3 * time.Second, ends: []string{onTime, atMemory}, build: manyFunctions},

	{test: "TestKillsItsParent", limit: 30 * time.Second, ends: []string{endedKilled}, kill: true},
	{test: "TestIsLeftAlone", limit: 30 * time.Second, ends: []string{endedKilled}, kill: true},
}

// paths are the ways on which the kind is run.
func (k kind) paths() []string {
	switch {
	case k.build != nil:
		return []string{byBuild}
	case k.kill:
		return []string{byKill}
	}
	return []string{byNoise, byCheck}
}

// wanted reports whether --only selects the kind.
func (k kind) wanted(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(part string) bool { return strings.Contains(k.test, part) })
}

// source is what is to be built.
func (k kind) source() string { return k.build() }

// longConstant is a string constant of a terabyte.
func longConstant() string {
	var b strings.Builder
	b.WriteString("const c0 = \"0123456789abcdef\"\n")
	for i := 1; i <= 36; i++ {
		fmt.Fprintf(&b, "const c%d = c%d + c%d\n", i, i-1, i-1)
	}
	b.WriteString("var C = c36\n")
	return b.String()
}

// deepNesting is an expression that takes a parser as much stack as there is.
func deepNesting() string {
	const deep = 5_000_000
	return "var N = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n"
}

// manyFunctions is just long.
func manyFunctions() string {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "func F%d(m map[string]int) (n int) {\n\tfor k, v := range m {\n\t\tn += len(k) * v\n\t\tdefer func() { n += F%d(m) }()\n\t}\n\treturn n\n}\n\n", i, i)
	}
	return b.String()
}

// endedBy tells from Mendel's words on a run which limit ended it.
func endedBy(detail string) string {
	for _, sign := range []struct{ text, ended string }{
		{"more memory than", atMemory},
		{"printed more than", atOutput},
		{"more processes than", atForks},
		{"more to the disk than", atDisk},
		{"did not end within", onTime},
		{"does not end", onTime},
		{"timeout: ", onTime},
		{"inconclusive", endedUntold},
		{"passed", endedPassed},
		{"exhausted", endedPassed},
	} {
		if strings.Contains(detail, sign.text) {
			return sign.ended
		}
	}
	return endedFailed
}

// judge says what is not as it should be.
func (c *outcome) judge(k kind, memory int64) {
	wrong := func(format string, args ...any) { c.Problems = append(c.Problems, fmt.Sprintf(format, args...)) }
	if c.Path != byCheck && !slices.Contains(k.ends, c.Ended) {
		wrong("ended %s (%s), and not %s", c.Ended, c.Detail, strings.Join(k.ends, " or "))
	}
	if over := c.Seconds - c.Limit; over > overtime.Seconds() {
		wrong("ended %.1f s after its limit", over)
	}
	if c.Peak > memory+memory/4 {
		wrong("took %d MiB of memory", c.Peak>>20)
	}
	if c.Processes > 0 {
		wrong("left %d processes behind", c.Processes)
	}
	if len(c.Files) > 0 {
		wrong("left files behind: %s", strings.Join(c.Files, ", "))
	}
	if c.Stall > maxStall.Seconds() {
		wrong("the machine stood still for %.1f s", c.Stall)
	}
}

// maxStall is how long a process like this one may have to wait for a
// processor, on a machine that is usable. A guess.
const maxStall = 2 * time.Second

// Failures implements document.
func (r *report) Failures() []string {
	var all []string
	for _, c := range r.Cases {
		for _, p := range c.Problems {
			all = append(all, fmt.Sprintf("%s, %s: %s", c.Path, c.Name, p))
		}
	}
	return all
}
