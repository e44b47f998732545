package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Name of the file.
const Name = "mendel.toml"

// A File is the settings of a repository. A nil one has none.
type File struct {
	Path   string // absolute
	tables map[string]map[string][]string
}

// A Setting is a value of a flag, several where the flag can be given several times.
type Setting struct {
	Command string // "": of all commands
	Key     string // the flag's name
	Values  []string
}

// Find reads the settings that hold in a directory; nil if there are none.
func Find(dir string) (*File, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", Name, err)
	}
	for {
		name := filepath.Join(dir, Name)
		text, err := os.ReadFile(name)
		switch {
		case err == nil:
			return Parse(name, text)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("read the settings: %w", err)
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return nil, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil, nil
		}
		dir = up
	}
}

// Parse reads the text of a file.
func Parse(name string, text []byte) (*File, error) {
	var all map[string]any
	if _, err := toml.Decode(string(text), &all); err != nil {
		return nil, fmt.Errorf("read the settings in %s: %w", name, err)
	}
	f := &File{Path: name, tables: map[string]map[string][]string{"": {}}}
	for key, value := range all {
		table, isTable := value.(map[string]any)
		if !isTable {
			if err := f.add("", key, value); err != nil {
				return nil, err
			}
			continue
		}
		f.tables[key] = map[string][]string{}
		for inner, value := range table {
			if err := f.add(key, inner, value); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// add adds a setting.
func (f *File) add(command, key string, value any) error {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	values := []string{}
	for _, v := range list {
		switch v.(type) {
		case string, bool, int64, float64:
			values = append(values, fmt.Sprint(v))
		default:
			return fmt.Errorf("%s: %s: want a text, a number, true or false, or a list of these", f.Path, dotted(command, key))
		}
	}
	f.tables[command][key] = values
	return nil
}

func dotted(command, key string) string {
	if command == "" {
		return key
	}
	return command + "." + key
}

// All are the settings, those of all commands first, by command and key.
func (f *File) All() []Setting {
	var all []Setting
	if f == nil {
		return nil
	}
	for command, table := range f.tables {
		for key, values := range table {
			all = append(all, Setting{command, key, values})
		}
	}
	slices.SortFunc(all, func(a, b Setting) int {
		return strings.Compare(a.Command+"\x00"+a.Key, b.Command+"\x00"+b.Key)
	})
	return all
}

// Commands are the names of the tables.
func (f *File) Commands() []string {
	var names []string
	if f != nil {
		for name := range f.tables {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Of is what the settings say of a flag of a command: in its own table or above the
// first. ok is false if they say nothing.
func (f *File) Of(command, key string) (s Setting, ok bool) {
	if f == nil {
		return s, false
	}
	for _, name := range []string{command, ""} {
		if values, ok := f.tables[name][key]; ok {
			return Setting{name, key, values}, true
		}
	}
	return s, false
}
