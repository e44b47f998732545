package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel/internal/settings"
)

// fromSettings marks a flag whose value is that of the settings; with the file.
const fromSettings = "mendel_settings"

// personal are the flags that are no setting: what they say is about one call.
var personal = []string{"help", "chdir", "json", "write", "force", "resume", "from", "since", "shard", "write-baseline", "fresh", "verbose", "color", "open", "text", "format", "fix", "list", "events", "yes", "bisect", "log", "compare"}

// configurable are the commands that have settings.
var configurable = []string{"repair", "verify", "check", "cover", "stress", "localize", "seed"}

// isSetting reports whether a flag of a command can be set in mendel.toml.
func isSetting(c *cobra.Command, f *pflag.Flag) bool {
	return slices.Contains(configurable, c.Name()) && !f.Hidden && !slices.Contains(personal, f.Name)
}

// applySettings gives the flags of a command that are not given the values of
// mendel.toml. A repair that goes on keeps what it was begun with.
func applySettings(c *cobra.Command) error {
	if !slices.Contains(configurable, c.Name()) {
		return nil
	}
	if f := c.Flags().Lookup("resume"); f != nil && f.Changed {
		return nil
	}
	file, err := findSettings(c)
	if file == nil || err != nil {
		return err
	}
	if err := checkSettings(c.Root(), file); err != nil {
		return err
	}
	var wrong error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		s, ok := file.Of(c.Name(), f.Name)
		if !ok || f.Changed || !isSetting(c, f) || wrong != nil {
			return
		}
		for _, value := range s.Values {
			if err := c.Flags().Set(f.Name, value); err != nil {
				wrong = fmt.Errorf("%s: %w", file.Path, err)
			}
		}
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[fromSettings] = []string{file.Path}
	})
	return wrong
}

// findSettings reads the settings that hold where a command works.
func findSettings(c *cobra.Command) (*settings.File, error) {
	dir := "."
	if f := c.Flags().Lookup("chdir"); f != nil && f.Value.String() != "" {
		dir = f.Value.String()
	}
	return settings.Find(dir)
}

// checkSettings refuses what is the setting of no command.
func checkSettings(root *cobra.Command, file *settings.File) error {
	commands := map[string]*cobra.Command{}
	for _, c := range root.Commands() {
		if slices.Contains(configurable, c.Name()) {
			commands[c.Name()] = c
		}
	}
	for _, name := range file.Commands() {
		if commands[name] == nil {
			return fmt.Errorf("%s: there is no command %s that has settings; there are %s", file.Path, name, strings.Join(configurable, ", "))
		}
	}
	for _, s := range file.All() {
		known := false
		for name, c := range commands {
			f := c.Flags().Lookup(s.Key)
			known = known || (s.Command == "" || s.Command == name) && f != nil && isSetting(c, f)
		}
		if !known {
			of := "any command"
			if s.Command != "" {
				of = s.Command
			}
			return fmt.Errorf("%s: %s is no setting of %s; mendel config lists them", file.Path, s.Key, of)
		}
	}
	return nil
}

// given reports whether a flag was given on the command line.
func given(fs *pflag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	return f != nil && f.Changed && f.Annotations[fromSettings] == nil
}

// A setting is a flag of a command with its value.
type setting struct {
	Command string `json:"command"`
	Key     string `json:"key"`
	Value   string `json:"value"`
	From    string `json:"from"` // "default" or the file
	Usage   string `json:"usage"`
}

func newConfigCommand() *cobra.Command {
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "config [flags] [command]",
		Short: "show the settings that hold here, and where they come from",
		Long: `Config prints what the flags of each command are where they are not given, and
whether that is Mendel's default or comes from mendel.toml. The file is looked for in the
current directory and above it, up to the root of the repository.

A setting has the name of its flag. What stands above the first table of the file holds
for all commands that have the flag; a table with the name of a command is for that one:

  tags = "integration"
  exclude = ["./internal/gen/..."]

  [check]
  budget = "20m"
  baseline = "known.json"

docs/mendel.schema.json is the JSON schema of the file, for editors.

Exit codes: 0; 2 if the file is damaged or has what is no setting.`,
		Example: `  mendel config
  mendel config check`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			list, file, err := settingsOf(c.Root(), dir, args)
			if err != nil {
				return err
			}
			return printSettings(c.OutOrStdout(), list, file, asJSON)
		},
	}
	c.Flags().StringVarP(&dir, "chdir", "C", ".", "work in `directory`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of text")
	return c
}

// settingsOf are all settings, or those of one command, as they hold in a directory.
func settingsOf(root *cobra.Command, dir string, only []string) (list []setting, file *settings.File, err error) {
	if len(only) == 1 && !slices.Contains(configurable, only[0]) {
		return nil, nil, fmt.Errorf("%s has no settings; %s have", only[0], strings.Join(configurable, ", "))
	}
	if file, err = settings.Find(dir); err != nil {
		return nil, nil, err
	}
	if file != nil {
		if err := checkSettings(root, file); err != nil {
			return nil, nil, err
		}
	}
	for _, c := range root.Commands() {
		if !slices.Contains(configurable, c.Name()) || len(only) == 1 && c.Name() != only[0] {
			continue
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !isSetting(c, f) {
				return
			}
			s := setting{c.Name(), f.Name, f.DefValue, "default", f.Usage}
			if set, ok := file.Of(c.Name(), f.Name); ok {
				s.Value, s.From = strings.Join(set.Values, ", "), file.Path
			}
			list = append(list, s)
		})
	}
	return list, file, nil
}

// printSettings prints settings as text or JSON.
func printSettings(w io.Writer, list []setting, file *settings.File, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	var b strings.Builder
	if file == nil {
		fmt.Fprintf(&b, "there is no %s\n", settings.Name)
	} else {
		fmt.Fprintf(&b, "settings of %s\n", file.Path)
	}
	for _, s := range list {
		from := s.From
		if from != "default" {
			from = filepath.Base(from)
		}
		fmt.Fprintf(&b, "%-28s %-20s %s\n", s.Command+"."+s.Key, s.Value, from)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// settingsSchema is the JSON schema of mendel.toml.
func settingsSchema(root *cobra.Command) ([]byte, error) {
	top, tables := map[string]any{}, map[string]any{}
	for _, c := range root.Commands() {
		if !slices.Contains(configurable, c.Name()) {
			continue
		}
		own := map[string]any{}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if isSetting(c, f) {
				own[f.Name] = valueSchema(f)
				top[f.Name] = valueSchema(f)
			}
		})
		tables[c.Name()] = map[string]any{"type": "object", "description": c.Short, "properties": own, "additionalProperties": false}
	}
	for name, table := range tables {
		top[name] = table
	}
	data, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": settings.Name,
		"type": "object", "properties": top, "additionalProperties": false,
	}, "", "  ")
	return append(data, '\n'), err
}

// valueSchema is the schema of a flag's value.
func valueSchema(f *pflag.Flag) map[string]any {
	schema := map[string]any{"description": strings.ReplaceAll(f.Usage, "`", "")}
	switch f.Value.Type() {
	case "bool":
		schema["type"] = "boolean"
	case "int", "uint64":
		schema["type"] = "integer"
	case "stringArray", "stringSlice":
		schema["type"], schema["items"] = "array", map[string]any{"type": "string"}
	default:
		schema["type"] = "string"
	}
	return schema
}
