package sessions

import (
	"fmt"
	"slices"
	"strings"
)

// A Monitor looks after a registry while it is used.
type Monitor struct {
	registry *Registry
	patience int // how long a session may be idle
}

// NewMonitor makes the monitor of a registry.
func NewMonitor(r *Registry, patience int) *Monitor {
	return &Monitor{registry: r, patience: patience}
}

// Sweep logs out who has been idle for too long and returns their names, sorted.
func (m *Monitor) Sweep(now int) []string {
	var idle []string
	for user, s := range m.registry.Active() {
		if now-s.Seen > m.patience {
			idle = append(idle, user)
		}
	}
	slices.Sort(idle)
	return slices.DeleteFunc(idle, func(user string) bool { return !m.registry.Logout(user) })
}

// Report lists the sessions, the busiest first.
func (m *Monitor) Report() string {
	var list []Session
	for _, s := range m.registry.Active() {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Session) int {
		if a.Hits != b.Hits {
			return b.Hits - a.Hits
		}
		return strings.Compare(a.User, b.User)
	})
	var text strings.Builder
	for _, s := range list {
		fmt.Fprintf(&text, "%s: %d requests, seen at %d\n", s.User, s.Hits, s.Seen)
	}
	return text.String()
}
