package noise

import "encoding/json"

// A recorded outcome is what an Outcome is as JSON. What a run printed is left
// out: its failures say what matters of it.
type recorded struct {
	plain
	Output *struct{} `json:",omitempty"`
	Hung   bool
}

// plain is an Outcome without its methods.
type plain Outcome

// MarshalJSON encodes all of an outcome but its output.
func (o Outcome) MarshalJSON() ([]byte, error) {
	return json.Marshal(recorded{plain: plain(o), Hung: o.hung})
}

// UnmarshalJSON decodes what MarshalJSON has encoded.
func (o *Outcome) UnmarshalJSON(data []byte) error {
	var r recorded
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*o = Outcome(r.plain)
	o.hung = r.Hung
	return nil
}
