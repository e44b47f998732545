package lottery

import (
	"fmt"
	"sync"
)

// A Slip is what a user takes home.
type Slip struct {
	User                         int
	Generated, Presented, Record int // the number, as each step saw it
}

// String formats the slip for printing.
func (s Slip) String() string {
	return fmt.Sprintf("user %d: generated %d, presented %d, recorded %d", s.User, s.Generated, s.Presented, s.Record)
}

// Run lets all users draw at once and returns their slips.
func (l *Lottery) Run() []Slip {
	var wg sync.WaitGroup
	slips := make([]Slip, len(l.history))
	for user := range slips {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.assign(user)
			slips[user] = l.slip(user)
		}()
	}
	wg.Wait()
	return slips
}

// assign draws for a user until it finds a number that is free.
func (l *Lottery) assign(user int) {
	l.generate(user)
	for l.taken() {
		l.generate(user)
	}
	l.present(user)
	l.record(user)
}

// slip writes down what a user got. Nobody else changes a user's entries.
func (l *Lottery) slip(user int) Slip {
	return Slip{
		User:      user,
		Generated: l.generated[user],
		Presented: l.presented[user],
		Record:    l.history[user],
	}
}
