// Package pin holds what is written to files to the form it has: a test fills
// a value of a type that is stored, and compares its JSON with a golden file.
// Keys that are new are no difference; one that is gone, renamed or of another
// type is, because files of earlier versions have to be read.
//
//	pin.JSON(t, "testdata/pin/result.json", pin.Fill[result.Result]())
//
// A value's content depends on its path of keys alone, so that renaming a type
// or a field of Go changes nothing. The flag -update-pins writes the golden files
// anew, for when a change of the form is meant.
package pin
