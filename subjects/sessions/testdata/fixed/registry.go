// Package sessions keeps who is logged in, and logs out who has been idle.
package sessions

import (
	"maps"
	"sync"
)

// A Session is one user's.
type Session struct {
	User string
	Seen int // the time of the last request
	Hits int // requests
}

// A Registry knows the sessions. It may be used by several goroutines.
type Registry struct {
	mu     sync.Mutex // guards active
	active map[string]Session
}

// New makes a registry without sessions.
func New() *Registry {
	return &Registry{active: make(map[string]Session)}
}

// Touch notes a user's request at a time; the first one logs them in.
func (r *Registry) Touch(user string, now int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.active[user]
	s.User, s.Seen = user, max(s.Seen, now)
	s.Hits++
	r.active[user] = s
}

// Logout ends a user's session and reports whether there was one.
func (r *Registry) Logout(user string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.active[user]
	delete(r.active, user)
	return ok
}

// Active are the sessions by user, as they are now; the caller may keep the map.
func (r *Registry) Active() map[string]Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.active)
}
