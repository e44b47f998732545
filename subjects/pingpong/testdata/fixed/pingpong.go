// Package pingpong is a game with a single player whom many callers borrow
// for a stroke each.
package pingpong

import (
	"fmt"
	"sync"
	"time"
)

// stroke is how long the player is away from the table for one stroke.
const stroke = 200 * time.Microsecond

// A Player counts the strokes played.
type Player struct {
	name    string
	strokes int
}

// Strokes is how many strokes the player has played.
func (p *Player) Strokes() int {
	return p.strokes
}

// String formats the player for the score board.
func (p *Player) String() string {
	return fmt.Sprintf("%s: %d", p.name, p.strokes)
}

// play makes a stroke.
func (p *Player) play() {
	p.strokes++
}

// A Game is a table with a player.
type Game struct {
	mu     sync.Mutex // guards player, and holds the table while the player is away
	player *Player
}

// NewGame brings a player to the table.
func NewGame(name string) *Game {
	return &Game{player: &Player{name: name}}
}

// Player is the player at the table.
func (g *Game) Player() *Player {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.player
}

// Run lets callers play at once, a number of rounds each, and waits for them.
func (g *Game) Run(callers, rounds int) {
	var wg sync.WaitGroup
	for range callers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range rounds {
				g.ping()
			}
		}()
	}
	wg.Wait()
}

// ping plays one round.
func (g *Game) ping() {
	g.pingPong()
}

// pingPong makes a stroke: the player leaves the table and comes back to it.
func (g *Game) pingPong() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.player.play()
	away := g.player
	g.player = nil
	for start := time.Now(); time.Since(start) < stroke; {
		// Too short to go to sleep for.
	}
	g.player = away
}
