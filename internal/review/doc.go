// Package review reads what repairs left in an output directory and makes the
// reports of it that people and other tools read.
//
// [Read] finds out whether one repair or a series of them is there. The
// [Review] can then be printed in a format, or written as files beside the
// results:
//
//	r, err := review.Read("mendel-out")
//	if err != nil {
//		return err
//	}
//	err = r.Print(os.Stdout, review.Options{Format: "md"})
//
// Neither the program that was repaired nor its source is needed: all comes from
// the dossiers (internal/dossier), and internal/report words and draws it.
package review
