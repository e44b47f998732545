package winners

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/trial"
	"mendel/internal/operators"
)

// A saved is what another evaluation left.
type saved struct {
	Name string              `json:"name"` // of the file, without directory
	Wins map[string][]string `json:"wins"` // bugs by operator, each once
}

// refused marks a bug whose fix the evaluation's verification refused.
const refused = " (refused)"

// readSaved reads the results of another evaluation.
func readSaved(name string) (*saved, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read saved results: %w", err)
	}
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("read saved results: %s: %w", name, err)
	}
	s := &saved{Name: filepath.Base(name), Wins: map[string][]string{}}
	s.collect(document, "")
	if len(s.Wins) == 0 {
		return nil, fmt.Errorf("%s has no repairs with a fix; core.json, goker-repair.json and real.json have", name)
	}
	return s, nil
}

// collect finds repairs below a value of JSON: objects with a status and
// operators, themselves named or inside of something that has a name. Evaluations
// keep them in different places.
func (s *saved) collect(value any, name string) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			s.collect(element, name)
		}
	case map[string]any:
		name = nameOf(v, name)
		s.count(v, name)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			s.collect(v[key], name)
		}
	}
}

// nameOf is the name of an object, or of the program or bug that it is about; else
// that of what it is in.
func nameOf(object map[string]any, outer string) string {
	for _, key := range []string{"subject", "bug"} {
		if about, ok := object[key].(map[string]any); ok {
			object = about
		}
	}
	if name, ok := object["name"].(string); ok {
		return name
	}
	return outer
}

// count adds a repair of the default arm that gave a fix.
func (s *saved) count(object map[string]any, name string) {
	if object["status"] != string(mendel.Fixed) {
		return
	}
	if arm, ok := object["arm"]; ok && arm != trial.DefaultArm {
		return
	}
	verified, _ := object["verified"].(map[string]any)
	if verified["hides"] != nil || object["problems"] != nil {
		name += refused
	}
	names, _ := object["operators"].([]any)
	for _, operator := range append(names, object["drawn"]) {
		operator, ok := operator.(string)
		if now := operators.Now(operator); ok && !slices.Contains(s.Wins[now], name) {
			s.Wins[now] = append(s.Wins[now], name)
		}
	}
}

// won reports whether an operator won a bug by right.
func (s *saved) won(operator string) bool {
	return slices.ContainsFunc(s.Wins[operator], func(name string) bool { return !strings.HasSuffix(name, refused) })
}
