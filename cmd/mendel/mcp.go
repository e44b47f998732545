package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"mendel/internal/events"
	"mendel/internal/mcpserver"
	"mendel/internal/overrun"
)

func newMCPCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "serve commands as tools for agents (Model Context Protocol)",
		Long: `MCP serves check, repair, verify, replay and localize as tools of the Model Context
Protocol. An agent or an editor starts it and speaks with it over standard input and
output. Each tool runs the command of its name and has the same exit codes, settings and
files. Its result is the text that the command prints, and as structured content the
document that it prints with --json. Progress notifications say what the command does.

Calls run one after the other. A call that the client cancels ends as Ctrl-C ends the
command. When the client leaves, all calls end, and so does the server.

The tools run the tests of the packages that the client names, with your rights. Only
repair changes the source, if the client asks for that.

Exit codes: 0 if the client has left; 2 for bad usage, and if the client sends what is
no message.`,
		Example: `  mendel mcp                 # started by the agent, in the directory to work in
  mendel mcp -C ~/src/shop   # in another one`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if isTerminal(c.InOrStdin()) {
				fmt.Fprintln(c.ErrOrStderr(), "mendel mcp is started by an agent, and waits for its messages; docs/agents.md says how. Ctrl-C ends it")
			}
			// A client that is gone is an error of a write, not the end of the process: what
			// runs is ended in good order.
			broken := make(chan os.Signal, 1)
			signal.Notify(broken, syscall.SIGPIPE)
			defer signal.Stop(broken)
			return mcpserver.Serve(c.Context(), c.InOrStdin(), c.OutOrStdout(), mcpserver.Options{
				Version: aboutMendel().Version, Dir: dir, Run: runCall,
			})
		},
	}
	c.Flags().StringVarP(&dir, "chdir", "C", "", "work in `directory`, unless a call names another")
	return c
}

// runCall runs a command line for a client.
func runCall(ctx context.Context, call mcpserver.Call, tell func(events.Event), stdout, stderr io.Writer) error {
	root := newRootCommand()
	root.SetArgs(call.Args)
	root.SetIn(strings.NewReader(call.Stdin))
	root.SetOut(stdout)
	root.SetErr(stderr)
	// The budget of a call does not end the server.
	return root.ExecuteContext(withTelling(overrun.Without(ctx), tell))
}
