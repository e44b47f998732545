package pin

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update-pins", false, "write the golden files of stored forms")

// Fill returns a T in which everything that JSON shows is set: strings to
// their path of keys, numbers to a hash of it, lists and maps to one element.
// Interfaces stay nil, and so does a type within itself.
func Fill[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), "", nil)
	return v
}

func fill(v reflect.Value, path string, within []reflect.Type) {
	number := func() uint32 {
		h := fnv.New32a()
		h.Write([]byte(path))
		return h.Sum32()%997 + 1
	}
	switch t := v.Type(); {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
		return
	case t == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"raw":true}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(number() % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(number() % 100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(number()) / 4)
	case reflect.Pointer:
		if !contains(within, v.Type().Elem()) {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), path, within)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(path))
		} else if !contains(within, v.Type().Elem()) {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), path+"[]", within)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), fmt.Sprintf("%s[%d]", path, i), within)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, path+".key", within)
		fill(value, path+".value", within)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		fillStruct(v, path, append(within[:len(within):len(within)], v.Type()))
	}
}

func fillStruct(v reflect.Value, path string, within []reflect.Type) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-":
		case f.Anonymous && name == "":
			fill(v.Field(i), path, within)
		case name == "":
			fill(v.Field(i), path+"."+f.Name, within)
		default:
			fill(v.Field(i), path+"."+name, within)
		}
	}
}

func contains(types []reflect.Type, t reflect.Type) bool {
	for _, u := range types {
		if t == u {
			return true
		}
	}
	return false
}

// JSON compares the JSON of a value with a golden file, in which the value may
// have keys that the file has not.
func JSON(t *testing.T, golden string, value any) {
	t.Helper()
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(t, want, data) {
		t.Errorf("%s: %s", filepath.Base(golden), d)
	}
}

func differences(t *testing.T, want, got []byte) []string {
	t.Helper()
	var w, g any
	for _, p := range []struct {
		text []byte
		into *any
	}{{want, &w}, {got, &g}} {
		d := json.NewDecoder(bytes.NewReader(p.text))
		d.UseNumber()
		if err := d.Decode(p.into); err != nil {
			t.Fatal(err)
		}
	}
	return compare("", w, g)
}

func compare(path string, want, got any) (differ []string) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is no object any more: %v", path, got)}
		}
		for key, v := range w {
			now, ok := g[key]
			if !ok {
				differ = append(differ, fmt.Sprintf("%s.%s is gone", path, key))
				continue
			}
			differ = append(differ, compare(path+"."+key, v, now)...)
		}
		return differ
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return []string{fmt.Sprintf("%s was %v, is %v", path, want, got)}
		}
		for i := range w {
			differ = append(differ, compare(fmt.Sprintf("%s[%d]", path, i), w[i], g[i])...)
		}
		return differ
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s was %v, is %v", path, want, got)}
	}
	return nil
}
