package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel"
	"mendel/checker/sched/explore"
)

// flagValues are the values of flags that have only some, by the flags' names,
// which mean the same in all commands.
func flagValues() map[string][]cobra.Completion {
	values := map[string][]cobra.Completion{
		"color":    {"auto", "always", "never"},
		"strategy": explore.Names(),
		"method":   {"schedules", "noise"},
		"noise":    {"functions", "sections", "shared", "objects"},
		"modes":    {"plain", "noise", "controlled"},
		"format":   mendel.ReviewFormats(),
	}
	for _, op := range mendel.SeedOperators() {
		values["operators"] = append(values["operators"], cobra.CompletionWithDesc(op.Name, op.Does))
	}
	return values
}

// directories are the flags and the commands' arguments that name one.
var directories = map[string]bool{
	"out": true, "chdir": true, "resume": true, // flags
	"repair": true, "check": true, "cover": true, "stress": true, "localize": true, "seed": true, "report": true, "status": true, // commands
}

// addCompletions lets a shell complete the values of flags and the arguments of
// all commands.
func addCompletions(root *cobra.Command) {
	values := flagValues()
	onlyDirs := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	for _, c := range root.Commands() {
		switch {
		case directories[c.Name()]:
			c.ValidArgsFunction = onlyDirs
		case c.Name() == "replay", c.Name() == "reproduce":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return []cobra.Completion{"schedule"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			var complete cobra.CompletionFunc
			switch {
			case directories[f.Name]:
				complete = onlyDirs
			case len(values[f.Name]) > 0:
				complete = oneOf(values[f.Name], f.Value.Type() == "stringSlice")
			default:
				return
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(fmt.Sprintf("completion of --%s: %v", f.Name, err)) // two of a command's flags have one name
			}
		})
	}
}

// oneOf completes one of some values or, of a list, its last element.
func oneOf(values []cobra.Completion, list bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, directive := "", cobra.ShellCompDirectiveNoFileComp
		if list {
			before = typed[:strings.LastIndexByte(typed, ',')+1]
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		var all []cobra.Completion
		for _, v := range values {
			if strings.HasPrefix(before+v, typed) {
				all = append(all, before+v)
			}
		}
		return all, directive
	}
}

// noCommand refuses what is not the name of a command, and names those that are
// spelt alike.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = min(2, len(args[0])/2) // a letter too many, or two that changed places
	text := fmt.Sprintf("there is no command %q", args[0])
	if alike := c.SuggestionsFor(args[0]); len(alike) > 0 {
		return fmt.Errorf("%s; did you mean %s?", text, strings.Join(alike, " or "))
	}
	return fmt.Errorf("%s; mendel help lists the commands", text)
}
