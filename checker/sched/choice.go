package sched

import (
	"fmt"
	"strconv"
	"strings"
)

// Stored schedules have a choice as two numbers: {"G":3,"Value":0}. G is the goroutine of a Step, or one of these for
// other kinds, whose N is the Value.
var storedKinds = map[ChoiceKind]int{Number: -1, TimePassed: -2, Admission: -3, Expiry: -4, ClockBegins: -5}

// MarshalJSON writes a choice as it is stored.
func (c Choice) MarshalJSON() ([]byte, error) {
	g, value := storedKinds[c.Kind], c.N
	if c.Kind == Step {
		g, value = c.N, 0
	}
	return []byte(`{"G":` + strconv.Itoa(g) + `,"Value":` + strconv.Itoa(value) + `}`), nil
}

// UnmarshalJSON reads a choice that is stored.
func (c *Choice) UnmarshalJSON(text []byte) error {
	stored := map[string]int{}
	fields := strings.Trim(strings.Join(strings.Fields(string(text)), ""), "{}")
	for field := range strings.SplitSeq(fields, ",") {
		name, number, _ := strings.Cut(field, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			return fmt.Errorf("read a choice of a schedule, %s: %w", text, err)
		}
		stored[strings.Trim(name, `"`)] = n
	}
	g, known := stored["G"]
	if !known {
		return fmt.Errorf("read a choice of a schedule: %s has no G", text)
	}
	if g >= 0 {
		*c = Choice{Kind: Step, N: g}
		return nil
	}
	for kind, n := range storedKinds {
		if n == g {
			*c = Choice{Kind: kind, N: stored["Value"]}
			return nil
		}
	}
	return fmt.Errorf("read a choice of a schedule: there is no kind %d", g)
}
