package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"mendel/checker/incremental"
	"mendel/checker/instrument"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// A Binary is an instrumented test binary, or its part in one that several
// programs share. It is safe for concurrent use.
type Binary struct {
	checker      *Checker
	path         string
	clone        string            // the program's name in a shared one; "" in one of its own
	member       *schema.Member    // of a schema; nil: the binary is of no schema
	users        *atomic.Int64     // binaries that have the file and are not closed; nil: this one alone
	files        map[string][]byte // that replace some of the program's
	uncontrolled []string
	points       *incremental.Points // nil: it has no marks
	left         []string            // dependencies that are left alone

	once   sync.Once
	closed error
}

// An InstrumentError says that a program builds as it is and does not build
// instrumented. It is no fault of the program: it can be run, but not checked.
type InstrumentError struct {
	Package string
	Build   *gotool.BuildError // why the compiler refuses the rewritten source
}

func (e *InstrumentError) Error() string {
	return fmt.Sprintf("%s cannot be instrumented: %v", e.Package, e.Build)
}

// Build builds the instrumented test binary with some files replaced (absolute
// name to source; nil: the original). The error is a *gotool.BuildError, with the
// positions of the source as given, if the program does not compile, and an
// *InstrumentError if only the instrumented program does not. A package without
// tests is gotool.ErrNoTests. The original is built once.
func (c *Checker) Build(ctx context.Context, files map[string][]byte) (*Binary, error) {
	return c.build(ctx, files, func(*instrument.Rewritten) *Binary { return nil })
}

// Obtain is Build for a program that may have been built: as the last ones that were built alone,
// or from variants of functions that were built for others.
func (c *Checker) Obtain(ctx context.Context, files map[string][]byte) (*Binary, error) {
	return c.build(ctx, files, func(p *instrument.Rewritten) *Binary { return c.known(files, p) })
}

// build builds a program that is not there.
func (c *Checker) build(ctx context.Context, files map[string][]byte, there func(*instrument.Rewritten) *Binary) (*Binary, error) {
	if !c.hasTests() {
		return nil, fmt.Errorf("%s: %w", c.path(), gotool.ErrNoTests)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return c.original(ctx)
	}
	p, err := c.rewrite(ctx, files)
	if err != nil {
		return nil, err
	}
	if b := there(p); b != nil {
		return b, nil
	}
	return c.buildAlone(ctx, files, p)
}

// known is a binary of a program that was built; nil: it was not, or the binary is gone.
func (c *Checker) known(files map[string][]byte, p *instrument.Rewritten) (b *Binary) {
	c.alone.Find(func(kept *Binary) bool {
		if maps.EqualFunc(kept.files, files, bytes.Equal) && slices.Equal(kept.left, c.unfit()) {
			b = kept.again()
		}
		return b != nil
	})
	if b != nil {
		return b
	}
	return c.combined(files, p)
}

// keepAlone keeps a binary that was built alone, and no longer the oldest if there are too many.
func (c *Checker) keepAlone(b *Binary) *Binary {
	b.users = &atomic.Int64{}
	b.users.Store(1)
	again := b.again()
	if oldest, full := c.alone.Add(b); full {
		_ = oldest.Close() // the checker removes what is left of it
	}
	return again
}

// A keptOriginal is the binary of the program as it is, which several ask for.
type keptOriginal struct {
	mu     sync.Mutex // held while it is built
	binary *Binary    // nil: it is not built
}

// original is the binary of the program as it is. It is built once, unless dependencies
// are left alone since; the file stays as long as the checker.
func (c *Checker) original(ctx context.Context) (*Binary, error) {
	c.first.mu.Lock()
	defer c.first.mu.Unlock()
	if b := c.first.binary; b == nil || !slices.Equal(b.left, c.unfit()) {
		p, err := c.rewrite(ctx, nil)
		if err != nil {
			return nil, err
		}
		built, err := c.buildAlone(ctx, nil, p)
		if err != nil {
			return nil, err
		}
		built.users = &atomic.Int64{}
		built.users.Store(1)
		c.first.binary = built
	}
	return c.first.binary.again(), nil
}

// again is another binary with the same file, of a program that shares it.
func (b *Binary) again() *Binary {
	b.users.Add(1)
	return &Binary{
		checker: b.checker, path: b.path, clone: b.clone, member: b.member, users: b.users,
		files: b.files, uncontrolled: b.uncontrolled, points: b.points, left: b.left,
	}
}

// buildAlone builds the binary of one program. If that fails because of
// dependencies that are controlled without being named, these are left as they
// are, from now on.
func (c *Checker) buildAlone(ctx context.Context, files map[string][]byte, p *instrument.Rewritten) (*Binary, error) {
	for {
		b, err := c.buildOne(ctx, files, p)
		unfit := (*InstrumentError)(nil)
		switch {
		case err == nil && len(files) > 0:
			return c.keepAlone(b), nil
		case !errors.As(err, &unfit) || !c.leave(unfit.Build, len(files) == 0):
			return b, err
		}
		if p, err = c.rewrite(ctx, files); err != nil {
			return nil, err
		}
	}
}

// leave gives up the control of the dependencies that a build failed on; false:
// there are none to give up. If the build of the original failed on something
// else, all are given up.
func (c *Checker) leave(refused *gotool.BuildError, original bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	unfit := c.source.Unfit(refused, original)
	if len(unfit) == 0 {
		return false
	}
	maps.Copy(c.left, unfit)
	source, err := c.c.instrument(c.left)
	if err != nil {
		return false // not possible: it was made before
	}
	c.source = source
	return true
}

// unfit are the dependencies that are left alone.
func (c *Checker) unfit() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.left))
}

// instrumenter is what rewrites the next program.
func (c *Checker) instrumenter() *instrument.Instrumenter {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.source
}

// rewrite instruments the source of a program.
func (c *Checker) rewrite(ctx context.Context, files map[string][]byte) (*instrument.Rewritten, error) {
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	defer c.builds.Begin()()
	return c.instrumenter().Rewrite(files)
}

// buildOne builds the binary of one program.
func (c *Checker) buildOne(ctx context.Context, files map[string][]byte, p *instrument.Rewritten) (*Binary, error) {
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	defer c.builds.Begin()()
	b := c.binary(files, p, c.newName())
	o := c.options(c.c.Program.Target.Package, p.Overlay, b.path)
	o.Once = len(files) > 0
	if o.Package == "" {
		o.Package = "."
	}
	c.builds.Linked("checker, alone")
	err = c.c.Tool.BuildTest(ctx, o)
	if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
		return nil, c.blame(ctx, o, files, refused)
	}
	if err != nil {
		return nil, err
	}
	c.builds.Built(1)
	return b, nil
}

// newName is the name of a binary that is not there yet.
func (c *Checker) newName() string {
	name := filepath.Join(c.dir, fmt.Sprintf("b%d.test", c.names.Add(1)))
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

func (c *Checker) binary(files map[string][]byte, p *instrument.Rewritten, path string) *Binary {
	b := &Binary{checker: c, path: path, files: maps.Clone(files), points: p.Points, left: c.unfit()}
	for _, u := range p.Uncontrolled {
		u.Pos.Filename = c.relative(u.Pos.Filename)
		b.uncontrolled = append(b.uncontrolled, u.String())
	}
	return b
}

// compiler are flags that make the compiler do less for the module's packages: a tenth,
// measured, without what only debuggers read. (No inlining would save another tenth, but
// schedules would take up to half as long again.)
func (c *Checker) compiler() string { return c.c.Program.ModulePath() + "/...=-dwarf=false" }

func (c *Checker) options(pkg string, overlay gotool.Overlay, output string) gotool.BuildOptions {
	return gotool.BuildOptions{
		Package:  pkg,
		Flags:    c.c.Flags,
		Compiler: c.compiler(),
		Overlay:  overlay,
		Output:   output,
		Timeout:  c.c.BuildTimeout,
	}
}

// blame finds the reason of a build that failed: the source, if it does not build
// without instrumentation either.
func (c *Checker) blame(ctx context.Context, o gotool.BuildOptions, files map[string][]byte, refused *gotool.BuildError) error {
	if refused.Limit != "" {
		return refused
	}
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
		if b.users != nil && b.users.Add(-1) > 0 {
			return
		}
		b.closed = remove(b.path)
	})
	return b.closed
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove test binary: %w", err)
	}
	return nil
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
