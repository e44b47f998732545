package events

import (
	"encoding/json"
	"time"
)

// Version of the format.
const Version = 1

// An Event is something that a command does: a *[Begin], *[Phase], *[Search], *[Line] or
// *[End].
type Event interface {
	head() *Head
	kind() string // Head.Type
}

// Head is what all events have.
type Head struct {
	Type string    `json:"type" jsonschema:"which event this is"`
	Time time.Time `json:"time" jsonschema:"when it happened"`
}

func (h *Head) head() *Head { return h }

// A Begin is the first event.
type Begin struct {
	Head
	Version   int      `json:"version" jsonschema:"of the format: within a version events and keys may be added, and nothing changes its meaning"`
	Mendel    string   `json:"mendel" jsonschema:"version of Mendel"`
	Command   string   `json:"command" jsonschema:"name of the command"`
	Arguments []string `json:"arguments" jsonschema:"arguments of the command that are no flags"`
	Directory string   `json:"directory" jsonschema:"in which the command was started"`
}

// A Phase says what is done from now on.
type Phase struct {
	Head
	Of   string `json:"of,omitempty" jsonschema:"the part of the work that this is about, such as a package of several; absent: all of it"`
	Text string `json:"text" jsonschema:"what is done, in words"`
}

// A Search is a step of a genetic search: a mutant has a score, or a generation is
// complete.
type Search struct {
	Head
	Of         string  `json:"of,omitempty" jsonschema:"the part of the work that this is about, such as a package of several; absent: all of it"`
	Generation int     `json:"generation" jsonschema:"1 is the first"`
	Complete   bool    `json:"complete" jsonschema:"the generation is complete"`
	Scored     int     `json:"scored" jsonschema:"mutants that have a score so far"`
	Best       float64 `json:"best" jsonschema:"best score of a mutant so far, from 0 to 1000"`
	Original   float64 `json:"original,omitempty" jsonschema:"score of the program without edits, if it is known"`
	Mean       float64 `json:"mean,omitempty" jsonschema:"mean score of the generation, as far as it is known"`
	Edits      int     `json:"edits,omitempty" jsonschema:"edits that the search can choose from"`
	Mutant     string  `json:"mutant,omitempty" jsonschema:"the edits of the mutant that was scored, in words"`
}

// A Line is a line of the log.
type Line struct {
	Head
	Of   string `json:"of,omitempty" jsonschema:"the part of the work that this is about, such as a package of several; absent: all of it"`
	Text string `json:"text" jsonschema:"the line, without a time"`
}

// An End is the last event.
type End struct {
	Head
	Seconds float64         `json:"seconds" jsonschema:"how long the command took"`
	Exit    int             `json:"exit" jsonschema:"exit code of the command"`
	Error   string          `json:"error,omitempty" jsonschema:"why the command could not do its work, or not save all of it"`
	Result  json.RawMessage `json:"result,omitempty" jsonschema:"the document that the command prints with --json; absent if it has found out nothing"`
}

func (*Begin) kind() string  { return "begin" }
func (*Phase) kind() string  { return "phase" }
func (*Search) kind() string { return "search" }
func (*Line) kind() string   { return "line" }
func (*End) kind() string    { return "end" }
