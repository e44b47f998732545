package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mendel/internal/events"
)

const (
	// lifeEvery is how often a client hears that the work goes on. Guessed: clients
	// give up after 30 seconds or more.
	lifeEvery = 10 * time.Second
	// pending is how many messages wait for a client that reads slowly; others are lost.
	pending = 100
)

// A notifier sends a client the progress of a call. One that nobody has asked for sends
// nothing. Telling it never waits for the client.
type notifier struct {
	texts chan string // nil: nobody has asked
	done  chan struct{}
	of    string  // what the last event of a search was about; only tell uses this
	best  float64 // its score
}

// notify begins to send the progress of a call.
func notify(ctx context.Context, req *mcp.CallToolRequest) *notifier {
	token := req.Params.GetProgressToken()
	if token == nil {
		return &notifier{}
	}
	n := &notifier{texts: make(chan string, pending), done: make(chan struct{})}
	go n.run(ctx, req.Session, token)
	return n
}

// close returns when all has been sent.
func (n *notifier) close() {
	if n.texts != nil {
		close(n.texts)
		<-n.done
	}
}

// run sends texts, and the last one again when there is nothing new for long.
func (n *notifier) run(ctx context.Context, session *mcp.ServerSession, token any) {
	defer close(n.done)
	began, told, last := time.Now(), 0.0, ""
	life := time.NewTicker(lifeEvery)
	defer life.Stop()
	for {
		select {
		case text, ok := <-n.texts:
			if !ok {
				return
			}
			last = text
			life.Reset(lifeEvery)
		case <-life.C:
		}
		// The progress is the seconds until now. It has to grow each time.
		told = max(time.Since(began).Seconds(), told+0.001)
		// Who cannot be told is gone, or has cancelled the call: the context says so.
		_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: last, Progress: told})
	}
}

// tell sends an event, if it is progress.
func (n *notifier) tell(e events.Event) {
	switch e := e.(type) {
	case *events.Phase:
		n.send(about(e.Of, e.Text))
	case *events.Line:
		n.send(about(e.Of, e.Text))
	case *events.Search:
		if e.Of != n.of {
			n.of, n.best = e.Of, 0 // another search
		}
		if e.Complete || e.Best > n.best {
			n.best = e.Best
			n.send(about(e.Of, fmt.Sprintf("generation %d: best score %.0f of 1000, %d mutants scored", e.Generation, e.Best, e.Scored)))
		}
	}
}

func about(of, text string) string {
	if of == "" {
		return text
	}
	return of + ": " + text
}

// send sends a text, unless the client is far behind.
func (n *notifier) send(text string) {
	if n.texts == nil {
		return
	}
	select {
	case n.texts <- text:
	default:
	}
}
