package htmlreport

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/internal/dossier"
)

//go:embed *.tmpl.html style.css script.js
var files embed.FS

// HTML writes the report of a repair as one self-contained page. The dossier's
// indices must be within what they index, as [dossier.Parse] sees to.
func HTML(w io.Writer, d *dossier.Dossier) error {
	v := newView(d)
	var err error
	if v.Inline, err = newInline(v.gridRows, v.gridColumns); err != nil {
		return err
	}
	return write(w, "page.tmpl.html", v)
}

// write writes what a template makes of a view.
func write(w io.Writer, name string, v any) error {
	t, err := template.New("page").Funcs(functions).ParseFS(files, "*.tmpl.html")
	if err != nil {
		return fmt.Errorf("parse the templates of the report: %w", err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	// The templates have no such characters of their own, so that none of the
	// dossier's is missed.
	if _, err := io.WriteString(w, visible(b.String())); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// An inline is the page's style and script, and the policy that allows these
// two and nothing else.
type inline struct {
	Style, Script template.HTML
	Policy        string
}

func newInline(rows, columns int) (inline, error) {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return inline{}, fmt.Errorf("read the style of the report: %w", err)
	}
	script, err := files.ReadFile("script.js")
	if err != nil {
		return inline{}, fmt.Errorf("read the script of the report: %w", err)
	}
	rules := string(style) + gridRules(rows, columns)
	return inline{
		Style:  template.HTML("<style>" + rules + "</style>"),
		Script: template.HTML("<script>" + string(script) + "</script>"),
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			hash(rules), hash(string(script))),
	}, nil
}

// hash is the source expression of an inline element with this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// gridRules are the rules of the classes that place boxes in swim lanes: r and
// e are first row and the one after the last, c and d the same of columns.
func gridRules(rows, columns int) string {
	var b strings.Builder
	for i := 1; i <= rows+1; i++ {
		fmt.Fprintf(&b, ".r%d{grid-row-start:%[1]d}.e%[1]d{grid-row-end:%[1]d}\n", i)
	}
	for i := 1; i <= columns+1; i++ {
		fmt.Fprintf(&b, ".c%d{grid-column-start:%[1]d}.d%[1]d{grid-column-end:%[1]d}\n", i)
	}
	for n := 1; n < columns; n++ {
		fmt.Fprintf(&b, ".lanes.n%d{grid-template-columns:auto repeat(%[1]d,minmax(var(--lane),1fr))}.trace.n%[1]d{flex-basis:%drem}\n", n, 5+14*n)
		narrow := fmt.Sprintf(".lanes.n%d{grid-template-columns:0 repeat(%[1]d,auto) minmax(8.5rem,1fr);%s}", n, strings.ReplaceAll(narrowLanes, "LAST", fmt.Sprint(n+2)))
		if n <= wideLanes {
			narrow = "@media (max-width:52rem){" + narrow + "}"
		}
		b.WriteString(narrow + "\n")
	}
	return b.String()
}

// wideLanes is how many lanes have room for text on a desk: guessed.
const wideLanes = 5

// narrowLanes makes narrow lanes: they hold marks and bars, and the text stands
// in a column of its own behind the last lane.
const narrowLanes = `
& > .name{writing-mode:vertical-rl;transform:rotate(180deg);justify-self:start;padding:.3rem 0;margin-left:calc(var(--in) + .15rem);border:0;max-height:11rem}
& > .step{grid-column:LAST;margin-left:0;padding-left:.5rem}
& > .where{display:none}
& .here{display:inline}
`

// visible shows what a reader of a page would not see, or would see in another
// place than it is: control characters, and format characters such as those
// that turn the direction of text. Line feeds and tabs stay.
func visible(s string) string {
	hidden := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r) // the control pictures are in the order of ASCII
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}
