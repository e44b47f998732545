// Package lottery assigns each of its users a number of their own. A number is
// generated, presented to the user and recorded, so that nobody gets it again.
package lottery

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

// A Lottery draws numbers for a fixed number of users.
type Lottery struct {
	numbers *rand.Rand // used in generate only
	max     int
	key     []byte // for the codes on the slips

	number int // the one drawn last

	generateMu sync.Mutex
	generated  []int // by user

	presentMu sync.Mutex
	presented []int // by user

	historyMu sync.Mutex
	history   []int // by user, 0 for those without a number
}

// New makes a lottery that draws from 1 to max, in an order that seed decides.
// There must be at least as many numbers as users.
func New(users, max int, seed uint64) *Lottery {
	if max < users {
		panic(fmt.Sprintf("lottery: %d numbers for %d users", max, users))
	}
	return &Lottery{
		numbers:   rand.New(rand.NewPCG(seed, 0)),
		max:       max,
		key:       binary.BigEndian.AppendUint64(nil, seed),
		generated: make([]int, users),
		presented: make([]int, users),
		history:   make([]int, users),
	}
}

// generate draws a number for a user.
func (l *Lottery) generate(user int) {
	l.generateMu.Lock()
	defer l.generateMu.Unlock()
	l.number = l.numbers.IntN(l.max) + 1
	l.generated[user] = l.number
}

// taken reports whether the number drawn belongs to a user already.
func (l *Lottery) taken() bool {
	l.historyMu.Lock()
	defer l.historyMu.Unlock()
	return slices.Contains(l.history, l.number)
}

// present shows a user the number drawn.
func (l *Lottery) present(user int) {
	l.presentMu.Lock()
	defer l.presentMu.Unlock()
	l.presented[user] = l.number
}

// record enters the number drawn in the history.
func (l *Lottery) record(user int) {
	l.historyMu.Lock()
	defer l.historyMu.Unlock()
	l.history[user] = l.number
}
