//go:build unix

package gotool

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mendel/internal/lean"
)

// onDisk is the directory for temporary files before others are made in memory.
var onDisk = os.TempDir()

// TestMain makes the test binary, run as "binary helper MODE", one of the
// hostile programs below.
func TestMain(m *testing.M) {
	if BeGuard() {
		return
	}
	if len(os.Args) >= 3 && os.Args[1] == "helper" {
		help(os.Args[2])
		return
	}
	lean.Children()
	os.Exit(m.Run())
}

// help behaves badly in one way. Every process says its id, or its parent
// does, in a line "pid N".
func help(mode string) {
	fmt.Println("pid", os.Getpid())
	if file := os.Getenv("HELPER_PIDS"); file != "" {
		notePid(file)
	}
	switch mode {
	case "sleep":
		time.Sleep(time.Hour)
	case "exit":
		os.Exit(3)
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "spin":
		for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); {
		}
	case "deaf":
		signal.Ignore(syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		fmt.Println("deaf")
		time.Sleep(time.Hour)
	case "print":
		for {
			fmt.Println("All work and no play makes Jack a dull boy.")
		}
	case "print-last":
		fmt.Print(string(make([]byte, 40<<10))) // fits into the pipe
	case "print-quit":
		quit := make(chan os.Signal, 1)
		signal.Notify(quit, syscall.SIGQUIT)
		<-quit
		help("print")
	case "allocate":
		allocate()
	case "children": // leaves children behind that hold the pipe
		for range 3 {
			spawn("sleep", nil, os.Environ())
		}
	case "daemon": // leaves a grandchild behind in a session of its own
		wait(spawn("daemon-parent", &syscall.SysProcAttr{Setsid: true}, os.Environ()))
	case "court": // a deaf one with a deaf child and a nameless grandchild
		spawn("deaf", nil, os.Environ())
		wait(spawn("daemon-parent", &syscall.SysProcAttr{Setsid: true}, []string{"HELPER_PIDS=" + os.Getenv("HELPER_PIDS")}))
		time.Sleep(time.Hour)
	case "daemon-parent":
		spawn("deaf", &syscall.SysProcAttr{Setsid: true}, os.Environ())
	case "stranger": // has a child in a session of its own and without a mark
		spawn("allocate", &syscall.SysProcAttr{Setsid: true}, []string{"HOME=/"})
		time.Sleep(time.Hour)
	case "nameless": // leaves a grandchild behind without mark, session or parent, and ends before it was looked for
		wait(spawn("daemon-parent", &syscall.SysProcAttr{Setsid: true}, []string{"HOME=/"}))
	case "storm":
		for {
			spawn("sleep", nil, os.Environ())
		}
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		fmt.Println("goes on")
		time.Sleep(time.Hour)
	case "mute": // holds nothing that it was given
		for fd := range 3 {
			_ = syscall.Close(fd)
		}
		time.Sleep(time.Hour)
	case "fill":
		fill(os.TempDir())
	case "fill-unseen":
		fill(os.Getenv("HELPER_ELSEWHERE"))
	case "files":
		files()
	case "deep":
		deep(200)
	case "swap": // its temporary directory becomes one of the user's
		swap(os.Getenv("HELPER_ELSEWHERE"))
	case "litter":
		litter()
	case "environment":
		dir, _ := os.Getwd()
		fmt.Printf("dir=%s PWD=%s X=%s args=%q\n", dir, os.Getenv("PWD"), os.Getenv("X"), os.Args[3:])
		n, err := os.Stdin.Read(make([]byte, 1))
		fmt.Fprintf(os.Stderr, "stdin: %d %v\n", n, err)
	case "relay", "bomb":
		forkForEver(mode)
	case "many", "one-more":
		showAffinity(mode)
	case "supervisor": // what Mendel is to the program under test
		supervisor()
	default:
		fmt.Println("unknown mode", mode)
		os.Exit(99)
	}
}

func spawn(mode string, attr *syscall.SysProcAttr, env []string) *exec.Cmd {
	cmd := exec.Command(self(), "helper", mode)
	cmd.Env, cmd.SysProcAttr = env, attr
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Println("spawn:", err)
		time.Sleep(10 * time.Millisecond)
		return nil
	}
	fmt.Println("pid", cmd.Process.Pid)
	return cmd
}

func wait(cmd *exec.Cmd) {
	if cmd != nil {
		_ = cmd.Wait()
	}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

func notePid(file string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, "pid "+strconv.Itoa(os.Getpid()))
}

func allocate() {
	var all [][]byte
	for {
		block := make([]byte, 4<<20)
		for i := 0; i < len(block); i += 512 {
			block[i] = 1
		}
		all = append(all, block)
		if len(all) > 1<<10 { // 4 GiB: the limit did not work; spare the machine
			fmt.Println("not stopped")
			os.Exit(98)
		}
	}
}

// fill writes for ever to a file in dir that has no name any more, unless it
// is the program's own directory.
func fill(dir string) {
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		panic(err)
	}
	if dir != os.TempDir() {
		if err := os.Remove(f.Name()); err != nil {
			panic(err)
		}
	}
	block := make([]byte, 1<<20)
	for range 2 << 10 { // 2 GiB: the limit did not work; spare the machine
		if _, err := f.Write(block); err != nil {
			panic(err)
		}
	}
	fmt.Println("not stopped")
	os.Exit(98)
}

func files() {
	for i := range 200_000 {
		if err := os.WriteFile(filepath.Join(os.TempDir(), strconv.Itoa(i)), nil, 0o600); err != nil {
			panic(err)
		}
	}
	fmt.Println("not stopped")
	os.Exit(98)
}

// deep makes directories within each other, with names longer than any path may be.
func deep(levels int) {
	name := strings.Repeat("d", 50)
	if err := os.Chdir(os.TempDir()); err != nil {
		panic(err)
	}
	for range levels { // not by os, which keeps a log of it for go test
		if err := syscall.Mkdir(name, 0o700); err != nil {
			panic(err)
		}
		if err := syscall.Chdir(name); err != nil {
			panic(err)
		}
	}
	fmt.Println("deep")
}

func swap(dir string) {
	temp := os.TempDir()
	if err := os.Remove(temp); err != nil {
		panic(err)
	}
	if err := os.Symlink(dir, temp); err != nil {
		panic(err)
	}
	fmt.Println("swapped")
}

func litter() {
	dir := filepath.Join(os.TempDir(), "a", "b")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o400); err != nil {
		panic(err)
	}
	if precious := os.Getenv("HELPER_ELSEWHERE"); precious != "" {
		if err := os.Symlink(precious, filepath.Join(dir, "link")); err != nil {
			panic(err)
		}
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0); err != nil {
			panic(err)
		}
	}
	fmt.Println("littered", dir)
}
