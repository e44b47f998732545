package validate

// A Planted says what the tests notice when what a fix adds is taken away, one guard at a time.
type Planted struct {
	Tried int `json:"tried"` // guards that were taken away
	// Unnoticed has those without which no test and no scenario fails, in words.
	Unnoticed []string `json:"unnoticed,omitempty"`
	Left      int      `json:"left,omitempty"` // guards that there was no time for
}
