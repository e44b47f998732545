package htmlreport_test

import (
	"fmt"
	"log"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report/htmlreport"
)

func ExampleHTML() {
	d := &dossier.Dossier{Status: "not-reproduced", Reason: "no run failed", Package: "example.com/bank"}
	var page strings.Builder
	if err := htmlreport.HTML(&page, d); err != nil {
		log.Fatal(err)
	}
	_, rest, _ := strings.Cut(page.String(), "<title>")
	title, _, _ := strings.Cut(rest, "</title>")
	fmt.Println(title)
	// Output: bank: Not reproduced · Mendel
}
