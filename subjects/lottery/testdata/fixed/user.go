package lottery

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"sync"
)

// A Slip is what a user takes home.
type Slip struct {
	User                         int
	Generated, Presented, Record int // the number, as each step saw it

	Code string // shows that the lottery made the slip
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
	l.mu.Lock()
	defer l.mu.Unlock()
	l.generate(user)
	for l.taken() {
		l.generate(user)
	}
	l.present(user)
	l.record(user)
}

// slip writes down what a user got. Nobody else changes a user's entries.
func (l *Lottery) slip(user int) Slip {
	s := Slip{
		User:      user,
		Generated: l.generated[user],
		Presented: l.presented[user],
		Record:    l.history[user],
	}
	s.Code = l.code(s)
	return s
}

// Genuine reports whether a slip was made by the lottery and is unchanged.
func (l *Lottery) Genuine(s Slip) bool {
	return hmac.Equal([]byte(s.Code), []byte(l.code(s)))
}

// code is the code for a slip.
func (l *Lottery) code(s Slip) string {
	mac := hmac.New(sha256.New, l.key)
	fmt.Fprint(mac, s)
	return fmt.Sprintf("%x", mac.Sum(nil))
}
