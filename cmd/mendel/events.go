package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mendel/internal/events"
)

// long are the commands that take a while, and so tell what they do.
var long = []string{"repair", "verify", "check", "cover", "stress", "localize", "replay", "seed"}

// addEvents gives each long command the flag --events, and lets what it does begin and
// end with an event.
func addEvents(root *cobra.Command) {
	for _, c := range root.Commands() {
		if !slices.Contains(long, c.Name()) {
			continue
		}
		name := c.Flags().String("events", "", "write what happens to `file` as JSON, one event a line, see docs/events.md; - is standard output")
		run := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			if *name == "" {
				return tell(c, args, run)
			}
			return tellFile(c, args, *name, run)
		}
	}
}

// A telling is where a command tells what it does and what it has found.
type telling struct {
	*events.Stream
	alone  bool // nobody sees a display of the progress
	result []byte
}

type tellingKey struct{}

// withTelling returns a context in which a long command tells a function what it does,
// and shows no progress.
func withTelling(ctx context.Context, f func(events.Event)) context.Context {
	return context.WithValue(ctx, tellingKey{}, &telling{Stream: events.NewStream(f), alone: true})
}

// tellingOf is where a command tells what it does; nil: nowhere.
func tellingOf(ctx context.Context) *telling {
	t, _ := ctx.Value(tellingKey{}).(*telling)
	return t
}

// tellFile runs a command that writes its events to a file.
func tellFile(c *cobra.Command, args []string, name string, run func(*cobra.Command, []string) error) error {
	out := c.OutOrStdout()
	if name == "-" {
		for _, flag := range []string{"json", "sarif"} {
			if f := c.Flags().Lookup(flag); f != nil && f.Changed {
				return fmt.Errorf("--%s and --events - both want standard output; the last event has what --json prints, and --events takes a file, too", flag)
			}
		}
		c.SetOut(c.ErrOrStderr())
	} else {
		file, err := os.Create(name)
		if err != nil {
			return fmt.Errorf("make the file for events: %w", err)
		}
		defer file.Close() // that all was written is known from each write
		out = file
	}
	lines := events.NewLines(out)
	c.SetContext(context.WithValue(c.Context(), tellingKey{}, &telling{Stream: events.NewStream(lines.Tell)}))
	err := tell(c, args, run)
	if failed := lines.Err(); failed != nil {
		fmt.Fprintf(c.ErrOrStderr(), "note: --events %s is not complete: %v\n", name, failed)
	}
	return err
}

// tell runs a command between its first event and its last one.
func tell(c *cobra.Command, args []string, run func(*cobra.Command, []string) error) error {
	t := tellingOf(c.Context())
	if t == nil {
		return run(c, args)
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the current directory: %w", err)
	}
	t.Begin(events.Begin{Mendel: aboutMendel().Version, Command: c.Name(), Arguments: args, Directory: dir})
	err = run(c, args)
	end := events.End{Result: t.result}
	end.Exit, end.Error = outcomeOf(err)
	t.End(end)
	return err
}

// outcomeOf is the exit code for what a command returned, and what is left to say.
func outcomeOf(err error) (code int, text string) {
	var exit exitError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &exit):
		return int(exit), ""
	}
	return 2, strings.TrimSpace(err.Error())
}

// A document is what a command has found, for machines.
type document interface {
	JSON() ([]byte, error)
}

// printFound prints what a command has found, as JSON or as text. If there are events,
// the last one has the document.
func printFound(ctx context.Context, w io.Writer, d document, asJSON bool, text func() error) error {
	t := tellingOf(ctx)
	if t == nil && !asJSON {
		return text()
	}
	data, err := d.JSON()
	if err != nil {
		return err
	}
	if t != nil {
		t.result = data
	}
	if !asJSON {
		return text()
	}
	_, err = w.Write(data)
	return err
}
