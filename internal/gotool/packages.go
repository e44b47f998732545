package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A Package is what the go command says of a package that a pattern matches.
type Package struct {
	Path  string // import path
	Dir   string // absolute
	Tests bool   // it has test files under the build tags
	// Problem is why it cannot be built, as far as that shows in its import
	// declarations: an import that is not there. "": nothing is known to be wrong.
	Problem string
}

// Packages lists what patterns match, in the order of the go command, with
// build flags ("-tags=..."). A package that cannot be built is listed with its
// Problem; the error is for a pattern that matches nothing, and for what kept
// the go command from answering.
func (t *Toolchain) Packages(ctx context.Context, flags []string, patterns ...string) ([]Package, error) {
	args := append([]string{"list", "-e", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles,Error,DepsErrors"}, flags...)
	out, err := t.query(ctx, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	all := strings.Join(patterns, " ")
	if out.code != 0 {
		return nil, fmt.Errorf("go list %s in %s: %s", all, t.Dir, firstLines(out.stderr, 10))
	}
	packages, err := t.parsePackages(out.stdout)
	if err != nil {
		return nil, fmt.Errorf("go list %s in %s: %w", all, t.Dir, err)
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("%s matches no package in %s: there are no Go files below, or build constraints exclude them all (see --tags)", all, t.Dir)
	}
	return packages, nil
}

// parsePackages reads the answer of go list -json.
func (t *Toolchain) parsePackages(answer []byte) ([]Package, error) {
	type problem struct{ Pos, Err string }
	var packages []Package
	for d := json.NewDecoder(bytes.NewReader(answer)); ; {
		var l struct {
			Dir, ImportPath           string
			TestGoFiles, XTestGoFiles []string
			Error                     *problem
			DepsErrors                []*problem
		}
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("unexpected answer: %w", err)
		}
		p := Package{Path: l.ImportPath, Dir: l.Dir, Tests: len(l.TestGoFiles)+len(l.XTestGoFiles) > 0}
		for _, e := range append([]*problem{l.Error}, l.DepsErrors...) {
			if e == nil {
				continue
			}
			p.Problem = strings.TrimSpace(e.Err)
			if e.Pos != "" {
				p.Problem = t.absolute(e.Pos) + ": " + p.Problem
			}
			break
		}
		if p.Dir == "" { // a pattern, not a package
			return nil, errors.New(p.Problem)
		}
		packages = append(packages, p)
	}
}

// absolute makes the file of a position "a/b.go:3:1" an absolute one.
func (t *Toolchain) absolute(pos string) string {
	if filepath.IsAbs(pos) {
		return pos
	}
	return filepath.Join(t.Dir, pos)
}
