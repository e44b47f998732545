package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// All that is written is read again.
func TestRoundTrip(t *testing.T) {
	request := Request{
		Mode: Check, Tests: []string{"TestA", "TestÄ"}, Answers: `C:\dir\answers "1"`,
		First:  []Schedule{{Test: "TestA", Choices: "0*12 1*3 =2 0"}},
		Expect: []Schedule{{Test: "TestÄ", Choices: "0 1"}}, Decline: true,
	}
	fill(reflect.ValueOf(&request.Search).Elem(), 1)
	check(t, request)
	for _, a := range []Answer{
		{Ready: &Ready{Planted: "instead", Missing: []string{"TestB"}}},
		{Done: true},
		{Found: &Found{Test: "TestA", Failure: failing()}},
		{Test: &Test{
			Name: "TestA", Verdict: explore.Failed, Bound: -1, Fair: true, Reason: "line 1\nline 2", Skipped: true,
			Executions: 1, Redundant: 2, Steps: 3, Seconds: 0.25, Sampled: 4, Passed: 5,
			Kinds: map[string]int{sched.Race: 1}, Failures: []Failure{failing()},
			Inversions: []sched.Inversion{{Places: [2][2]sched.Place{{place(), {}}, {{}, place()}}}},
			Stateful:   true, Diverged: "at step 3", Spun: 6,
			Delivered: []Delivered{{Choices: "0", Way: 3, Declined: 1, Messages: []sched.Delivery{
				{Type: "chan<- int", File: "a.go", Line: 2, Value: `"<&>"`, Closed: true, Count: 3},
			}}},
		}},
	} {
		check(t, a)
	}
}

func failing() Failure {
	return Failure{
		Failure: sched.Failure{Kind: sched.Deadlock, Message: "blocked\n\tmain", Signature: "deadlock a.go:1", Places: []sched.Place{place()}},
		Choices: "0 1*2", Preemptions: 1, Proven: true, Strategy: "dfs", Nth: 7, Goroutines: []string{"main", "a.go:1#1"},
		Trace: []sched.Event{{G: 1, Kind: sched.KindAcquire, Obj: 3, What: "mu.Lock", Place: place(), With: -1, Took: true}},
		Log:   "a_test.go:3: <&>",
	}
}

func place() sched.Place {
	p := sched.Place{}
	fill(reflect.ValueOf(&p).Elem(), 5)
	return p
}

// fill sets each field to something that is not its zero value.
func fill(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+i)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(strings.Repeat("x", n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint64:
		v.SetUint(uint64(n))
	default:
		v.SetInt(int64(n) * int64(time.Second+1))
	}
}

func check[T any](t *testing.T, value T) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "\n") {
		t.Errorf("more than a line: %s", text)
	}
	var again T
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(value, again) {
		t.Errorf("%s\nbecomes\n%+v", text, again)
	}
}

// The ways are all combinations of handing over and declining, the plain one first.
func TestWays(t *testing.T) {
	seen := map[[2]bool]bool{}
	for way := range Ways {
		seen[[2]bool{way.HandsOver(), way.Declines()}] = true
	}
	if len(seen) != int(Ways) || Way(0).HandsOver() || Way(0).Declines() {
		t.Errorf("%d ways are %v", Ways, seen)
	}
}
