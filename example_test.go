package mendel_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mendel"
)

// A test that races in two of its schedules gets a lock.
func ExampleRepair() {
	out, err := os.MkdirTemp("", "mendel-example-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(out)
	result, err := mendel.Repair(context.Background(), mendel.Options{
		Dir:    filepath.Join("subjects", "account"),
		Budget: 5 * time.Minute,
		Out:    out, // for result.json, patches, and what --resume needs
	})
	if err != nil {
		fmt.Println(err) // does not build, no such test, ...
		return
	}
	fmt.Println(result.Status)
	fmt.Println(result.Failures[0].Kind)
	fmt.Println(result.Fixes[0].Patch, "in", result.Fixes[0].Edits[0].File)
	// Output:
	// fixed
	// race
	// fix-1.patch in account.go
}

// The schedules of a correct program are exhausted up to a bound.
func ExampleCheck() {
	result, err := mendel.Check(context.Background(), mendel.CheckOptions{
		Dir:         filepath.Join("subjects", "account", "testdata", "fixed"),
		Run:         "TestRing",
		Strategy:    "dfs",
		Preemptions: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict, "up to", result.Bound, "preemption; failures:", len(result.Failures))

	racy, err := mendel.Check(context.Background(), mendel.CheckOptions{
		Dir: filepath.Join("subjects", "account"), Run: "TestRing",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(racy.Verdict, "by a", racy.Failures[0].Kind)
	// Output:
	// exhausted up to 1 preemption; failures: 0
	// failed by a race
}
