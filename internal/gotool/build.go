package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoTests says that a package has no test files.
var ErrNoTests = errors.New("no test files")

// BuildOptions says how to build a test binary, or what to vet.
type BuildOptions struct {
	Package string   // import path or ./relative; one package
	Flags   []string // user's build flags
	// Compiler is what -gcflags takes, "example.com/m/...=-l"; the user's own flags of the
	// compiler, which it would replace, come before. "": nothing.
	Compiler string
	Race     bool
	Overlay  Overlay  // nil: the source as it is
	Env      []string // added to the environment, e.g. GOEXPERIMENT=goroutineleakprofile
	Output   string   // absolute name of the binary to write
	// Once: nobody builds this program again, so what is compiled of it does not stay in the build cache.
	// What others need too does: the first build of its kind is kept.
	Once    bool
	Timeout time.Duration // 0: 5 minutes
	Memory  int64         // bytes resident in the go command, compilers and linker; 0: three quarters of the machine's
}

// BuildTest builds a package's test binary (go test -c -vet=off -overlay). The
// error is a *BuildError if the compiler or linker refuses the program. It is one
// too if the build reaches a limit, because the program may be the reason. A
// package without tests is ErrNoTests. Other errors say nothing about the
// program: ctx ended, the disk is full. Only after success is there a file Output.
func (t *Toolchain) BuildTest(ctx context.Context, o BuildOptions) error {
	if err := checkPackage(o.Package); err != nil {
		return err
	}
	if !filepath.IsAbs(o.Output) {
		return fmt.Errorf("build tests of %s: output file %q is not absolute", o.Package, o.Output)
	}
	// A file that is there afterwards is from this build.
	if err := os.Remove(o.Output); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("build tests of %s: %w", o.Package, err)
	}
	args := []string{"test", "-c", "-vet=off", "-o", o.Output}
	if !t.given("-ldflags", o) {
		args = append(args, "-ldflags=-s -w") // without what only debuggers read: linking takes a third less
	}
	if o.Compiler != "" && !t.given("-gcflags", o) {
		args = append(args, "-gcflags="+o.Compiler)
	}
	err := t.build(ctx, args, o, o.Package)
	if err != nil {
		return err
	}
	if _, err := os.Stat(o.Output); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w", o.Package, ErrNoTests)
	} else if err != nil {
		return fmt.Errorf("build tests of %s: %w", o.Package, err)
	}
	return nil
}

// given reports whether the user gives a flag to go build, which the last one of that name
// would replace.
func (t *Toolchain) given(flag string, o BuildOptions) bool {
	for _, flags := range append([]string{t.flags}, append(o.Flags, o.Env...)...) {
		if strings.Contains(flags, flag) {
			return true
		}
	}
	return false
}

// Vet runs go vet on packages under an overlay of existing files (it cannot
// see packages that only an overlay has); findings are a *BuildError.
// BuildOptions.Package and Output are not used.
func (t *Toolchain) Vet(ctx context.Context, o BuildOptions, packages ...string) error {
	for _, p := range packages {
		if strings.HasPrefix(p, "-") {
			return fmt.Errorf("vet: %q is no package", p)
		}
	}
	o.Overlay = o.Overlay.named()
	return t.build(ctx, []string{"vet"}, o, packages...)
}

// build completes a go command with o's flags and overlay, runs it, and makes
// of its failure a *BuildError.
func (t *Toolchain) build(ctx context.Context, args []string, o BuildOptions, packages ...string) error {
	return retryTransient(ctx, func() error { return t.buildOnce(ctx, args, o, packages...) })
}

func (t *Toolchain) buildOnce(ctx context.Context, args []string, o BuildOptions, packages ...string) (err error) {
	temp, remove, err := tempDirIn(t.tempDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	if o.Race {
		args = append(args, "-race")
	}
	args = append(args, o.Flags...)
	names := actualNames{}
	root := ""
	if len(o.Overlay) > 0 {
		if root, err = t.rootFor(ctx, o.Overlay); err != nil {
			return err
		}
		file, err := t.writeOverlay(temp, root, o, names)
		if err != nil {
			return fmt.Errorf("write overlay: %w", err)
		}
		args = append(args, "-overlay="+file) // the last one counts
	}
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = buildTimeout
	}
	env, kind := o.Env, t.kind(args[0], o)
	once := o.Once && t.builds.has(kind)
	if once {
		env = append(slices.Clip(env), t.reading()...)
	}
	a, err := t.run(ctx, invocation{
		args:    append(args, packages...),
		env:     env,
		temp:    temp,
		memory:  o.Memory,
		timeout: timeout,
		root:    root,
	})
	if limit := (*stopped)(nil); errors.As(err, &limit) {
		return &BuildError{Output: limit.text, Limit: limit.stop}
	}
	if err == nil && a.code == 0 && !once {
		t.builds.add(kind)
	}
	if err != nil || a.code == 0 {
		return err
	}
	output := string(t.Original([]byte(names.restore(t.Dir, string(a.stdout)))))
	found := parseDiagnostics(t.Dir, output)
	if len(found) == 0 && OutOfResources(output) {
		return &transientError{fmt.Sprintf("go %s in %s: the machine is short of something: %s", args[0], t.Dir, firstLines(a.stdout, 10))}
	}
	return &BuildError{Diagnostics: found, Output: output}
}

// checkPackage refuses a name that the go command would read as a flag or as
// several packages.
func checkPackage(pkg string) error {
	switch {
	case pkg == "":
		return errors.New("build tests: no package named")
	case strings.HasPrefix(pkg, "-"):
		return fmt.Errorf("build tests: %q is no package", pkg)
	case strings.Contains(pkg, "..."):
		return fmt.Errorf("build tests: %q names several packages; name one", pkg)
	}
	return nil
}
