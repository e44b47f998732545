package gotool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// cacheName is the directory of what Mendel keeps in the build cache. The go command
// trims directories of two hexadecimal digits there, and leaves others alone.
const cacheName = "mendel"

// keptFor is how long what is kept of a toolchain stays after its last use. Guessed: a
// toolchain that nobody has used for a month has been replaced.
const keptFor = 30 * 24 * time.Hour

// A cacheDir is what is kept of a toolchain, found out when it is first asked for.
type cacheDir struct {
	mu   sync.Mutex
	path string // "": not asked for yet
	root string // the GOROOT of links in it; "": not asked for yet
}

// CacheDir is an existing directory for files that hold for exactly this toolchain: its
// name has a hash of the names, sizes and times of GOROOT's files. It lies in the
// build cache and stays there between runs. Several processes may use it at a time,
// so files come into it by renaming.
func (t *Toolchain) CacheDir(ctx context.Context) (string, error) {
	t.kept.mu.Lock()
	defer t.kept.mu.Unlock()
	return t.cacheDir(ctx)
}

// cacheDir is CacheDir for who holds the lock.
func (t *Toolchain) cacheDir(ctx context.Context) (string, error) {
	if t.kept.path != "" {
		return t.kept.path, nil
	}
	if t.cache == "" {
		return "", errors.New("find what is kept of the toolchain: the build cache is not known")
	}
	print, err := fingerprint(ctx, t.GOROOT)
	if err != nil {
		return "", fmt.Errorf("read the toolchain in %s: %w", t.GOROOT, err)
	}
	all := filepath.Join(t.cache, cacheName)
	dir := filepath.Join(all, t.Version+"-"+print)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("keep what is known of the toolchain: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // of another user's cache that cannot be done, nor need it
	forget(all, now.Add(-keptFor))
	t.kept.path = dir
	return dir, nil
}

// forget removes what was kept of toolchains that nobody has used since some time. What
// cannot be removed stays.
func forget(all string, since time.Time) {
	entries, err := os.ReadDir(all)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), "go") && info.ModTime().Before(since) {
			_ = os.RemoveAll(filepath.Join(all, e.Name()))
		}
	}
}

// layout is how what is kept of a toolchain is laid out. Another version of Mendel may have
// another layout, and leaves this one alone.
const layout = "hard links"

// fingerprint tells toolchains apart by the names, sizes and times of their files:
// those of the library, the go command, compiler and linker.
func fingerprint(ctx context.Context, goroot string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, layout, goroot)
	add := func(name, _ string, d fs.DirEntry) error {
		if d.IsDir() {
			fmt.Fprintln(h, name)
			return nil
		}
		info, err := os.Stat(name) // of what a link names: GOROOT may be made of links itself
		if err == nil {
			fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	}
	for _, part := range []string{"VERSION", "go.env", "bin", filepath.Join("pkg", "tool"), "src"} {
		if err := walkRoot(ctx, goroot, part, add); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// walkRoot visits the files and directories of a part of GOROOT in lexical order, each
// with its name below GOROOT. It leaves out what only the library's own tests need, and what is in
// src/cmd.
func walkRoot(ctx context.Context, goroot, part string, visit func(name, below string, d fs.DirEntry) error) error {
	dir, err := filepath.EvalSymlinks(filepath.Join(goroot, part))
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		below := filepath.Join(part, strings.TrimPrefix(name, dir))
		if err := visit(name, below, d); err != nil {
			return err
		}
		if below == commands && d.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
}

// commands are the sources of the go command and its tools, below GOROOT.
var commands = filepath.Join("src", "cmd")

// writable says why no file can be made in a directory, which is made if it is not there.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, thisProcess.tempPrefix())
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// chooseCache returns the build cache to use instead of the user's, where that cannot be written; ""
// where it can. The go command reads such a cache, but fails at the first thing that is
// not in it.
func chooseCache(users string) (string, error) {
	reason := errors.New("there is none")
	if users != "" && users != "off" {
		if reason = writable(users); reason == nil {
			return "", nil
		}
	}
	const wayOut = "set GOCACHE to a directory that can be written"
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("use the build cache %s: %w; %s", users, reason, wayOut)
	}
	dir = filepath.Join(dir, cacheName, "go-build")
	if err := writable(dir); err != nil {
		return "", fmt.Errorf("use the build cache %s: %w; nor can one be made: %w; %s", users, reason, err, wayOut)
	}
	return dir, nil
}
