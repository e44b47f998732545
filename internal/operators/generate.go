//go:build ignore

// This program writes all.go; go generate runs it.
package main

import (
	"log"
	"os"

	"mendel/mutate/operators/list"
)

func main() {
	log.SetFlags(0)
	names, err := list.Find("..")
	if err != nil {
		log.Fatal(err)
	}
	src, err := list.Source(names)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("all.go", src, 0o644); err != nil {
		log.Fatal(err)
	}
}
