package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// oldest is the first Go version whose toolchain Mendel works with.
const oldest = "go1.25"

// A Toolchain is the user's go command as seen from one directory. It is safe for
// concurrent use.
type Toolchain struct {
	Dir       string // absolute; every command runs here
	GOROOT    string
	Version   string // "go1.26.8"
	Port      string // what it builds for, "linux/amd64"; with experiments "linux/amd64 jsonv2"
	ModuleDir string // directory of go.mod
	Workspace string // the go.work file; "": there is none
	RaceErr   error  // nil when -race builds work; else the reason, in words for the user

	path    string   // of the go command; "": look it up
	flags   string   // GOFLAGS
	tempDir string   // GOTMPDIR; "": the system's
	cache   string   // the build cache
	extra   []string // variables for its go commands
	kept    cacheDir
	reader  string // program that reads the build cache for a go command; "": none
	builds  keptBuilds
}

// Open asks the go command in dir about itself. It fails, with a way out, when
// there is no go command, it is older than Go 1.25, it builds for another
// operating system, dir is in no module, or that is in a newer language than Mendel reads.
func Open(ctx context.Context, dir string) (*Toolchain, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find directory %s: %w", dir, err)
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("find module: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("find module: %s is a file; name the directory it is in", abs)
	}
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("find the go command: %w; install Go 1.25 or later (https://go.dev/dl) and put its bin directory into PATH", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("find the go command: %w", err)
	}
	t := &Toolchain{Dir: abs, path: path}
	env, err := t.env(ctx)
	if err != nil {
		return nil, err
	}
	t.GOROOT, t.flags, t.tempDir, t.cache = env["GOROOT"], env["GOFLAGS"], env["GOTMPDIR"], env["GOCACHE"]
	if t.Version, err = checkVersion(env["GOVERSION"]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if goos := env["GOOS"]; goos != runtime.GOOS {
		return nil, fmt.Errorf("the go command builds for GOOS=%s, but the tests have to run here, on %s; unset GOOS", goos, runtime.GOOS)
	}
	t.Port = strings.TrimSpace(env["GOOS"] + "/" + env["GOARCH"] + " " + env["GOEXPERIMENT"])
	if t.ModuleDir, err = moduleDir(abs, env); err != nil {
		return nil, err
	}
	if work := env["GOWORK"]; work != "off" {
		t.Workspace = work
	}
	if err := t.chooseCache(); err != nil {
		return nil, err
	}
	t.chooseReader(env["GOCACHEPROG"])
	if t.RaceErr, err = t.checkRace(ctx, env); err != nil {
		return nil, err
	}
	if err := t.checkModule(); err != nil {
		return nil, err
	}
	return t, nil
}

// chooseCache uses a build cache of Mendel's own where the user's cannot be written.
func (t *Toolchain) chooseCache() error {
	own, err := chooseCache(t.cache)
	if err == nil && own != "" {
		t.cache, t.extra = own, []string{"GOCACHE=" + own}
	}
	return err
}

// Env is what the environment of a go command for this toolchain has besides
// Mendel's own: nothing for a nil Toolchain.
func (t *Toolchain) Env() []string {
	if t == nil {
		return nil
	}
	return slices.Clone(t.extra)
}

// variables are what Open asks for. To tell all that it has, the go command would
// start a C compiler.
var variables = []string{"CC", "GO111MODULE", "GOARCH", "GOCACHE", "GOCACHEPROG", "GOEXPERIMENT", "GOFLAGS", "GOMOD", "GOOS", "GOROOT", "GOTMPDIR", "GOVERSION", "GOWORK"}

// env is what go env says of variables.
func (t *Toolchain) env(ctx context.Context) (map[string]string, error) {
	out, err := t.query(ctx, append([]string{"env", "-json"}, variables...)...)
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		return nil, fmt.Errorf("go env in %s: %s", t.Dir, firstLines(out.stderr, 10))
	}
	var env map[string]string
	if err := json.Unmarshal(out.stdout, &env); err != nil {
		return nil, fmt.Errorf("go env in %s: unexpected answer: %w", t.Dir, err)
	}
	return env, nil
}

// checkVersion finds the version in GOVERSION, which may be "go1.26.8",
// "go1.26.8 X:experiment" or "devel go1.27-1234abcd date", and refuses old ones.
func checkVersion(goversion string) (string, error) {
	for field := range strings.FieldsSeq(goversion) {
		v, _, _ := strings.Cut(field, "-")
		if !version.IsValid(v) {
			continue
		}
		if version.Compare(version.Lang(v), oldest) < 0 {
			return "", fmt.Errorf("%s is too old: Mendel needs Go 1.25 or later; install it (https://go.dev/dl) or set GOTOOLCHAIN=%s.0", v, oldest)
		}
		return v, nil
	}
	return "", fmt.Errorf("unknown Go version %q: Mendel needs Go 1.25 or later", goversion)
}

// moduleDir is the directory of the go.mod that governs dir.
func moduleDir(dir string, env map[string]string) (string, error) {
	mod := env["GOMOD"]
	switch {
	case mod != "" && mod != os.DevNull:
		return filepath.Dir(mod), nil
	case mod == "":
		return "", fmt.Errorf("%s: modules are switched off (GO111MODULE=%s); unset GO111MODULE", dir, env["GO111MODULE"])
	case env["GOWORK"] != "" && env["GOWORK"] != "off":
		return "", fmt.Errorf("%s is in no module, only in the workspace %s; name a directory of one of its modules", dir, env["GOWORK"])
	}
	return "", fmt.Errorf("%s is in no module: there is no go.mod here or above; go to the module's directory, or make one with \"go mod init NAME\"", dir)
}

// checkRace says why -race cannot work; the second error is for what keeps any
// build from working.
func (t *Toolchain) checkRace(ctx context.Context, env map[string]string) (reason, err error) {
	// The go command knows where the race detector is supported. Other
	// complaints, say of go.mod, are left to the build.
	out, err := t.query(ctx, "list", "-race", "unsafe")
	if err != nil {
		return nil, err
	}
	said := firstLines(out.stderr, 1)
	compiler := env["CC"]
	switch {
	case strings.Contains(said, "requires go >= "):
		return nil, fmt.Errorf("%s; install that version (https://go.dev/dl) or set GOTOOLCHAIN=auto", strings.TrimPrefix(said, "go: "))
	case out.code == 0, !strings.Contains(said, "-race"):
	case !strings.Contains(said, "cgo"):
		return errors.New(strings.TrimPrefix(said, "go: ")), nil
	case runnable(ctx, compiler):
		return errors.New("-race requires cgo, and CGO_ENABLED=0 switches it off; set CGO_ENABLED=1"), nil
	default:
		return noCompiler(compiler), nil
	}
	// Only on these systems is the race detector free of C code.
	if env["GOOS"] != "darwin" && !runnable(ctx, compiler) {
		return noCompiler(compiler), nil
	}
	return nil, ctx.Err()
}

func noCompiler(compiler string) error {
	return fmt.Errorf("-race requires a C compiler, and %q does not run; install gcc or clang, or name yours in CC", compiler)
}

// runnable reports whether a compiler command, possibly with arguments as in
// "ccache gcc", can be started.
func runnable(ctx context.Context, compiler string) bool {
	words := splitQuoted(compiler)
	if len(words) == 0 {
		return false
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return false
	}
	e, err := supervise(ctx, command{
		path:   path,
		args:   append(words[1:], "--version"),
		env:    os.Environ(),
		mark:   newMark(),
		limits: limits{timeout: 30 * time.Second, output: 1 << 20},
	})
	return err == nil && e.stop == Exited && e.code == 0
}

// splitQuoted splits at spaces, except inside single or double quotes, as the
// go command does with CC and GOFLAGS.
func splitQuoted(s string) []string {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if quote := s[0]; quote == '"' || quote == '\'' {
			if end := strings.IndexByte(s[1:], quote); end >= 0 {
				words = append(words, s[1:1+end])
				s = s[end+2:]
				continue
			}
		}
		end := strings.IndexAny(s, " \t\r\n")
		if end < 0 {
			end = len(s)
		}
		words = append(words, s[:end])
		s = s[end:]
	}
	return words
}

// firstLines is at most n lines of a program's output, trimmed.
func firstLines(out []byte, n int) string {
	lines := bytes.SplitN(bytes.TrimSpace(out), []byte("\n"), n+1)
	if len(lines) > n {
		lines = lines[:n]
	}
	return string(bytes.TrimSpace(bytes.Join(lines, []byte("\n"))))
}
