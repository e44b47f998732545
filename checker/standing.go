package checker

import (
	"strings"

	"mendel/checker/sched"
)

// standing has the goroutines of Search.Standing as the engine has them.
func standing(names []string) (all []sched.Standing) {
	for _, name := range names {
		if role, function, ok := strings.Cut(name, " in "); ok {
			all = append(all, sched.Standing{What: operation(strings.TrimPrefix(role, "blocked: ")), Function: function})
		}
	}
	return all
}

// operation is what the engine calls what a goroutine waits in, see state.
func operation(state string) string {
	switch state {
	case "chan send":
		return "channel send"
	case "chan receive":
		return "channel receive"
	case "sleep":
		return "time.Sleep"
	}
	return strings.TrimPrefix(state, "sync.")
}
