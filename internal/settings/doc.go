// Package settings reads mendel.toml, the file with a repository's settings.
//
// A setting is the default of a flag of the command line: it holds for a command where
// the flag is not given. What stands above the first table holds for all commands that
// have the flag; what stands in a table with the name of a command, for that one alone:
//
//	tags = "integration"
//	exclude = ["./internal/gen/..."]
//	instrument = ["golang.org/x/sync/..."]
//
//	[check]
//	budget = "20m"
//	baseline = "known.json"
//
//	[repair]
//	no-serialize = true
//
// [Find] looks for the file in a directory and those above it, up to the root of the
// repository. What keys there are is not this package's business.
//
// # Limits
//
// A file that is damaged is an error, and no command runs. Names of files are relative
// to the directory that the command is started in, as on the command line.
package settings
