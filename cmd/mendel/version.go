package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mendel/internal/gotool"
)

// about is what mendel version tells.
type about struct {
	Version  string `json:"version"`            // of the module; "(devel)": built in its source
	Revision string `json:"revision,omitempty"` // of the repository it was built in
	Modified bool   `json:"modified,omitempty"` // the source was not that of the revision
	Go       string `json:"go"`                 // that Mendel was built with
	Platform string `json:"platform"`
	// Of the go command here; Problem is why there is nothing to say of it.
	Toolchain   string `json:"toolchain,omitempty"`
	Race        bool   `json:"race"`
	RaceReason  string `json:"raceReason,omitempty"` // why not
	LeakProfile bool   `json:"leakProfile"`          // the runtime tells goroutines that nothing can wake
	LeakReason  string `json:"leakReason,omitempty"` // why that could not be tried
	Limits      bool   `json:"limits"`               // memory and processes of what runs are limited, and descendants are found
	Problem     string `json:"problem,omitempty"`
}

func newVersionCommand() *cobra.Command {
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "version [flags]",
		Short: "say which Mendel this is, and what it can do here",
		Long: `Version prints the version of Mendel, the revision that it was built of and the Go
that built it; and what it can do here, with the go command of the current directory:
whether the race detector works, whether the runtime knows leaks of goroutines (tried with
a program, since Go 1.26 it does), and whether memory and processes of the programs that run are
limited (Linux).

Exit codes: 0; 2 for bad usage.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a := aboutMendel()
			if tool, err := gotool.Open(c.Context(), dir); err != nil {
				a.Problem = err.Error()
			} else {
				a.of(c.Context(), tool)
			}
			return a.print(c.OutOrStdout(), asJSON)
		},
	}
	c.Flags().StringVarP(&dir, "chdir", "C", ".", "ask the go command in `directory`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of text")
	return c
}

// aboutMendel is what the executable knows of itself.
func aboutMendel() about {
	a := about{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Limits: runtime.GOOS == "linux"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return a
	}
	if info.Main.Version != "" {
		a.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			a.Revision = s.Value
		case "vcs.modified":
			a.Modified = s.Value == "true"
		}
	}
	return a
}

// of adds what a go command can do.
func (a *about) of(ctx context.Context, tool *gotool.Toolchain) {
	a.Toolchain, a.Race = tool.Version, tool.RaceErr == nil
	if tool.RaceErr != nil {
		a.RaceReason = tool.RaceErr.Error()
	}
	var err error
	if _, a.LeakProfile, err = tool.LeakProfile(ctx); err != nil {
		a.LeakReason = err.Error()
	}
}

func (a about) print(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(a)
	}
	text := "mendel " + a.Version
	if a.Revision != "" {
		text += ", revision " + a.Revision
		if a.Modified {
			text += " with changes"
		}
	}
	text += fmt.Sprintf("\nbuilt with %s for %s\n", a.Go, a.Platform)
	if a.Problem != "" {
		text += "here: " + a.Problem + "\n"
	} else {
		race := "works"
		if !a.Race {
			race = "does not work: " + a.RaceReason
		}
		text += fmt.Sprintf("here: %s; the race detector %s\n", a.Toolchain, race)
		text += "profile of leaked goroutines: " + yes(a.LeakProfile)
		if a.LeakReason != "" {
			text += ", it could not be tried: " + a.LeakReason
		}
		text += "\n"
	}
	text += "limits on memory and processes: " + yes(a.Limits) + "\n"
	_, err := io.WriteString(w, text)
	return err
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
