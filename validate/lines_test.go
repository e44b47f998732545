package validate

import "testing"

func TestDiffLines(t *testing.T) {
	const original = `package p

// Add adds.
func (c *Counter) Add(n int) {
	c.n += n // not atomic
	/* a block
	   comment */
	log()
}
`
	for _, test := range []struct {
		name, before, after string
		want                Lines
	}{
		{"nothing", original, original, Lines{}},
		{"new file", "", "package p\n\n// C\nvar x = 1\n", Lines{Added: 3, Comments: 1}},
		{"removed file", "package p\n", "", Lines{Removed: 1}},
		{
			"lock with comment",
			original,
			`package p

// Add adds.
func (c *Counter) Add(n int) {
	// guards n
	c.mu.Lock()
	c.n += n // not atomic
	c.mu.Unlock()
	/* a block
	   comment */
	log()
}
`,
			Lines{Added: 2, Comments: 1},
		},
		{
			"code line with a changed comment is code",
			"package p\n\nvar x = 1 // a\n",
			"package p\n\nvar x = 1 // b\n",
			Lines{Added: 1, Removed: 1},
		},
		{
			"removed comments, later lines shifted",
			"package p\n\n// one\n// two\nvar x = 1\n\nvar y = 2\n",
			"package p\n\nvar x = 1\n\n// why\nvar y = 3\n",
			Lines{Added: 1, Removed: 1, Comments: 3},
		},
		{
			"comment markers in a string are code",
			"package p\n\nvar x = `\na\n`\n",
			"package p\n\nvar x = `\n// a\n`\n",
			Lines{Added: 1, Removed: 1},
		},
		{
			"block comment lines",
			"package p\n\n/* a\nb */\nvar x int\n",
			"package p\n\n/* a\nc */\nvar x int\n",
			Lines{Comments: 2},
		},
		{"final newline gone", "package p\n\nvar x int\n", "package p\n\nvar x int", Lines{Realigned: 1}},
		{
			"realigned field",
			"package p\n\ntype T struct {\n\tn int // of T\n}\n",
			"package p\n\ntype T struct {\n\tmu sync.Mutex // guards n\n\tn  int        // of T\n}\n",
			Lines{Added: 1, Realigned: 1},
		},
		{
			"indented twice, one copy of it new",
			"package p\n\nfunc f() {\n\tg()\n}\n",
			"package p\n\nfunc f() {\n\tfor {\n\t\tg()\n\t\tg()\n\t}\n}\n",
			Lines{Added: 3, Realigned: 1},
		},
		{"CRLF kept", "package p\r\n\r\nvar x int\r\n", "package p\r\n\r\nvar x int\r\nvar y int\r\n", Lines{Added: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := diffLines([]byte(test.before), []byte(test.after)); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
