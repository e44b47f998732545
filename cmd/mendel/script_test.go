package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mendel"
	"mendel/internal/lean"
	"mendel/internal/sample"
)

func TestMain(m *testing.M) {
	lean.Children()
	// Scripts sleep about half of their time: until a time-out, or under noise.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"mendel": func() { os.Exit(run()) }})
}

// TestScripts runs the real command on small modules. The scripts in
// testdata/script say what a user does and must see. Those that begin with "[!whole] skip"
// run where all is asked for (package sample).
func TestScripts(t *testing.T) {
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name == "whole" {
				return sample.All(), nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":     awaitCommand,
			"block":     blockCommand,
			"copyorder": copyOrderCommand,
			"events":    eventsCommand,
			"hash":      hashCommand,
			"exitcode":  exitCodeCommand,
			"quiet":     quietCommand,
			"subject":   subjectCommand,
		},
	})
}

// goEnv reads variables of the go command as NAME=value.
func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	values := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	vars := make([]string, len(names))
	for i, name := range names {
		vars[i] = name + "=" + values[i]
	}
	return vars
}

// awaitCommand is "await file [regexp]": it waits until a command in the background, or a
// program that it runs, has made the file, with such a text in it.
func awaitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await file [regexp]")
	}
	text := regexp.MustCompile(strings.Join(args[1:], ""))
	for range 6000 { // five minutes: nobody waits so long unless the command is gone
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && text.Match(data) {
			return
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			ts.Fatalf("await: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s was never made", strings.Join(args, " with "))
}

// copyOrderCommand is "copyorder module": the module gets a copy of package order.
func copyOrderCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: copyorder module")
	}
	_, err := mendel.CopyOrder(ts.MkAbs(args[0]), "test")
	ts.Check(err)
}

// hashCommand is "hash save dir" and "hash same dir": the names, modes and
// contents of a tree are what they were.
func hashCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hash save|same dir")
	}
	sum := sha256.New()
	root := ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, rel, info.Mode())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%d\n%s", len(data), data)
		}
		return nil
	}))
	got := fmt.Sprintf("%x", sum.Sum(nil))
	const saved = "MENDEL_TREE_HASH"
	switch args[0] {
	case "save":
		ts.Setenv(saved, got)
	case "same":
		if want := ts.Getenv(saved); got != want {
			ts.Fatalf("the tree %s has changed", args[1])
		}
	default:
		ts.Fatalf("usage: hash save|same dir")
	}
}

// exitCodeCommand is "exitcode N command args...": the command ends with just that code.
func exitCodeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// quietCommand fails when the last command printed a stack trace.
func quietCommand(ts *testscript.TestScript, neg bool, args []string) {
	for _, text := range []string{ts.ReadFile("stdout"), ts.ReadFile("stderr")} {
		if strings.Contains(text, "goroutine 1 [") && strings.Contains(text, "main.main()") {
			ts.Fatalf("a stack trace was printed:\n%s", text)
		}
	}
}

// subjectCommand is "subject name dir": it copies a program with a known bug,
// its testdata left out, or one elsewhere that the name leads to from the subjects.
func subjectCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: subject name dir")
	}
	to := ts.MkAbs(args[1])
	ts.Check(os.CopyFS(to, os.DirFS(filepath.Join("..", "..", "subjects", args[0]))))
	ts.Check(os.RemoveAll(filepath.Join(to, "testdata")))
}

// blockCommand is "block page language file": it writes the first block in a language
// that a page of docs has to a file.
func blockCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: block page language file")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", args[0]))
	ts.Check(err)
	_, text, begun := strings.Cut(string(page), "\n```"+args[1]+"\n")
	text, _, ended := strings.Cut(text, "\n```\n")
	if !begun || !ended {
		ts.Fatalf("docs/%s has no block in %s", args[0], args[1])
	}
	name := ts.MkAbs(args[2])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(text+"\n"), 0o666))
}
