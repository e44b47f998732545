// Package htmlreport writes the report of a repair as one HTML page, for review.
//
// The page needs nothing but itself: style, script and drawings are in it, and
// its Content-Security-Policy forbids everything else, by the hashes of its
// style and its script. Without the script all is there to read; the script
// adds keys, buttons and the copying of patches. What stands in a dossier comes
// from programs that nobody has read: html/template escapes it where it stands,
// and what would be invisible in it, or turn text around, is made visible in
// the finished page ([HTML]).
//
// The page is made in steps, each in a file of its own. view.go says what
// stands where; words.go puts it into words; diff.go compares the two sides of
// a file, with the colours of syntax.go and golexer.go and the notes of
// notes.go; lanes.go lays out executions, plot.go the plots. The templates and
// style.css draw.
//
// # Swim lanes
//
// An execution is a CSS grid: the first column has positions, each goroutine
// has one of the others, each step has a row. The boxes that span rows need no
// known heights then, so that text may wrap: a goroutine's life, the time that
// it holds a lock, and the line between two accesses that conflict. Rows and
// columns are classes, for style attributes are what the policy forbids; the
// rules of these classes are written as far as the page has rows. Where there is
// no room for text in the lanes, on a phone or with many goroutines, the same grid
// has narrow lanes, of marks and bars, and the text stands beside them.
//
// Colours are never the only sign: locks have letters, marks have shapes and
// words, changed lines a plus or minus, segments of bars a pattern.
package htmlreport
