package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"mendel/internal/gotool"
)

// A Binary is an instrumented test binary. It is safe for concurrent use.
type Binary struct {
	checker      *Checker
	path         string
	files        map[string][]byte // that replace some of the program's
	uncontrolled []string

	once   sync.Once
	closed error
}

// An InstrumentError says that a program builds as it is and does not build
// instrumented. It is no fault of the program: it can be run, but not checked.
type InstrumentError struct {
	Package string
	Build   *gotool.BuildError // what the compiler has against the rewritten source
}

func (e *InstrumentError) Error() string {
	return fmt.Sprintf("%s cannot be instrumented: %v", e.Package, e.Build)
}

// Build builds the instrumented test binary with some files replaced (absolute
// name to source; nil: the original). What does not compile is a
// *gotool.BuildError with the positions of the source as given; what does
// compile, but not once it is instrumented, is an *InstrumentError; a package
// without tests is gotool.ErrNoTests.
func (c *Checker) Build(ctx context.Context, files map[string][]byte) (*Binary, error) {
	if !c.hasTests() {
		return nil, fmt.Errorf("%s: %w", c.path(), gotool.ErrNoTests)
	}
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	overlay, uncontrolled, err := c.source.Overlay(files)
	if err != nil {
		return nil, err
	}
	b := &Binary{
		checker: c,
		path:    filepath.Join(c.dir, fmt.Sprintf("b%d.test", c.names.Add(1))),
		files:   maps.Clone(files),
	}
	if runtime.GOOS == "windows" {
		b.path += ".exe"
	}
	for _, u := range uncontrolled {
		u.Pos.Filename = c.relative(u.Pos.Filename)
		b.uncontrolled = append(b.uncontrolled, u.String())
	}
	o := gotool.BuildOptions{
		Package: c.c.Program.Target.Package,
		Flags:   c.c.Flags,
		Overlay: overlay,
		Output:  b.path,
		Timeout: c.c.BuildTimeout,
	}
	if o.Package == "" {
		o.Package = "."
	}
	err = c.c.Tool.BuildTest(ctx, o)
	if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
		return nil, c.blame(ctx, o, files, refused)
	}
	if err != nil {
		return nil, err
	}
	c.built.Add(1)
	return b, nil
}

// blame finds out who is to blame for a build that failed: the source, if it
// does not build as it is either.
func (c *Checker) blame(ctx context.Context, o gotool.BuildOptions, files map[string][]byte, refused *gotool.BuildError) error {
	o.Overlay = files
	if err := c.c.Tool.BuildTest(ctx, o); err != nil {
		return err
	}
	if err := os.Remove(o.Output); err != nil {
		return fmt.Errorf("remove test binary: %w", err)
	}
	return &InstrumentError{Package: c.path(), Build: refused}
}

// Close removes the binary. It may be called twice.
func (b *Binary) Close() error {
	b.once.Do(func() {
		if err := os.Remove(b.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			b.closed = fmt.Errorf("remove test binary: %w", err)
		}
	})
	return b.closed
}

// Uncontrolled lists what in the source is not under control, as lines
// "file:line:column: reason" with files relative to the module.
func (b *Binary) Uncontrolled() []string { return append([]string(nil), b.uncontrolled...) }

// relative names a file of the module as seen from its directory.
func (c *Checker) relative(file string) string {
	if rel, err := filepath.Rel(c.c.Program.Module, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// path is the import path of the package under test.
func (c *Checker) path() string { return c.c.Program.Packages[0].Path }
