package judged

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"mendel/internal/bench/cases"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/verify"
	"mendel/internal/gotool"
)

// leakCheck is a TestMain without its package clause.
//
//go:embed leaks.go.txt
var leakCheck string

// The judge's files in a package.
const (
	judgeFile = "zz_judge_test.go"
	leaksFile = "zz_judge_leaks_test.go"
)

// How long a process of a program's tests may take: all take a few seconds, and a hang
// is told by the tests' own time-outs, or by the first of these.
const (
	testTimeout = 30 * time.Second
	runTimeout  = testTimeout + 10*time.Second
)

// judge says what is wrong with a program when a patch has been applied, "" if nothing
// is found in a number of runs. Without a patch it is judged as it is. dir is a new directory for it.
func judge(ctx context.Context, p cases.Program, dir, patch string, runs int) (problem string, err error) {
	source, patched := filepath.Join(dir, "source"), filepath.Join(dir, "patched")
	if err := p.Write(source); err != nil {
		return "", err
	}
	if patch == "" {
		err = p.Write(patched)
	} else {
		problem, err = verify.Builds(ctx, patched, source, patch)
	}
	if err != nil || problem != "" {
		return problem, err
	}
	if err := putTests(p, patched); err != nil {
		return "", err
	}
	tests, problem, err := build(ctx, patched)
	if err != nil || problem != "" {
		return problem, err
	}
	for n := range runs {
		for _, t := range tests {
			if problem, err = t.run(ctx, n); err != nil || problem != "" {
				return problem, err
			}
		}
	}
	return "", nil
}

// putTests puts the program's own tests back, which a patch must not change, and those
// of the judge beside them.
func putTests(p cases.Program, dir string) error {
	files := map[string]string{}
	for name, text := range p.Files {
		if strings.HasSuffix(name, "_test.go") {
			files[name] = text
		}
	}
	if p.Judge != "" {
		files[path.Join(p.JudgeDir, judgeFile)] = p.Judge
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return fmt.Errorf("put the tests of %s back: %w", p.Name, err)
		}
	}
	return nil
}

// A testBinary is a package's tests, built.
type testBinary struct {
	path, dir string
}

// ownMain is a package's own TestMain. It stays: tests may start their own binary.
var ownMain = regexp.MustCompile(`(?m)^func TestMain\(`)

// build builds the tests of a module with the race detector, with the check for
// goroutines that are left.
func build(ctx context.Context, dir string) (tests []testBinary, problem string, err error) {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, "", err
	}
	env, _, err := tool.LeakProfile(ctx)
	if err != nil {
		return nil, "", err
	}
	listed, err := commands.Go(ctx, dir, "list", "-json=Dir,Name,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(listed))
	for {
		var pkg struct {
			Dir, Name                 string
			TestGoFiles, XTestGoFiles []string
		}
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return tests, "", nil
		} else if err != nil {
			return nil, "", fmt.Errorf("list the packages of %s: %w", dir, err)
		}
		files := slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles)
		if len(files) == 0 {
			continue
		}
		if len(pkg.TestGoFiles) == 0 {
			pkg.Name += "_test"
		}
		if err := addLeakCheck(pkg.Dir, pkg.Name, files); err != nil {
			return nil, "", err
		}
		t := testBinary{filepath.Join(dir, fmt.Sprintf("judge%d.test", len(tests))), pkg.Dir}
		if problem, err := t.build(ctx, env); err != nil || problem != "" {
			return nil, problem, err
		}
		tests = append(tests, t)
	}
}

// addLeakCheck adds the check to a package, unless it has a TestMain.
func addLeakCheck(dir, name string, files []string) error {
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			return fmt.Errorf("read a test: %w", err)
		}
		if ownMain.Match(text) {
			return nil
		}
	}
	if err := os.WriteFile(filepath.Join(dir, leaksFile), []byte("package "+name+"\n"+leakCheck), 0o666); err != nil {
		return fmt.Errorf("add the check for goroutines: %w", err)
	}
	return nil
}

// build builds the tests; env switches the runtime's leak profile on, if there is one.
func (t testBinary) build(ctx context.Context, env []string) (problem string, err error) {
	goCommand, err := commands.Find("go", "install Go (https://go.dev/dl)")
	if err != nil {
		return "", err
	}
	args := []string{"test", "-race", "-vet=off", "-c", "-o", t.path, "."}
	r, err := gotool.Run(ctx, gotool.RunOptions{Path: goCommand, Args: args, Dir: t.dir, Env: env, Timeout: 10 * time.Minute, Memory: 8 << 30})
	if err != nil {
		return "", fmt.Errorf("build the judge's tests: %w", err)
	}
	return commands.Verdict(ctx, r)
}

// run runs the tests once. What differs from run to run is the number of processors, the
// order of the tests, and whether others take time.
func (t testBinary) run(ctx context.Context, n int) (problem string, err error) {
	args := []string{"-test.timeout=" + testTimeout.String(), "-test.failfast"}
	env := []string{fmt.Sprintf("GOMAXPROCS=%d", []int{2, 1, 4, 8, 3}[n%5])}
	switch n % 3 {
	case 0:
		args = append(args, "-test.cpu=1,2,4")
	case 1:
		args = append(args, fmt.Sprintf("-test.shuffle=%d", n+1), "-test.count=3")
	case 2:
		args = append(args, "-test.cpu=1,2,4", fmt.Sprintf("-test.shuffle=%d", n+1))
		env = append(env, "JUDGE_BUSY=1")
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{Path: t.path, Args: args, Dir: t.dir, Env: env, Timeout: runTimeout})
	if err != nil {
		return "", fmt.Errorf("run the judge's tests: %w", err)
	}
	if problem, err = commands.Verdict(ctx, r); problem != "" {
		problem = telling(r.Output, problem)
	}
	return problem, err
}

// telling is the line of a test's output that says most, with what the verdict is
// without one.
func telling(output []byte, otherwise string) string {
	text := string(output)
	for _, sign := range []string{"WARNING: DATA RACE", "fatal error: ", "panic: ", "goroutines are left", "_test.go:", "--- FAIL"} {
		i := strings.Index(text, sign)
		if i < 0 {
			continue
		}
		begin := strings.LastIndex(text[:i], "\n") + 1
		line, _, _ := strings.Cut(text[begin:], "\n")
		return strings.TrimSpace(line)
	}
	return otherwise
}
