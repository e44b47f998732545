package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"mendel/internal/gotool"
)

func newManualCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "manual directory",
		Short: "write manual pages, and completions for shells",
		Long: `Manual writes into the directory, which is made if it is missing:
  man1/mendel.1, man1/mendel-repair.1, ...  manual pages, for a directory in MANPATH
  completions/mendel.bash                   for bash: source it
  completions/_mendel                       for zsh: into a directory in fpath
  completions/mendel.fish                   for fish: into its completions directory
  completions/mendel.ps1                    for PowerShell: dot-source it

Exit codes: 0; 2 if a file cannot be written, or for bad usage.`,
		Example: `  mendel manual ~/.local/share/mendel`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return writeManual(c.Root(), args[0])
		},
	}
}

// writeManual writes the manual pages and completions of a command. They are the same
// whenever they are made.
func writeManual(root *cobra.Command, dir string) error {
	pages, shells := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	for _, d := range []string{pages, shells} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return fmt.Errorf("make the directory of the manual: %w", err)
		}
	}
	root.DisableAutoGenTag = true
	never := time.Unix(0, 0).UTC()
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "MENDEL", Section: "1", Source: "Mendel", Date: &never}, pages); err != nil {
		return fmt.Errorf("write the manual pages: %w", err)
	}
	for name, generate := range map[string]func(*bytes.Buffer) error{
		"mendel.bash": func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) },
		"_mendel":     func(b *bytes.Buffer) error { return root.GenZshCompletion(b) },
		"mendel.fish": func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) },
		"mendel.ps1":  func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) },
	} {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			return fmt.Errorf("make the completion %s: %w", name, err)
		}
		if err := gotool.WriteFile(filepath.Join(shells, name), b.Bytes()); err != nil {
			return fmt.Errorf("write a completion: %w", err)
		}
	}
	return nil
}
