package variants

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/gotool"
)

// A program is one whose mutants are compared.
type program struct {
	name     string                 // "subjects/account"
	write    func(dir string) error // the module, into a directory that is not there yet
	undriven bool                   // it has no tests
}

// programs are those that are asked for: subjects, kernels, archives.
func (o Options) programs(ctx context.Context) (all []program, err error) {
	subjects, err := subject.Read(o.Subjects, nil)
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		all = append(all, program{name: "subjects/" + s.Name, write: func(dir string) error { return programs.Copy(dir, s.Dir) }})
	}
	kernels, err := kernels(ctx)
	if err != nil {
		return nil, err
	}
	archives, err := archives(o.Operators)
	if err != nil {
		return nil, err
	}
	var wanted []program
	for _, p := range append(append(all, kernels...), archives...) {
		if o.wants(p.name) {
			wanted = append(wanted, p)
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("--only %s: no program's name contains that", strings.Join(o.Only, ","))
	}
	return wanted, nil
}

// kernels are those of the Go installation; none if it has none.
func kernels(ctx context.Context) (all []program, err error) {
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(tool.GOROOT, filepath.FromSlash(kernel.Dir))
	if _, err := os.Stat(dir); err != nil {
		return nil, nil
	}
	read, err := kernel.Read(dir, nil, true)
	if err != nil {
		return nil, err
	}
	for _, k := range read {
		all = append(all, program{name: "kernels/" + k.Name, write: k.WriteModule})
	}
	return all, nil
}

// generated matches the files of a golden archive that show what edits give.
var generated = regexp.MustCompile(`^edits? \d+(\+\d+)*(/|$)`)

// archives are the inputs of the operators' golden archives.
func archives(dir string) (all []program, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "testdata", "*.txtar"))
	if err != nil {
		return nil, fmt.Errorf("list the golden archives: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no */testdata/*.txtar below %s; run in Mendel's source or name the directory with --operators", dir)
	}
	for _, name := range names {
		operator := filepath.Base(filepath.Dir(filepath.Dir(name)))
		all = append(all, program{
			name:     fmt.Sprintf("archives/%s/%s", operator, strings.TrimSuffix(filepath.Base(name), ".txtar")),
			write:    func(dir string) error { return unpack(dir, name) },
			undriven: true,
		})
	}
	return all, nil
}

// unpack writes the input of a golden archive to a directory.
func unpack(dir, name string) error {
	a, err := txtar.ParseFile(name)
	if err != nil {
		return fmt.Errorf("read a golden archive: %w", err)
	}
	input := &txtar.Archive{}
	module := false
	for _, f := range a.Files {
		if !generated.MatchString(f.Name) {
			input.Files = append(input.Files, f)
			module = module || f.Name == "go.mod"
		}
	}
	if !module {
		input.Files = append(input.Files, txtar.File{Name: "go.mod", Data: []byte("module example.com/golden\n\ngo 1.25\n")})
	}
	return programs.Unpack(dir, txtar.Format(input))
}
