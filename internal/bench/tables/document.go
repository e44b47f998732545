package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mendel/internal/gotool"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A Machine tells where an evaluation was made.
type Machine struct {
	Go     string `json:"go"`
	System string `json:"system"` // "linux/amd64"
	CPUs   int    `json:"cpus"`
}

// thisMachine is where this process runs, with a go command.
func thisMachine(tool *gotool.Toolchain) Machine {
	return Machine{Go: tool.Version, System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU()}
}

// String is "go1.26.8, linux/amd64, 2 CPUs".
func (m Machine) String() string { return fmt.Sprintf("%s, %s, %d CPUs", m.Go, m.System, m.CPUs) }

// A document is the outcome of a command. As JSON it has all data.
type document interface {
	write(w io.Writer, markdown bool) error // the tables
	failures() []string                     // the criteria that are not met
}

// makeOut makes the directory of --out, if there is to be one: better before
// the work than after it.
func makeOut(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the output directory: %w", err)
	}
	return nil
}

// finish prints a document and, where a directory is given, saves it. broken is
// what ended the work early; else it is errNotMet when a criterion is not met.
func finish(d document, stdout io.Writer, dir, name string, broken error) error {
	if err := write(d, stdout, false, broken); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	if dir != "" {
		if err := save(d, dir, name, broken); err != nil {
			return err
		}
	}
	if broken != nil {
		return broken
	}
	if len(d.failures()) > 0 {
		return errNotMet
	}
	return nil
}

// write writes a document and whether the criteria are met.
func write(d document, w io.Writer, markdown bool, broken error) error {
	if err := d.write(w, markdown); err != nil {
		return err
	}
	text := "\nAll criteria are met.\n"
	if failures := d.failures(); len(failures) > 0 {
		text = "\nNot met:\n\n- " + strings.Join(failures, "\n- ") + "\n"
	} else if broken != nil {
		text = ""
	}
	if broken != nil {
		text += fmt.Sprintf("\nEnded early: %v\n", broken)
	}
	_, err := io.WriteString(w, text)
	return err
}

// save writes name.json and name.md into a directory.
func save(d document, dir, name string, broken error) error {
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	var md strings.Builder
	if err := write(d, &md, true, broken); err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{".json": append(data, '\n'), ".md": []byte(md.String())} {
		if err := gotool.WriteFile(filepath.Join(dir, name+suffix), text); err != nil {
			return fmt.Errorf("save the report: %w", err)
		}
	}
	return nil
}

// errNotMet says that an evaluation was done and what it found is not as it
// should be; the details have been printed.
var errNotMet = errors.New("a criterion is not met")
