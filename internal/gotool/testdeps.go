package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// TestDeps are, by import path, the packages that the tests of the packages that
// patterns match are built of, each package itself included. Packages without tests are
// not among them.
func (t *Toolchain) TestDeps(ctx context.Context, flags []string, patterns ...string) (map[string][]string, error) {
	args := append([]string{"list", "-e", "-test", "-json=ImportPath,Deps"}, flags...)
	out, err := t.query(ctx, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	all := strings.Join(patterns, " ")
	if out.code != 0 {
		return nil, fmt.Errorf("go list -test %s in %s: %s", all, t.Dir, firstLines(out.stderr, 10))
	}
	deps := map[string][]string{}
	for d := json.NewDecoder(bytes.NewReader(out.stdout)); ; {
		var l struct {
			ImportPath string
			Deps       []string
		}
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return deps, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -test %s in %s: unexpected answer: %w", all, t.Dir, err)
		}
		tested, isTest := strings.CutSuffix(l.ImportPath, ".test")
		if !isTest {
			continue
		}
		for _, dep := range l.Deps {
			path, _, _ := strings.Cut(dep, " ") // "p [p.test]": p, built for the test of p
			deps[tested] = append(deps[tested], strings.TrimSuffix(path, "_test"))
		}
	}
}
