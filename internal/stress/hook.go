package stress

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"mendel/internal/gotool"
)

// hookTime is how long a command of the user may take.
const hookTime = 5 * time.Minute

// callHooks runs the user's command once for each group, after all files are written. What
// goes wrong with it is a note: what was found stands.
func (res *Result) callHooks(ctx context.Context, o Options) {
	if o.OnFailure == "" {
		return
	}
	for i, g := range res.Groups {
		o.Observer.Phase("running the command for failure %d", i+1)
		r, err := gotool.Run(ctx, gotool.RunOptions{
			Path: shell(), Args: shellArgs(o.OnFailure), Dir: o.Dir, Timeout: hookTime, Env: hookEnv(res, g, o),
		})
		if text := strings.TrimSpace(string(r.Output)); text != "" {
			o.Observer.Printf("%s", text)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			res.Notes = append(res.Notes, fmt.Sprintf("the command for failure %d could not be run: %v", i+1, err))
		case r.Stop != gotool.Exited || r.ExitCode != 0:
			how := fmt.Sprintf("ended with exit code %d", r.ExitCode)
			if r.Stop != gotool.Exited {
				how = "was ended: " + string(r.Stop)
			}
			res.Notes = append(res.Notes, fmt.Sprintf("the command for failure %d %s: %s", i+1, how, strings.TrimSpace(string(r.Output))))
		}
	}
}

// hookEnv is what a command is told of a group.
func hookEnv(res *Result, g Group, o Options) []string {
	modes := make([]string, 0, len(g.Modes))
	for _, m := range g.Modes {
		modes = append(modes, fmt.Sprintf("%s=%d/%d", m.Name, m.Failed, m.Runs))
	}
	env := []string{
		"MENDEL_KIND=" + string(g.Kind),
		"MENDEL_SIGNATURE=" + g.Signature,
		"MENDEL_MESSAGE=" + g.Message,
		"MENDEL_TESTS=" + strings.Join(g.Tests, " "),
		"MENDEL_PACKAGE=" + res.Target.Package,
		"MENDEL_MODULE=" + res.Target.Module,
		"MENDEL_RATES=" + strings.Join(modes, " "),
		"MENDEL_LOG=" + o.Log,
	}
	if g.File != "" {
		env = append(env, "MENDEL_FILE="+filepath.Join(o.Out, g.File), "MENDEL_OUT="+o.Out)
	}
	return env
}

// shell runs a line that a user has written.
func shell() string {
	if runtime.GOOS == "windows" {
		return "cmd.exe"
	}
	return "/bin/sh"
}

func shellArgs(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"/c", line}
	}
	return []string{"-c", line}
}
