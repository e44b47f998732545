package sched

import (
	"fmt"
	"strconv"
	"strings"
)

// Stored schedules have a choice as two numbers, {"G":3,"Value":0}: G is the goroutine of a Step; of another kind it is
// that kind, negative, and Value is N. (TestChoiceStored)

// MarshalJSON writes a choice as it is stored.
func (c Choice) MarshalJSON() ([]byte, error) {
	g, value := -int(c.Kind), c.N
	if c.Kind == Step {
		g, value = c.N, 0
	}
	return []byte(`{"G":` + strconv.Itoa(g) + `,"Value":` + strconv.Itoa(value) + `}`), nil
}

// UnmarshalJSON reads a choice that is stored. It is read by hand: the engine is compiled into programs, which need not
// have package encoding/json.
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
	switch g, known := stored["G"]; {
	case !known:
		return fmt.Errorf("read a choice of a schedule: %s has no G", text)
	case g >= 0:
		*c = Choice{Step, g}
	case g < -int(ClockBegins):
		return fmt.Errorf("read a choice of a schedule: there is no kind %d", g)
	default:
		*c = Choice{ChoiceKind(-g), stored["Value"]}
	}
	return nil
}
