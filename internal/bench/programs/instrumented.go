package programs

import (
	"context"
	"errors"
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
)

// An Instrumented package has its tests in a binary that the checker controls.
type Instrumented struct {
	*checker.Binary
	program *analysis.Program
	checker *checker.Checker
}

// Instrument loads, rewrites and builds the tests of one package, as "mendel
// check" does. dir lies in its module; pattern is as the go command has it.
func Instrument(ctx context.Context, dir, pattern string, workers int) (*Instrumented, error) {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: pattern})
	if err != nil {
		return nil, err
	}
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: program, Workers: workers})
	if err != nil {
		return nil, err
	}
	b, err := c.Build(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &Instrumented{Binary: b, program: program, checker: c}, nil
}

// Program is what was loaded.
func (i *Instrumented) Program() *analysis.Program { return i.program }

// Build builds the program with some files replaced.
func (i *Instrumented) Build(ctx context.Context, files map[string][]byte) (*checker.Binary, error) {
	return i.checker.Build(ctx, files)
}

// Close removes what instrument made.
func (i *Instrumented) Close() error {
	return errors.Join(i.Binary.Close(), i.checker.Close())
}

// Tests lists the test functions of the package and of its external test
// package, in the order of files and lines.
func (i *Instrumented) Tests() []string { return TestsOf(i.program) }

// TestsOf lists the test functions of a program's package and of its external test
// package, in the order of files and lines.
func TestsOf(program *analysis.Program) []string {
	target := program.Packages[0].Path
	var names []string
	for _, p := range program.Packages {
		if p.Path != target && p.Path != target+"_test" {
			continue
		}
		for _, f := range p.Files {
			if f.Test {
				names = append(names, testFunctions(f.AST)...)
			}
		}
	}
	return names
}

// testFunctions lists the functions of a file that go test runs as tests.
func testFunctions(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name == "TestMain" || fn.Type.Params.NumFields() != 1 {
			continue
		}
		rest, ok := strings.CutPrefix(fn.Name.Name, "Test")
		if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(first) {
			continue
		}
		names = append(names, fn.Name.Name)
	}
	return slices.Clip(names)
}
