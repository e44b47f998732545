// Package sarif has the parts of the Static Analysis Results Interchange Format,
// version 2.1.0 (OASIS), that Mendel writes, as types to encode with
// encoding/json.
//
// A zero field stands for the default of the standard and is left out, but where the
// standard tells the two apart: Run.Results is written even if it is empty, for it
// says that the tool has run, and so is
// ThreadFlowLocation.ExecutionOrder, of which 0 is the first.
//
//	log := sarif.New(sarif.Run{Tool: sarif.Named("Mendel")})
//	err := log.Write(os.Stdout)
//
// What is written is held to the schema of the standard by a test of package
// textreport, by package sariftest.
package sarif
