package sched

import (
	"encoding/json"
	"testing"
)

// TestChoiceStored checks the form of stored choices, which files of older versions have, too.
func TestChoiceStored(t *testing.T) {
	for _, test := range []struct {
		choice Choice
		text   string
	}{
		{Choice{Step, 3}, `{"G":3,"Value":0}`},
		{Choice{Number, 7}, `{"G":-1,"Value":7}`},
		{Choice{TimePassed, 0}, `{"G":-2,"Value":0}`},
		{Choice{Admission, 2}, `{"G":-3,"Value":2}`},
		{Choice{Expiry, 1}, `{"G":-4,"Value":1}`},
		{Choice{ClockBegins, 1 << 28}, `{"G":-5,"Value":268435456}`},
	} {
		text, err := json.Marshal(test.choice)
		if err != nil || string(text) != test.text {
			t.Errorf("%v is stored as %s, %v, want %s", test.choice, text, err, test.text)
		}
		var read Choice
		if err := json.Unmarshal([]byte(test.text), &read); err != nil || read != test.choice {
			t.Errorf("%s is read as %v, %v, want %v", test.text, read, err, test.choice)
		}
	}
	for _, bad := range []string{`{}`, `{"G":-9,"Value":0}`, `{"G":"a"}`, `{"Value":1}`} {
		var c Choice
		if err := json.Unmarshal([]byte(bad), &c); err == nil {
			t.Errorf("%s is read as %v", bad, c)
		}
	}
}
