package gotool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"mendel/internal/gotool"
)

func Example() {
	ctx := context.Background()
	tool, err := gotool.Open(ctx, "/home/me/bank")
	if err != nil {
		log.Fatal(err) // no go command, too old, no module: err names the way out
	}
	mutant, err := os.ReadFile("mutant.go")
	if err != nil {
		log.Fatal(err)
	}
	binary := filepath.Join(os.TempDir(), "account.test")
	err = tool.BuildTest(ctx, gotool.BuildOptions{
		Package: "./account",
		Race:    tool.RaceErr == nil,
		Overlay: gotool.Overlay{"/home/me/bank/account/account.go": mutant},
		Output:  binary,
	})
	if be := (*gotool.BuildError)(nil); errors.As(err, &be) {
		fmt.Println(be.Diagnostics) // where the mutant is not Go
		return
	} else if err != nil {
		log.Fatal(err)
	}
	result, err := gotool.Run(ctx, gotool.RunOptions{
		Path: binary,
		Args: []string{"-test.run=^TestTransfer$"},
		Dir:  "/home/me/bank/account",
	})
	if err != nil {
		log.Fatal(err) // it could not be run
	}
	fmt.Printf("stopped: %q\n%s", result.Stop, result.Output)
}
