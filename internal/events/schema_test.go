package events

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write docs/events.schema.json anew")

// all are an event of each type.
var all = []Event{&Begin{}, &Phase{}, &Search{}, &Line{}, &End{}}

// schema makes the schema of the format from the types of events. It takes keys that it
// does not know: a later Mendel may add some.
func schema() (*jsonschema.Schema, error) {
	s := &jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema", Title: "Events of Mendel",
		Description: "What --events writes: one object a line.",
	}
	for _, e := range all {
		of, err := jsonschema.ForType(reflect.TypeOf(e).Elem(), &jsonschema.ForOptions{
			TypeSchemas: map[reflect.Type]*jsonschema.Schema{
				reflect.TypeFor[json.RawMessage](): {Type: "object"},
				reflect.TypeFor[[]string]():        {Type: "array", Items: &jsonschema.Schema{Type: "string"}},
			},
		})
		if err != nil {
			return nil, err
		}
		of.Title, of.AdditionalProperties = e.kind(), nil
		kind := any(e.kind())
		of.Properties["type"].Const = &kind
		of.Properties["time"].Format = "date-time"
		if v := of.Properties["version"]; v != nil {
			version := any(Version)
			v.Const = &version
		}
		s.OneOf = append(s.OneOf, of)
	}
	return s, nil
}

// The schema in docs is that of the types.
func TestSchema(t *testing.T) {
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	name := filepath.Join("..", "..", "docs", "events.schema.json")
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/events.schema.json is stale (%v); run go test ./internal/events -update", err)
	}
}

// The page in docs names all events and keys.
func TestDocument(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range s.OneOf {
		_, section, found := strings.Cut(string(page), "\n### "+of.Title+"\n")
		if !found {
			t.Errorf("docs/events.md has no section %q", of.Title)
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		for key := range of.Properties {
			if key != "type" && key != "time" && !strings.Contains(section, "| `"+key+"` |") {
				t.Errorf("docs/events.md: %s: no row for the key %s", of.Title, key)
			}
		}
	}
}
