package textreport_test

import (
	"log"
	"os"

	"mendel/internal/dossier"
	"mendel/internal/report/textreport"
)

func ExampleMarkdown() {
	d := &dossier.Dossier{
		Status: "not-reproduced", Reason: "no run failed", Package: "example.com/bank", Seconds: 12, Seed: 1,
	}
	if err := textreport.Markdown(os.Stdout, d); err != nil {
		log.Fatal(err)
	}
	// Output:
	// # Mendel: no failure reproduced
	//
	// `example.com/bank`, 12.0 s, seed 1.
	//
	// No run failed.
}
