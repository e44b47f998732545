package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Version of the format, and where its schema is.
const (
	Version = "2.1.0"
	Schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// A Log is a whole document.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// UTF16 says that columns are UTF-16 code units.
const UTF16 = "utf16CodeUnits"

// New is a log of some runs of tools.
func New(runs ...Run) *Log {
	for i := range runs {
		if runs[i].Results == nil {
			runs[i].Results = []Result{}
		}
	}
	return &Log{Schema: Schema, Version: Version, Runs: runs}
}

// Write writes a log as JSON, indented, with "<-" and "&" as they are.
func (l *Log) Write(w io.Writer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("encode the SARIF log: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A Run is one run of a tool.
type Run struct {
	Tool               Tool                        `json:"tool"`
	OriginalURIBaseIDs map[string]ArtifactLocation `json:"originalUriBaseIds,omitempty"`
	ColumnKind         string                      `json:"columnKind,omitempty"` // what columns count
	Results            []Result                    `json:"results"`
}

// A Tool is what has run.
type Tool struct {
	Driver Component `json:"driver"`
}

// Named is a tool without rules.
func Named(name string) Tool { return Tool{Component{Name: name}} }

// A Component of a tool.
type Component struct {
	Name  string `json:"name"`
	Rules []Rule `json:"rules,omitempty"`
}

// A Rule is a kind of results.
type Rule struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name,omitempty"`
	ShortDescription     *Text          `json:"shortDescription,omitempty"`
	FullDescription      *Text          `json:"fullDescription,omitempty"`
	Help                 *Text          `json:"help,omitempty"`
	DefaultConfiguration *Configuration `json:"defaultConfiguration,omitempty"`
}

// A Configuration of a rule.
type Configuration struct {
	Level string `json:"level,omitempty"`
}

// A Text is a message, or a description in several forms of which one is written.
type Text struct {
	Text string `json:"text"`
}

// A Result is a finding.
type Result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           *int              `json:"ruleIndex,omitempty"` // in Component.Rules
	Level               string            `json:"level,omitempty"`
	Message             Text              `json:"message"`
	Locations           []Location        `json:"locations,omitempty"`
	RelatedLocations    []Location        `json:"relatedLocations,omitempty"`
	CodeFlows           []CodeFlow        `json:"codeFlows,omitempty"`
	Fixes               []Fix             `json:"fixes,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

// A Location is a place with what there is to say about it.
type Location struct {
	ID               int               `json:"id,omitempty"` // from 1
	PhysicalLocation *PhysicalLocation `json:"physicalLocation,omitempty"`
	Message          *Text             `json:"message,omitempty"`
}

// A PhysicalLocation is a place in a file.
type PhysicalLocation struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Region           *Region          `json:"region,omitempty"`
}

// An ArtifactLocation names a file, relative to a base if it has one.
type ArtifactLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

// A Region is a part of a file, in lines and columns from 1. The end is behind
// the last character.
type Region struct {
	StartLine   int `json:"startLine,omitempty"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// A CodeFlow is an execution.
type CodeFlow struct {
	Message     *Text        `json:"message,omitempty"`
	ThreadFlows []ThreadFlow `json:"threadFlows"`
}

// A ThreadFlow is what one thread does in an execution.
type ThreadFlow struct {
	ID        string               `json:"id,omitempty"`
	Locations []ThreadFlowLocation `json:"locations"`
}

// A ThreadFlowLocation is a step.
type ThreadFlowLocation struct {
	Location       Location `json:"location"`
	ExecutionOrder int      `json:"executionOrder"` // among the steps of all threads, from 0
	Importance     string   `json:"importance,omitempty"`
}

// A Fix is what would mend a result.
type Fix struct {
	Description     *Text            `json:"description,omitempty"`
	ArtifactChanges []ArtifactChange `json:"artifactChanges"`
}

// An ArtifactChange is what a fix does to a file.
type ArtifactChange struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Replacements     []Replacement    `json:"replacements"`
}

// A Replacement takes a region away and puts something in its place.
type Replacement struct {
	DeletedRegion   Region `json:"deletedRegion"`
	InsertedContent *Text  `json:"insertedContent,omitempty"` // nil: nothing
}
