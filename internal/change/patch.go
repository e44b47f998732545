package change

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Read is the change that a patch file makes: a unified diff as diff, git and
// mendel write it. Its names are relative to a directory of the source, or to the root
// of its module or repository. A patch that is applied already is taken
// for the change that it was.
func Read(ctx context.Context, patch, dir string) (*Change, error) {
	text, err := os.ReadFile(patch)
	if err != nil {
		return nil, fmt.Errorf("read the patch: %w", err)
	}
	return Parse(ctx, filepath.Base(patch), text, dir)
}

// Parse is Read of a patch that was read already, under the name that people know it by.
func Parse(ctx context.Context, name string, text []byte, dir string) (*Change, error) {
	names := named(text)
	if len(names) == 0 {
		return nil, fmt.Errorf("%s is no patch: it names no file as a unified diff does", name)
	}
	top, err := topLevel(ctx, dir)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, root := range []string{moduleOf(dir), top, dir} {
		if root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	var first error
	for _, applied := range []bool{false, true} {
		for _, root := range roots {
			for _, strip := range []int{1, 0} {
				c := &Change{Name: name, Root: root, Applied: applied}
				err := c.read(ctx, text, names, strip)
				if err == nil {
					return c.sorted()
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if first == nil {
					first = err
				}
			}
		}
	}
	return nil, fmt.Errorf("%s applies neither to the source in %s nor, taken back, from it: %w", name, strings.Join(roots, " or "), first)
}

// read applies a patch, or takes it back if it is applied, to copies of the files that
// it names.
func (c *Change) read(ctx context.Context, text []byte, names []string, strip int) error {
	work, err := os.MkdirTemp("", "mendel-patch-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tree := filepath.Join(work, "tree")
	if err := os.Mkdir(tree, 0o777); err != nil {
		return err
	}
	now := map[string][]byte{}
	for _, name := range names {
		if strip == 1 {
			_, name, _ = strings.Cut(name, "/")
		}
		name = path.Clean(name)
		if name == "." || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue // no name, or one that git refuses
		}
		text, err := readFile(c.Root, name)
		if err != nil {
			continue // what cannot be read is no file that a patch changes
		}
		now[name] = text
		if text == nil {
			continue
		}
		if err := write(tree, name, text); err != nil {
			return err
		}
	}
	file := filepath.Join(work, "patch")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	args := []string{"apply", "--whitespace=nowarn", "-p" + strconv.Itoa(strip)}
	if c.Applied {
		args = append(args, "-R")
	}
	// No repository around the copies, so that names are relative to their directory.
	outside := []string{"GIT_CEILING_DIRECTORIES=" + work, "GIT_DIR=" + filepath.Join(work, "none")}
	if _, err := gitWith(ctx, tree, outside, append(args, file)...); err != nil {
		return err
	}
	for name, before := range now {
		after, err := readFile(tree, name)
		if err != nil {
			return err
		}
		if before == nil && after == nil || before != nil && after != nil && bytes.Equal(before, after) {
			continue
		}
		if c.Applied {
			before, after = after, before
		}
		c.Files = append(c.Files, File{name, before, after})
	}
	return nil
}

// named are the names in a patch as they stand there, with what -p strips. Some may be
// none: a removed line can look like a header.
func named(text []byte) []string {
	var names []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		var name string
		for _, prefix := range []string{"--- ", "+++ "} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				name, _, _ = strings.Cut(rest, "\t") // a date may follow
			}
		}
		for _, prefix := range []string{"rename from ", "rename to ", "copy from ", "copy to "} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				name = "a/" + rest
			}
		}
		if unquoted, err := strconv.Unquote(name); err == nil {
			name = unquoted
		}
		if name != "" && name != "/dev/null" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// write writes a file below a directory.
func write(dir, name string, text []byte) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// moduleOf is the directory of the module that a directory lies in; "" if it lies in none.
func moduleOf(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
