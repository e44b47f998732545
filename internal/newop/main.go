// Newop starts an operator: its directory below mutate with code,
// documentation and a first archive, and its entry on the list of operators, which
// makes the archive a test.
//
//	go run ./internal/newop NAME
//
// It is run in the root of the module. What it writes builds, passes its test
// and offers no edits yet.
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"mendel/internal/operators/list"
)

//go:embed templates
var templates embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/newop NAME")
		os.Exit(2)
	}
	if err := start(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "newop:", err)
		os.Exit(1)
	}
	fmt.Printf("mutate/%s is begun; write its archive first, then run\n\tgo test ./mutate -run Operators/%[1]s -update\nSay in Faults what it mends, or in NoFault why nothing that has a name, and give it its place among the strategies of internal/diagnosis.\n", os.Args[1])
}

// validName is what is a package name, a directory and a JSON value all at once.
var validName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// start writes the directory of an operator and renews the list of operators
// of the module at root.
func start(root, name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q is no name for an operator; use lower-case letters, as in addlock", name)
	}
	mutate, operators := filepath.Join(root, "mutate"), filepath.Join(root, "internal", "operators")
	dir := filepath.Join(mutate, name)
	if _, err := os.Stat(operators); err != nil {
		return errors.New("there is no internal/operators here; run it in the root of the module")
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("starting an operator: %w", err)
	}
	if err := fs.WalkDir(templates, "templates", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return write(dir, name, path)
	}); err != nil {
		return fmt.Errorf("starting %s: %w", name, err)
	}
	names, err := list.Find(mutate)
	if err != nil {
		return err
	}
	src, err := list.Source(names)
	if err != nil {
		return fmt.Errorf("listing operators: %w", err)
	}
	return os.WriteFile(filepath.Join(operators, "all.go"), src, 0o644)
}

// write fills in a template. Its file name is that of the result with NAME for
// the operator's name and without .tmpl.
func write(dir, name, path string) error {
	text, err := templates.ReadFile(path)
	if err != nil {
		return err
	}
	t, err := template.New(path).Parse(string(text))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, struct{ Name string }{name}); err != nil {
		return err
	}
	src := out.Bytes()
	to := strings.TrimSuffix(strings.TrimPrefix(path, "templates/"), ".tmpl")
	to = filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(to, "NAME", name)))
	if strings.HasSuffix(to, ".go") {
		if src, err = format.Source(src); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, src, 0o644)
}
