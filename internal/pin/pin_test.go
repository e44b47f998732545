package pin

import (
	"slices"
	"testing"
)

type inner struct {
	Deep []string       `json:"deep"`
	Self *inner         `json:"self,omitempty"`
	ByID map[string]int `json:"byID"`
}

type pinned struct {
	Name  string `json:"name"`
	Plain float64
	inner
	More  []inner `json:"more"`
	other int
}

func TestFill(t *testing.T) {
	v := Fill[pinned]()
	v.other++ // nothing sets it
	if v.Name != ".name" || v.Plain == 0 || v.other != 1 || !slices.Equal(v.More[0].Deep, []string{".more[].deep[]"}) || len(v.More[0].ByID) != 1 {
		t.Errorf("%+v", v)
	}
	if v.More[0].Self != nil {
		t.Error("a type is filled within itself")
	}
}

func TestDifferences(t *testing.T) {
	const was = `{"a": 1, "b": {"c": ["x", {"d": true}]}}`
	for now, n := range map[string]int{
		was: 0,
		`{"a": 1, "new": 2, "b": {"c": ["x", {"d": true, "e": null}]}}`: 0,
		`{"A": 1, "b": {"c": ["x", {"d": true}]}}`:                      1,
		`{"a": "1", "b": {"c": ["x", {"d": true}]}}`:                    1,
		`{"a": 1, "b": {"c": ["x"]}}`:                                   1,
		`{"a": 1, "b": []}`:                                             1,
		`{"a": 2, "b": {"c": ["y", {"d": false}]}}`:                     3,
	} {
		if got := differences(t, []byte(was), []byte(now)); len(got) != n {
			t.Errorf("%s: %q", now, got)
		}
	}
}
