//go:build ignore

// This program writes all.go; go generate runs it.
package main

import (
	"log"
	"os"
	"path/filepath"

	"mendel/internal/operators/list"
)

func main() {
	log.SetFlags(0)
	names, err := list.Find(filepath.Join("..", "..", "mutate"))
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
