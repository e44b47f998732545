package explore

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is a strategy of a search, by its name.
type Kind struct {
	Name   string
	Doc    string // for users, in lines
	Hidden bool   // for comparisons: users are not told of it

	explore func(e *explorer)
}

// Auto is the default, Predict the strategy that makes few executions, whatever fails.
const (
	Auto    = "auto"
	Predict = "predict"
)

// Kinds are all strategies, the default first.
var Kinds = []*Kind{
	{Name: Auto, explore: (*explorer).auto, Doc: `a little of everything, mcm where the test is short,
states where schedules come to the same ones, then dfs`},
	{Name: "dfs", explore: (*explorer).systematic, Doc: `all schedules with at most --preemptions preemptions: switches away from
a goroutine that could go on (with 2 preemptions, that of CHESS)`},
	{Name: "mcm", explore: (*explorer).classes, Doc: `one schedule of each class of those in which all goroutines see the same
values (Luo, Huang and Rosu 2015); for short tests without time`},
	{Name: "states", explore: (*explorer).states, Doc: `each step once in each state that can be reached; for tests without time`},
	{Name: Predict, explore: (*explorer).predict, Doc: `what --predict asks for`},
	{Name: "random", explore: sampling(sampleRandom), Doc: `each choice is random`},
	{Name: "pct", explore: sampling(samplePCT), Doc: `goroutines have random priorities, which change at --depth - 1 steps
(Burckhardt et al. 2010)`},
	{Name: "pctlarge", explore: sampling(samplePCTLarge), Doc: `as pct, but goroutines of lower priority run now and then, too`},
	{Name: "pos", explore: sampling(samplePOS), Doc: `operations have random priorities (Yuan et al. 2018)`},
	{Name: "unreduced", explore: (*explorer).unreduced, Doc: `all schedules, equivalent ones too`, Hidden: true},
}

// Names are those of the strategies that users are told of, the default first.
func Names() (all []string) {
	for _, k := range Kinds {
		if !k.Hidden {
			all = append(all, k.Name)
		}
	}
	return all
}

// Find returns a strategy by its name, "" being the default's. An error names all.
func Find(name string) (*Kind, error) {
	if name == "" {
		name = Auto
	}
	var all []string
	for _, k := range Kinds {
		if k.Name == name {
			return k, nil
		}
		all = append(all, k.Name)
	}
	return nil, fmt.Errorf("unknown strategy %q: want %s", name, Alternatives(all))
}

// Alternatives is a list in words: "a, b or c".
func Alternatives(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Help is what users are told of the strategies, each beginning a line. The default, which
// is made of the others, comes last.
func Help() string {
	const indent, width = 2, 10
	var b strings.Builder
	for _, k := range slices.Concat(Kinds[1:], Kinds[:1]) {
		if k.Hidden {
			continue
		}
		text := strings.ReplaceAll(k.Doc, "\n", "\n"+strings.Repeat(" ", indent+width))
		fmt.Fprintf(&b, "%*s%-*s%s\n", indent, "", width, k.Name, text)
	}
	return b.String()
}
