package instrument_test

import (
	"context"
	"log"
	"os"
	"path/filepath"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/instrument"
	"mendel/checker/instrument/effects"
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
	library, err := effects.For(ctx, tool, program.Library())
	if err != nil {
		log.Fatal(err)
	}
	in, err := instrument.New(program, tool.GOROOT, checker.Runtime, instrument.Options{Library: library})
	if err != nil {
		log.Fatal(err)
	}
	original, err := in.Rewrite(nil)
	if err != nil {
		log.Fatal(err)
	}
	mutant, err := in.Rewrite(map[string][]byte{"/home/me/bank/bank.go": []byte("package bank\n")})
	if err != nil {
		log.Fatal(err)
	}
	// One binary for the mutant, or, if neither has to be Alone, one for both.
	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: ".", Overlay: mutant.Overlay, Output: filepath.Join(os.TempDir(), "mutant.test")})
	if err != nil {
		log.Fatal(err)
	}
	both := in.Batch([]*instrument.Rewritten{original, mutant})
	err = tool.BuildTest(ctx, gotool.BuildOptions{Package: both.Package, Overlay: both.Overlay, Output: filepath.Join(os.TempDir(), "both.test")})
	if err != nil {
		log.Fatal(err)
	}
}
