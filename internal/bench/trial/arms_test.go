package trial

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"mendel"
)

func TestParseArms(t *testing.T) {
	arms, err := ParseArms([]string{"default", "random+population=2", "population=2+random", "timeout=2s"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range arms {
		names = append(names, a.Name)
	}
	if got := strings.Join(names, " "); got != "default population=2+random timeout=2s" {
		t.Errorf("arms %q", got)
	}
	var o mendel.Options
	arms[0].apply(&o)
	if !reflect.DeepEqual(o, mendel.Options{}) {
		t.Errorf("the default arm changes the options: %+v", o)
	}
	arms[1].apply(&o)
	if want := (mendel.Options{Population: 2, Search: mendel.SearchOptions{Random: true}}); !reflect.DeepEqual(o, want) {
		t.Errorf("options %+v, want %+v", o, want)
	}
	arms[2].apply(&o)
	if o.Timeout != 2*time.Second {
		t.Errorf("timeout %v", o.Timeout)
	}
}

// Every way to change the search has an arm, and no arm but the default one
// leaves everything as it is.
func TestArmsCoverSearchOptions(t *testing.T) {
	changed := map[string]bool{}
	note := func(name string, change func(*mendel.Options)) {
		var o mendel.Options
		change(&o)
		if reflect.DeepEqual(o, mendel.Options{}) != (name == DefaultArm) {
			t.Errorf("arm %s: %+v", name, o)
		}
		for i, v := 0, reflect.ValueOf(o.Search); i < v.NumField(); i++ {
			if !v.Field(i).IsZero() {
				changed[v.Type().Field(i).Name] = true
			}
		}
	}
	for _, v := range variants {
		note(v.name, v.change)
	}
	for _, p := range parameters {
		value := "1"
		if p.name == "timeout" {
			value = "1s"
		}
		change, err := p.parse(value)
		if err != nil {
			t.Fatalf("%s=%s: %v", p.name, value, err)
		}
		note(p.name, change)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[mendel.SearchOptions]()) {
		if !changed[f.Name] {
			t.Errorf("no arm changes %s", f.Name)
		}
	}
}

func TestParseArmsRefuses(t *testing.T) {
	for arm, want := range map[string]string{
		"":                          "no arm",
		"nosuch":                    "no arm",
		"uniform=1":                 "has no value",
		"population":                "needs a value",
		"population=":               "integer",
		"population=0":              "positive",
		"generations=-3":            "positive",
		"replace-every=0":           "or -1",
		"converge-window=-2":        "or -1",
		"replace-best=0":            "above 0",
		"replace-fraction=1.5":      "at most 1",
		"replace-fraction=NaN":      "above 0",
		"timeout=5":                 "duration",
		"default+random":            "stands alone",
		"population=2+population=3": "two values",
		"noise-only+checker-only":   "nothing is left",
	} {
		if _, err := ParseArms([]string{arm}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", arm, err, want)
		}
	}
	if _, err := ParseArms(nil); err == nil {
		t.Error("no arm at all is no error")
	}
}
