// Package htmlreport writes the report of a repair as one HTML page, for review.
//
//	d, err := dossier.Read("mendel-out")
//	if err != nil {
//		return err
//	}
//	return htmlreport.HTML(file, d)
//
// [SeriesHTML] writes the page that lists the packages of a repair of several.
//
// The page is self-contained: it holds its style, script and drawings, and its
// Content-Security-Policy forbids everything else by the hashes of the style and
// the script. The page can be read without the script, which adds keys, buttons
// and the copying of patches. The text in a dossier comes from programs that
// nobody has read. html/template escapes it, and [HTML] makes visible what would
// be invisible or would change the direction of text.
//
// The page is made in steps, each in a file of its own. view.go says what
// stands where; words.go has the words; diff.go compares the two sides of a file,
// with the colours of syntax.go and golexer.go and the notes of notes.go;
// lanes.go lays out executions, plot.go the plots. The templates and style.css
// draw.
//
// # Swim lanes
//
// An execution is a CSS grid: the first column has the positions, each goroutine
// has a column, each step has a row. Some boxes span rows: the life of a
// goroutine, the time that it holds a lock, the line between two accesses that
// conflict. The grid places them without known heights, so text may wrap. Rows
// and columns are classes, because the policy forbids style attributes; the page
// has rules for as many of these classes as it has rows. On a phone, or with many
// goroutines, the lanes have no room for text. Then the same grid has narrow
// lanes of marks and bars, and the text stands beside them.
//
// Colour is never the only sign: locks have letters, marks have shapes and words,
// changed lines have a plus or minus, segments of bars have a pattern.
package htmlreport
