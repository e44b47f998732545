// Fake stands for an instrumented test binary: it answers a request as the
// names of the tests tell it to.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		signal.Ignore(syscall.SIGQUIT, syscall.SIGTERM)
		time.Sleep(time.Hour)
	}
	var r wire.Request
	text, err := os.ReadFile(os.Getenv(wire.Env))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		panic(err)
	}
	f := fake{Request: r, began: time.Now()}
	f.log()
	if strings.HasPrefix(r.Tests[0], "TestInitExits") {
		fmt.Println("no configuration found")
		os.Exit(1)
	}
	ready := &wire.Ready{}
	for _, name := range r.Tests {
		switch name {
		case "TestUnplanted":
			ready.Planted = "instead of the planted race: exhausted: 1 schedule"
		case "TestMissing":
			ready.Missing = append(ready.Missing, name)
		}
	}
	f.say(wire.Answer{Ready: ready})
	for _, name := range r.Tests {
		f.test(name)
	}
	f.say(wire.Answer{Done: true})
}

type fake struct {
	wire.Request
	began time.Time
}

// log notes each request beside the binary, for the tests to look at.
func (f *fake) log() {
	file, err := os.OpenFile(os.Args[0]+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = json.NewEncoder(file).Encode(f.Request)
	}
	if err != nil {
		panic(err)
	}
}

func (f *fake) say(a wire.Answer) {
	line, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	f.write(string(line) + "\n")
}

func (f *fake) write(text string) {
	file, err := os.OpenFile(f.Answers, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err != nil {
		panic(err)
	}
	file.Close()
}

// race is a failure at two lines of a file that is not there.
func race(line int) wire.Failure {
	places := []sched.Place{
		{Goroutine: "main", What: "read", Function: "example.com/fake.Get", File: "/src/fake.go", Line: line},
		{Goroutine: "fake.go:7#1", What: "write", Function: "example.com/fake.Set", File: "/src/fake.go", Line: line + 1},
	}
	return wire.Failure{
		Failure:  sched.Failure{Kind: sched.Race, Message: "data race at address 0xc000", Signature: fmt.Sprintf("race fake.go:%d", line), Places: places},
		Choices:  "0*3 1 0*2",
		Strategy: "random",
		Nth:      3,
		Trace:    []sched.Event{{What: "start"}},
	}
}

func (f *fake) answer(t wire.Test) { f.say(wire.Answer{Test: &t}) }

// test does what the name of a test says.
func (f *fake) test(name string) {
	behaviour, _, _ := strings.Cut(strings.TrimPrefix(name, "Test"), "_")
	switch behaviour {
	case "Exhausted", "Unplanted":
		f.answer(wire.Test{Name: name, Verdict: explore.Exhausted, Complete: true, Bound: 2, Executions: 35, Steps: 350})
	case "Covered":
		f.answer(wire.Test{Name: name, Verdict: explore.Covered, Complete: true, Classes: 3, Executions: 4})
	case "Unbounded":
		f.answer(wire.Test{Name: name, Verdict: explore.Exhausted, Complete: true, Bound: -1, Fair: true, Executions: 5})
	case "Passed":
		time.Sleep(f.Search.Time)
		f.answer(wire.Test{Name: name, Verdict: explore.Passed, Executions: 100, Sampled: f.Search.Sample, Passed: f.Search.Sample})
	case "Skipped":
		f.answer(wire.Test{Name: name, Verdict: explore.Passed, Skipped: true, Executions: 1})
	case "Uncontrolled":
		f.answer(wire.Test{Name: name, Verdict: explore.Inconclusive, Executions: 1,
			Reason: "a step took longer than 2s of wall-clock time; the goroutine is blocked in code that is not under control:\ngoroutine 7 [IO wait]:"})
	case "Race":
		f.say(wire.Answer{Found: &wire.Found{Test: name, Failure: race(10)}})
		f.answer(wire.Test{Name: name, Verdict: explore.Failed, Executions: 3, Failures: []wire.Failure{race(10)},
			Sampled: f.Search.Sample, Passed: f.Search.Sample / 2, Kinds: map[string]int{sched.Race: f.Search.Sample - f.Search.Sample/2}})
	case "Main": // the exhaustive process waits for those that help it to find something
		if f.Search.Strategy == "auto" {
			time.Sleep(f.Search.Time)
			f.answer(wire.Test{Name: name, Verdict: explore.Passed, Executions: 100})
			return
		}
		f.answer(wire.Test{Name: name, Verdict: explore.Failed, Executions: 3, Failures: []wire.Failure{race(10)}})
	case "FoundThenExits":
		f.say(wire.Answer{Found: &wire.Found{Test: name, Failure: race(20)}})
		os.Exit(7)
	case "Baseless":
		f.answer(wire.Test{Name: name, Verdict: explore.Failed, Executions: 3})
	case "Missing", "Mute":
	case "Stateful", "Flaky", "Steady", "SingleExits", "ExitsLater", "Diverges":
		f.stateful(name, behaviour)
	default:
		f.misbehave(name, behaviour)
	}
}

// stateful wants a process for each execution.
func (f *fake) stateful(name, behaviour string) {
	passed := wire.Test{Name: name, Verdict: explore.Passed, Executions: 1, Steps: 10}
	failed := wire.Test{Name: name, Verdict: explore.Failed, Executions: 1, Steps: 10, Failures: []wire.Failure{race(30)}}
	switch {
	case !f.Search.OwnProcess && behaviour == "ExitsLater": // in the second execution
		fmt.Println("there is a suite already")
		os.Exit(1)
	case !f.Search.OwnProcess:
		f.answer(wire.Test{Name: name, Verdict: explore.Inconclusive, Stateful: true, Executions: 2, Reason: "the variable x cannot be re-initialised"})
	case behaviour == "Diverges" && f.Mode == wire.Replay:
		f.answer(wire.Test{Name: name, Verdict: explore.Inconclusive, Diverged: "it ends early", Reason: "it ends early", Executions: 1})
	case behaviour == "SingleExits":
		os.Exit(5)
	case behaviour == "Steady", behaviour == "ExitsLater", behaviour == "Diverges":
		f.answer(passed)
	case f.Mode == wire.Replay && behaviour == "Flaky":
		f.answer(passed)
	case f.Mode == wire.Replay, f.Search.Seed%5 == 3:
		f.answer(failed)
	default:
		f.answer(passed)
	}
}

// misbehave does what programs under test should not.
func (f *fake) misbehave(name, behaviour string) {
	exhausted := wire.Test{Name: name, Verdict: explore.Exhausted, Complete: true, Bound: 2, Executions: 35}
	switch behaviour {
	case "Hangs": // whatever it is told
		signal.Ignore(syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT)
		for time.Since(f.began) < time.Hour {
		}
	case "Waits":
		wait()
	case "Panics":
		go explode()
		time.Sleep(time.Hour)
	case "Deadlocks":
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	case "Exits":
		fmt.Println("2026/11/21 cannot open database")
		os.Exit(3)
	case "Succeeds":
		os.Exit(0)
	case "Killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "KilledOnce": // by somebody else; the next process is not
		if file, err := os.OpenFile(os.Args[0]+"."+name, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			file.Close()
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Hour)
		}
		f.answer(exhausted)
	case "Floods":
		line := []byte(strings.Repeat("all work and no play ", 1000) + "\n")
		for {
			os.Stdout.Write(line)
		}
	case "Devours":
		for {
			block := make([]byte, 16<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			hoard = append(hoard, block)
		}
	case "Forks":
		for {
			exec.Command(os.Args[0], "child").Start()
			time.Sleep(time.Millisecond)
		}
	case "Garbage":
		f.write("{\"Test\": 7}\nnot even JSON\n{\"Test\":{\"Name\":\"" + name + "\",\"Verdict\":\"fine\"}}\n")
		f.answer(exhausted)
	case "GarbageAlone":
		f.write("not even JSON\n")
	case "Half":
		f.answer(wire.Test{Name: "TestOther", Verdict: explore.Failed})
		f.write(`{"Test":{"Name":"` + name + `","Verdict":"exhau`)
		os.Exit(1)
	case "Pours": // an answer without end
		for {
			f.write(strings.Repeat("x", 1<<20))
		}
	default:
		panic("no behaviour for " + name)
	}
}

var hoard [][]byte

func wait() { time.Sleep(time.Hour) }

func explode() { panic("boom") }
