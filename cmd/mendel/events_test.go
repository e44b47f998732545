package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// eventsSchema is docs/events.schema.json, with no room for keys that it does not name.
var eventsSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.schema.json"))
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, one := range document.(map[string]any)["oneOf"].([]any) {
		one.(map[string]any)["additionalProperties"] = false
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("events.schema.json", document); err != nil {
		return nil, err
	}
	return c.Compile("events.schema.json")
})

// checkEvents reports what is wrong with the events of one command.
func checkEvents(text string) error {
	schema, err := eventsSchema()
	if err != nil {
		return fmt.Errorf("the schema of events: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		event, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = schema.Validate(event)
		}
		if err != nil {
			return fmt.Errorf("event %d: %w\n%s", i+1, err, line)
		}
		var is struct{ Type string }
		if err := json.Unmarshal([]byte(line), &is); err != nil {
			return err
		}
		if (is.Type == "begin") != (i == 0) || (is.Type == "end") != (i == len(lines)-1) {
			return fmt.Errorf("event %d of %d is %q", i+1, len(lines), is.Type)
		}
	}
	return nil
}

// eventsCommand is "events file": the file, or stdout, has the events of one command, as
// docs/events.schema.json has them. With a second file, that is the document of the last one.
func eventsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: events file [document]")
	}
	text := ts.ReadFile(args[0])
	ts.Check(checkEvents(text))
	if len(args) == 1 {
		return
	}
	var end struct{ Result json.RawMessage }
	ts.Check(json.Unmarshal([]byte(text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:]), &end))
	var want, got bytes.Buffer
	ts.Check(json.Compact(&want, []byte(ts.ReadFile(args[1]))))
	ts.Check(json.Compact(&got, end.Result))
	if !bytes.Equal(want.Bytes(), got.Bytes()) {
		ts.Fatalf("the result in the last event of %s is not %s:\n%s\n%s", args[0], args[1], &got, &want)
	}
}
