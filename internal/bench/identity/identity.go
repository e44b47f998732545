package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Mendel identifies what repairs: by the source of the module, if the
// command is run in it, as with go run; else by this executable. Tests,
// commands, documents and subjects take no part in a repair.
func Mendel() (string, error) {
	dir, err := source()
	if err != nil {
		return "", err
	}
	if dir != "" {
		return hashTree(dir, ofMendel)
	}
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("identify Mendel: %w", err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("identify Mendel: %w", err)
	}
	return Content(data), nil
}

// source is the root of Mendel's source that the working directory is in; "":
// it is elsewhere.
func source() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find Mendel's source: %w", err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && moduleLine.Match(text) {
			return dir, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find Mendel's source: %w", err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

var moduleLine = regexp.MustCompile(`(?m)^module mendel\s*$`)

// ofMendel reports whether a file or directory of the module takes part in a repair.
func ofMendel(name string, dir bool) bool {
	base := path.Base(name)
	if dir {
		return name != "cmd" && name != "docs" && name != "internal/bench" && name != "subjects" && base != "testdata" && !strings.HasPrefix(base, ".")
	}
	return base == "go.mod" || base == "go.sum" || strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go")
}

// Module identifies the module in a directory as programs.Copy copies it.
func Module(dir string) (string, error) {
	return hashTree(dir, func(name string, dir bool) bool { return !dir || name != "testdata" })
}

// hashTree identifies the files below a directory. which is asked for each file
// and directory by its slash-separated name relative to it.
func hashTree(root string, which func(name string, dir bool) bool) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case d.IsDir() && !which(name, true):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || !which(name, false):
			return nil
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("identify the files below %s: %w", root, err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6]), nil
}

// Content identifies data by its hash.
func Content(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// Patch identifies what a patch does to the code. The text before the diff, such
// as the evidence of one repair, and added comments do not count.
func Patch(text string) string {
	var code strings.Builder
	inDiff := false
	for line := range strings.Lines(text) {
		inDiff = inDiff || strings.HasPrefix(line, "--- ")
		added, isAdded := strings.CutPrefix(line, "+")
		comment := strings.TrimSpace(added)
		switch {
		case !inDiff, isAdded && strings.HasPrefix(comment, "//") && !strings.HasPrefix(comment, "//go:"):
			continue
		case strings.HasPrefix(line, "@@ "):
			// "@@ -50,8 +50,12 @@": the second range counts the comments.
			line, _, _ = strings.Cut(line, " +")
		}
		code.WriteString(line)
	}
	if code.Len() == 0 {
		return Content([]byte(text))
	}
	return Content([]byte(code.String()))
}
