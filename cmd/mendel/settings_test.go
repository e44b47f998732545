package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The schema of mendel.toml in docs is that of the flags.
func TestSettingsSchema(t *testing.T) {
	got, err := settingsSchema(newRootCommand())
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "docs", "mendel.schema.json")
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/mendel.schema.json is stale (%v); run go test ./cmd/mendel -run SettingsSchema -update", err)
	}
}
