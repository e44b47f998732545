package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"mendel/internal/bench/identity"
	"mendel/internal/gotool"
)

// A Machine says where an evaluation was made.
type Machine struct {
	Go     string `json:"go"`
	System string `json:"system"` // "linux/amd64"
	CPUs   int    `json:"cpus"`
}

// ThisMachine is where this process runs, with a go command.
func ThisMachine(tool *gotool.Toolchain) Machine {
	return Machine{Go: tool.Version, System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU()}
}

// String is "go1.26.8, linux/amd64, 2 CPUs".
func (m Machine) String() string { return fmt.Sprintf("%s, %s, %d CPUs", m.Go, m.System, m.CPUs) }

// A Document is the outcome of a command. As JSON it has all data.
type Document interface {
	Write(w io.Writer, markdown bool) error // the tables
	Failures() []string                     // the criteria that are not met
}

// MakeOut makes the directory of --out, if one is given. Call it before the work:
// a directory that cannot be made should not cost hours.
func MakeOut(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the output directory: %w", err)
	}
	return nil
}

// Begin makes the output directory of an evaluation, if it has one, and tells what measures:
// the machine, with the toolchain for a directory, and the hash of Mendel's source.
func Begin(ctx context.Context, dir, out string) (m Machine, mendel string, err error) {
	if err := MakeOut(out); err != nil {
		return m, "", err
	}
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return m, "", err
	}
	mendel, err = identity.Mendel()
	return ThisMachine(tool), mendel, err
}

// Files say where a document is saved, and what makes it.
type Files struct {
	Dir     string // "": it is not saved
	Name    string // of name.json and name.md
	Command string // that makes the document, to type; "": the document itself names it
}

// Finish prints a document and saves it. broken is what ended the work early;
// else the error is ErrNotMet when a criterion is not met.
func Finish(d Document, stdout io.Writer, files Files, broken error) error {
	if err := Print(d, stdout, false, broken); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	if err := files.Save(d, broken); err != nil {
		return err
	}
	if broken != nil {
		return broken
	}
	if len(d.Failures()) > 0 {
		return ErrNotMet
	}
	return nil
}

// Print writes a document and whether the criteria are met.
func Print(d Document, w io.Writer, markdown bool, broken error) error {
	if err := d.Write(w, markdown); err != nil {
		return err
	}
	text := "\nAll criteria are met.\n"
	if failures := d.Failures(); len(failures) > 0 {
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

// Save writes name.json and name.md, whose head says what made it.
func (f Files) Save(d Document, broken error) error {
	if f.Dir == "" {
		return nil
	}
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	var md strings.Builder
	md.WriteString(f.head(thisRevision()))
	if err := Print(d, &md, true, broken); err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{".json": append(data, '\n'), ".md": []byte(md.String())} {
		if err := gotool.WriteFile(filepath.Join(f.Dir, f.Name+suffix), text); err != nil {
			return fmt.Errorf("save the report: %w", err)
		}
	}
	return nil
}

// ReadSaved reads the JSON of a document that was saved before. found is false
// where there is none.
func ReadSaved(name string, d any) (found bool, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read earlier results: %w", err)
	}
	if err := json.Unmarshal(data, d); err != nil {
		return false, fmt.Errorf("read earlier results: %s: %w", name, err)
	}
	return true, nil
}

// thisRevision is found out once: it is the same for all that a process saves.
var thisRevision = sync.OnceValue(identity.Revision)

// head is what a saved document begins with.
func (f Files) head(revision string) string {
	text := fmt.Sprintf("# %s\n\nWritten by mendel-bench at %s. Do not edit: make it again.\n\n", f.Name, revision)
	if f.Command != "" {
		text += "    " + f.Command + "\n\n"
	}
	return text
}

// ErrNotMet says that an evaluation was completed and a criterion is not met. The
// details have been printed.
var ErrNotMet = errors.New("a criterion is not met")
