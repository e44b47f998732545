package noise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// Mode is how a program is built.
type Mode int

// Modes.
const (
	Noised Mode = iota // hooks and, unless Config.NoRace, -race; noise can still be switched off for a run
	Plain              // neither hooks nor -race: as a user would run it
	Raced              // no hooks, but -race
	modes              // how many there are
)

// A Binary is a built test binary, or its part in one that several programs share.
type Binary struct {
	path   string
	member *schema.Member // of a schema; nil: the binary is of one program
	users  *atomic.Int64  // binaries that have the file and are not closed; nil: this one alone
	once   sync.Once
	closed error
}

// Path is the binary's absolute name, for callers that run it in another way.
func (b *Binary) Path() string { return b.path }

// Close removes the binary, unless others share it that are not closed. It may be called
// twice.
func (b *Binary) Close() error {
	b.once.Do(func() {
		if b.users != nil && b.users.Add(-1) > 0 {
			return
		}
		if err := os.Remove(b.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			b.closed = fmt.Errorf("remove test binary: %w", err)
		}
	})
	return b.closed
}

// Build instruments and builds the program with some files replaced (absolute
// name to source; nil: the original, which is built once in each mode). If the program does
// not compile, the error is a *gotool.BuildError with the positions of the source without
// hooks. A package without tests is gotool.ErrNoTests.
func (h *Harness) Build(ctx context.Context, mode Mode, files map[string][]byte) (*Binary, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		first := &h.originals[mode]
		first.mu.Lock()
		defer first.mu.Unlock()
		if first.binary == nil {
			b, err := h.buildNew(ctx, mode, nil)
			if err != nil {
				return nil, err
			}
			first.binary = b.shared()
		}
		return first.binary.again(), nil
	}
	b, err := h.buildNew(ctx, mode, files)
	if err != nil {
		return nil, err
	}
	kept := &keptAlone{mode, maps.Clone(files), b.shared()}
	b = kept.binary.again()
	if oldest, full := h.alone.Add(kept); full {
		_ = oldest.binary.Close() // the harness removes what is left of it
	}
	return b, nil
}

// Obtain is Build for a program that may have been built: as the last ones that were built
// alone or, noised, from variants of functions that were built for others.
func (h *Harness) Obtain(ctx context.Context, mode Mode, files map[string][]byte) (*Binary, error) {
	if len(files) > 0 && ctx.Err() == nil {
		if b := h.known(mode, files); b != nil {
			return b, nil
		}
	}
	return h.Build(ctx, mode, files)
}

// Known is a noised binary of a mutant that was built, see Obtain; nil: it was not, or is gone.
func (h *Harness) Known(files map[string][]byte) *Binary { return h.known(Noised, files) }

// known is a binary of a mutant that was built; nil: it was not, or the binary is gone.
func (h *Harness) known(mode Mode, files map[string][]byte) (b *Binary) {
	h.alone.Find(func(kept *keptAlone) bool {
		if kept.mode == mode && maps.EqualFunc(kept.files, files, bytes.Equal) {
			b = kept.binary.again()
		}
		return b != nil
	})
	if b != nil || mode != Noised || h.kept.Len() == 0 || !h.source.isTyped() {
		return b
	}
	p := h.source.program(files)
	if p == nil {
		return nil
	}
	if b = h.combined(p); b != nil {
		h.builds.Variants(1)
	}
	return b
}

// A keptOriginal is the binary of the program as it is in one mode, which several ask for. The
// file stays as long as the harness.
type keptOriginal struct {
	mu     sync.Mutex // held while it is built
	binary *Binary    // nil: it is not built
}

// A keptAlone is a mutant that was built alone.
type keptAlone struct {
	mode   Mode
	files  map[string][]byte
	binary *Binary // keeps the file
}

// shared makes a binary one whose file others may have, too.
func (b *Binary) shared() *Binary {
	b.users = &atomic.Int64{}
	b.users.Store(1)
	return b
}

// again is another binary with the same file.
func (b *Binary) again() *Binary {
	b.users.Add(1)
	return &Binary{path: b.path, member: b.member, users: b.users}
}

// buildNew builds a program.
func (h *Harness) buildNew(ctx context.Context, mode Mode, files map[string][]byte) (*Binary, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	defer h.builds.Begin()()
	o := h.options()
	o.Once = len(files) > 0
	h.builds.Linked(h.purpose(mode))
	if mode != Noised {
		o.Overlay, o.Race = files, mode == Raced
		err = h.c.Tool.BuildTest(ctx, o)
	} else {
		err = h.buildNoised(ctx, o, files)
	}
	if err != nil {
		return nil, err
	}
	h.builds.Built(1)
	return &Binary{path: o.Output}, nil
}

// purpose is what a build of one program is for.
func (h *Harness) purpose(mode Mode) string {
	switch {
	case h.c.For != "":
		return h.c.For
	case mode == Plain:
		return "plain"
	case mode == Raced:
		return "with -race"
	}
	return "noise, alone"
}

// options are those of the next build.
func (h *Harness) options() gotool.BuildOptions {
	o := gotool.BuildOptions{
		Package: h.c.Program.Target.Package,
		Flags:   h.c.Program.Target.Flags,
		Output:  filepath.Join(h.dir, fmt.Sprintf("b%d.test", h.built.Add(1))),
		Timeout: h.c.BuildTimeout,
	}
	if runtime.GOOS == "windows" {
		o.Output += ".exe"
	}
	if o.Package == "" {
		o.Package = "."
	}
	return o
}

// noisedOptions are those of builds with hooks besides.
func (h *Harness) noisedOptions(ctx context.Context, o *gotool.BuildOptions) error {
	o.Race = !h.c.NoRace
	// Nothing is inlined: what is has other names and places in a schema, which inlines less.
	if h.source.isTyped() {
		o.Compiler = h.c.Program.ModulePath() + "/...=-l"
	}
	if !h.c.LeakProfile {
		return nil
	}
	profile, err := h.leakProfile(ctx)
	o.Env = append(o.Env, profile...)
	return err
}

// buildNoised builds with hooks. If that fails, it builds without them, for the
// positions of the user's own mistakes. If that succeeds, the files that do not
// compile with hooks have none from now on.
func (h *Harness) buildNoised(ctx context.Context, o gotool.BuildOptions, files map[string][]byte) error {
	if err := h.noisedOptions(ctx, &o); err != nil {
		return err
	}
	for {
		o.Overlay = h.source.noised(files)
		err := h.c.Tool.BuildTest(ctx, o)
		var refused *gotool.BuildError
		if !errors.As(err, &refused) || refused.Limit != "" {
			return err
		}
		bare := o
		bare.Overlay = h.source.withHooks(files)
		if err := h.c.Tool.BuildTest(ctx, bare); err != nil {
			return err
		}
		if !h.source.refuse(refused.Diagnostics) {
			return fmt.Errorf("build with hooks, though it builds without: %w", err)
		}
	}
}

// leakProfile is what the environment of a build with the leak profile has besides. The
// toolchain is asked once.
func (h *Harness) leakProfile(ctx context.Context) ([]string, error) {
	h.profile.Lock()
	defer h.profile.Unlock()
	if h.profile.known {
		return h.profile.env, nil
	}
	env, ok, err := h.c.Tool.LeakProfile(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s has no profile of leaked goroutines; Go 1.26 and later have one", h.c.Tool.Version)
	}
	h.profile.known, h.profile.env = true, env
	return env, nil
}
