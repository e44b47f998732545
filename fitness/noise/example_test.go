package noise_test

import (
	"context"
	"fmt"
	"log"

	"mendel/analysis"
	"mendel/fitness/noise"
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
	h, err := noise.New(noise.Config{Tool: tool, Program: program})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	b, err := h.Build(ctx, noise.Noised, nil) // or the files of a mutant
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	outcomes, err := h.RunMany(ctx, b, 15, noise.RunOptions{Seed: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range outcomes {
		fmt.Println(o.Seed, o.Pass, o.Kind())
	}
}
