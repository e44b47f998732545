// Package sariftest holds logs to the schema of SARIF 2.1.0, for tests. The schema
// beside it is that of the standard (OASIS, SARIF 2.1.0 plus errata 01), as it is.
package sariftest

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mendel/internal/report/sarif"
)

//go:embed sarif-schema-2.1.0.json
var text []byte

// schema compiles the schema once.
var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // URIs have to be some
	if err := c.AddResource(sarif.Schema, document); err != nil {
		return nil, err
	}
	return c.Compile(sarif.Schema)
})

// Valid fails a test whose log the schema refuses.
func Valid(t testing.TB, log []byte) {
	t.Helper()
	if err := Check(log); err != nil {
		t.Error(err)
	}
}

// Check is nil if the schema takes a log.
func Check(log []byte) error {
	s, err := schema()
	if err != nil {
		return fmt.Errorf("compile the schema: %w", err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		return fmt.Errorf("the log is no JSON: %w", err)
	}
	if err := s.Validate(document); err != nil {
		return fmt.Errorf("the log is no SARIF: %w", err)
	}
	return nil
}
