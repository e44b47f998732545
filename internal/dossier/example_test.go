package dossier_test

import (
	"fmt"
	"log"
	"os"

	"mendel/internal/dossier"
)

func ExampleRead() {
	dir, err := os.MkdirTemp("", "mendel-out")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	written := &dossier.Dossier{Status: "fixed", Fixes: []dossier.Fix{{Patch: "fix-1.patch", ChangedLines: 3}}}
	if err := dossier.Write(dir, written); err != nil {
		log.Fatal(err)
	}

	d, err := dossier.Read(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, fix := range d.Fixes { // best first
		fmt.Println(fix.Patch, fix.ChangedLines)
	}
	// Output: fix-1.patch 3
}
