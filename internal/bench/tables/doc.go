// Package tables prints and saves what an evaluation has found.
//
// Each evaluation has a Document: tables, and the criteria that are not met.
// Finish prints it for a terminal and saves it as JSON, with all data, and as
// Markdown, with the command and the revision that made it in its head. Beside
// these are the statistics and wordings that several evaluations share: mean,
// median and sign test, bounds and counts.
//
//	t := &tables.Table{Header: []string{"subject", "seconds"}}
//	t.Add("account", tables.FormatMean(seconds))
//	err := t.Render(os.Stdout, true)
package tables
