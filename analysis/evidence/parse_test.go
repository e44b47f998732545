package evidence

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// realOutputs are the outputs of real programs, by base name.
func realOutputs(t testing.TB) map[string]string { return texts(t, "testdata/real") }

// texts are the files of a directory, by base name.
func texts(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("nothing in %s: %v", dir, err)
	}
	texts := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
	}
	return texts
}

func names(texts map[string]string) []string {
	var all []string
	for name := range texts {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// list writes failures the way failures.golden has them.
func list(failures []Failure) string {
	var b strings.Builder
	for _, f := range failures {
		fmt.Fprintf(&b, "%s\n\ttest %q\n\t%s\n", f.Message, f.Test, f.Signature)
		for _, s := range f.Stacks {
			at, _ := innermost(s.Frames)
			by, _ := innermost(s.Created)
			fmt.Fprintf(&b, "\t\t%s | %d frames, %s | by %s\n", s.Role, len(s.Frames), Describe(at), by.Func)
		}
	}
	return b.String()
}

func TestRealOutput(t *testing.T) {
	texts := realOutputs(t)
	var b strings.Builder
	for _, name := range names(texts) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, list(Parse([]byte(texts[name]))))
	}
	compare(t, "testdata/failures.golden", b.String())
}

// compare compares with a golden file, or writes it.
func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("failures differ from %s (run with -update if that is meant):\n%s", golden, diff)
	}
}

// TestRaceReport states one report in full.
func TestRaceReport(t *testing.T) {
	got := Parse([]byte(realOutputs(t)["race.txt"]))
	if len(got) == 0 {
		t.Fatal("nothing found")
	}
	const dir = "/src/bank/"
	want := Failure{
		Kind:      Race,
		Signature: "race: example.com/bank.(*Account).Deposit account.go:15, example.com/bank.(*Account).Transfer account.go:22",
		Message:   "data race: read in (*Account).Deposit account.go:15, previous write in (*Account).Transfer account.go:22",
		Test:      "TestRace",
		Stacks: []Stack{
			{Role: "read", Frames: []Frame{
				{"example.com/bank.(*Account).Deposit", dir + "account.go", 15},
				{"example.com/bank.TestRace.func2", dir + "account_test.go", 17},
			}},
			{Role: "previous write", Frames: []Frame{
				{"example.com/bank.(*Account).Transfer", dir + "account.go", 22},
				{"example.com/bank.TestRace.func1", dir + "account_test.go", 16},
			}},
		},
	}
	for i := range got[0].Stacks {
		if n := len(got[0].Stacks[i].Created); n != 3 {
			t.Errorf("stack %d: %d creation frames, want 3", i, n)
		}
		got[0].Stacks[i].Created = nil
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Error(diff)
	}
}

// TestSmallTexts has what real runs give too rarely to keep a file for.
func TestSmallTexts(t *testing.T) {
	const stack = "\ngoroutine 7 [running]:\nexample.com/x.f(0x1)\n\t/x/x.go:3 +0x1\n"
	const waiting = "goroutine 2 [sync.WaitGroup.Wait]:\nsync.(*WaitGroup).Wait(0x1)\n\t/go/src/sync/waitgroup.go:118 +0x1\nmain.f()\n\t/x/main.go:5 +0x1\n\n"
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"garbage", "\x00\xff{}[]\n=\n==================\n", ""},
		{"lost stack", raceStart + "\nWrite at 0x00c0 by goroutine 8:\n  [failed to restore the stack]\n\nPrevious read at 0x00c0 by main goroutine:\n  main.main()\n      /x/main.go:7 +0x1\n" + raceEnd,
			"data race: write in a place whose stack the race detector lost, previous read in main main.go:7"},
		{"atomic", raceStart + "\nRead at 0xc0 by goroutine 8:\n  main.f()\n      /x/main.go:8 +0x1\n\nPrevious atomic write at 0xc0 by goroutine 9:\n  sync/atomic.AddInt64()\n      /go/src/runtime/race.s:1 +0x1\n  main.g()\n      /x/main.go:9 +0x1\n",
			"data race: read in f main.go:8, previous atomic write in g main.go:9"},
		{"race cut off by the next", raceStart + "\nRead at 0xc0 by goroutine 8:\n  main.f()\n      /x/main.go:8 +0x1\n" + raceStart + "\nWrite at 0xc0 by goroutine 8:\n  main.f()\n      /x/main.go:9 +0x1\n" + raceEnd + "\n",
			"data race: read in f main.go:8 | data race: write in f main.go:9"},
		{"race without access", raceStart + "\n" + raceEnd + "\n", ""},
		{"panic in a log", "panic: no, only a log line\nmore\nmore\n=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\n", ""},
		{"panic without traceback", "panic: order 17 lost\n\nexit status 2\n", "panic: order 17 lost"},
		{"panic cut off", "panic: order 17 lost\n", "panic: order 17 lost"},
		{"no stack available", "panic: x\n\ngoroutine 7 [running]:\n\tgoroutine running on other thread; stack unavailable\n", "panic: x"},
		{"output before the verdict", "no newline--- FAIL: TestX (0.00s)\n", ""},
		{"marked verdict", "no newline\x16--- FAIL: TestX (0.00s)\n", "TestX failed"},
		{"log, then panic", "--- FAIL: TestX (0.00s)\n    x_test.go:3: a log line\npanic: boom\n" + stack, "panic: boom in f x.go:3"},
		{"assertion and panic elsewhere", "--- FAIL: TestX (0.00s)\n    x_test.go:3: wrong\n=== RUN   TestY\npanic: boom\n" + stack,
			"panic: boom in f x.go:3 | TestX: x_test.go:3: wrong"},
		{"healthy dump", "goroutine 1 [IO wait]:\nmain.main()\n\t/x/main.go:3 +0x1\n\ngoroutine 2 [select]:\nmain.f()\n\t/x/main.go:4 +0x1\n", ""},
		{"bare dump with a waiter", "goroutine 1 [IO wait]:\nmain.main()\n\t/x/main.go:3 +0x1\n\ngoroutine 2 [chan send, 3 minutes]:\nmain.f()\n\t/x/main.go:4 +0x1\n",
			"goroutine blocked for ever: chan send in f main.go:4"},
		{"wait for a goroutine that sleeps", waiting + "goroutine 3 [sleep]:\nmain.g()\n\t/x/main.go:9 +0x1\ncreated by main.f in goroutine 2\n\t/x/main.go:4 +0x1\n", ""},
		{"wait beside a goroutine that sleeps", waiting + "goroutine 3 [sleep]:\nmain.g()\n\t/x/main.go:9 +0x1\ncreated by main.main in goroutine 1\n\t/x/main.go:4 +0x1\n",
			"goroutine blocked for ever: sync.WaitGroup.Wait in f main.go:5"},
		{"noise report", "x\n" + blockedStart + "TestX\ngoroutine 2 [chan receive]:\nmain.f()\n\t/x/main.go:4 +0x1\n\n" + reportEnd + "\nFAIL\n",
			"goroutine blocked for ever: chan receive in f main.go:4"},
		{"noise report of a test that failed", failureStart + "TestX\ngoroutine 2 [chan send]:\nmain.f()\n\t/x/main.go:4 +0x1\n\n" + reportEnd + "\n    x_test.go:3: late\n--- FAIL: TestX (0.1s)\n",
			"goroutine blocked when the test failed: chan send in f main.go:4"},
		{"noise deadlock", deadlockStart + "TestX\ngoroutine 2 [chan receive]:\nmain.f()\n\t/x/main.go:4 +0x1\n",
			"deadlock: chan receive in f main.go:4"},
		{"windows", "panic: x\r\n\r\ngoroutine 7 [running]:\r\nexample.com/x.f(...)\r\n\tC:/x/x.go:3\r\n", "panic: x in f x.go:3"},
		{"order", "panic: test timed out after 1s\n" + "\ngoroutine 7 [runnable]:\nmain.f()\n\t/x/x.go:3\n\n\x16--- FAIL: TestX (1.0s)\n    x_test.go:3: slow\n=== RUN   TestY\n" + "fatal error: concurrent map writes\n" + stack,
			"fatal error: concurrent map writes in f x.go:3 | TestX: x_test.go:3: slow | test timed out after 1s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Parse([]byte(tt.text)) {
				got = append(got, f.Message)
			}
			if s := strings.Join(got, " | "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// TestCarriageReturns parses every real output with Windows line ends.
func TestCarriageReturns(t *testing.T) {
	for name, text := range realOutputs(t) {
		want := Parse([]byte(text))
		got := Parse([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestInterleavedLog puts log lines into race reports.
func TestInterleavedLog(t *testing.T) {
	texts := realOutputs(t)
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.SplitAfter(texts["race.txt"], "\n")
		var b strings.Builder
		for _, line := range lines {
			b.WriteString(line)
			if rapid.Bool().Draw(t, "log") {
				b.WriteString(rapid.SampledFrom([]string{"2026/01/02 15:04:05 served /\n", "{\"level\":\"info\"}\n", "a: b()\n", "\t\n"}).Draw(t, "line"))
			}
		}
		if diff := cmp.Diff(Parse([]byte(texts["race.txt"])), Parse([]byte(b.String()))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSignatureIgnoresOrder shuffles the goroutines of a dump and renumbers them.
func TestSignatureIgnoresOrder(t *testing.T) {
	head, dump, _ := strings.Cut(realOutputs(t)["timeout-deadlock.txt"], "\n\n")
	blocks := strings.Split(strings.TrimSpace(dump), "\n\n")
	want := Parse([]byte(head + "\n\n" + dump))[0].Signature
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(blocks).Draw(t, "goroutines")
		for i, b := range shuffled {
			_, rest, _ := strings.Cut(b, "[")
			shuffled[i] = fmt.Sprintf("goroutine %d [%s", rapid.IntRange(1, 99).Draw(t, "id"), rest)
		}
		got := Parse([]byte(head + "\n\n" + strings.Join(shuffled, "\n\n")))
		if len(got) == 0 || got[0].Signature != want {
			t.Fatalf("got %v, want signature %s", got, want)
		}
	})
}

// TestHugeText checks the bounds: a text above the limit keeps its beginning
// and its end, and the number of failures is limited.
func TestHugeText(t *testing.T) {
	race := realOutputs(t)["race.txt"]
	text := race + strings.Repeat("printing for ever\n", maxText/10) + "panic: at last\n"
	kinds := make(map[Kind]int)
	for _, f := range Parse([]byte(text)) {
		kinds[f.Kind]++
	}
	if kinds[Race] == 0 || kinds[Panic] != 1 {
		t.Errorf("found %v, want the races at the beginning and the panic at the end", kinds)
	}
	var b strings.Builder
	for i := range 2 * maxFailures {
		fmt.Fprintf(&b, "panic: x\n\ngoroutine 1 [running]:\nmain.f%d()\n\t/x.go:1\n\n", i)
	}
	if n := len(Parse([]byte(b.String()))); n != maxFailures {
		t.Errorf("%d failures kept, want %d", n, maxFailures)
	}
}

// Goroutines that were waiting when a test failed are part of that failure.
func TestWaitingAtFailure(t *testing.T) {
	text := "=== RUN   TestX\n" + waitingStart + "TestX\ngoroutine 2 [chan receive]:\nmain.f()\n\t/x/main.go:4 +0x1\n\n" + reportEnd +
		"\n    x_test.go:3: late\n--- FAIL: TestX (0.1s)\n=== RUN   TestY\n    x_test.go:9: wrong\n--- FAIL: TestY (0.1s)\n"
	found := Parse([]byte(text))
	if len(found) != 2 || found[0].Kind != TestFailure || found[0].Test != "TestX" || len(found[1].Stacks) != 0 {
		t.Fatalf("%+v", found)
	}
	if s := found[0].Stacks; len(s) != 1 || s[0].Role != "blocked: chan receive" || s[0].Frames[0].Line != 4 {
		t.Errorf("stacks %+v", s)
	}
}
