package checker_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
)

func Example() {
	ctx := context.Background()
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		log.Fatal(err)
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Package: "."})
	if err != nil {
		log.Fatal(err)
	}
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: program})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	b, err := c.Build(ctx, nil) // or a mutant: map[string][]byte{file: source}
	if cannot := (*checker.InstrumentError)(nil); errors.As(err, &cannot) {
		log.Fatal("the checker cannot follow this program: ", cannot)
	} else if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	r, err := b.Check(ctx, checker.Search{Budget: 10 * time.Second, Explain: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r) // failed: race in schedule 12 of TestTransfer
	for _, f := range r.Failures {
		fmt.Println(f.Message) // data race: write in (*Account).Transfer account.go:53, ...
		again, err := b.Replay(ctx, f.Schedule)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(again.Trace), "steps")
	}
}

func ExampleChecker_BuildAll() {
	var (
		ctx     context.Context
		c       *checker.Checker
		mutants []map[string][]byte // files of each, by name
	)
	all, err := c.BuildAll(ctx, mutants)
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range all {
		if one.Err != nil { // as from Build
			continue
		}
		r, err := one.Binary.Check(ctx, checker.Search{Budget: time.Second})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r)
		if err := one.Binary.Close(); err != nil { // the last one removes the executable
			log.Fatal(err)
		}
	}
}
