package mendel

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"

	"mendel/evolve"
	"mendel/internal/batch"
	"mendel/internal/change"
	"mendel/internal/check"
	"mendel/internal/cover"
	"mendel/internal/gate"
	"mendel/internal/journal"
	"mendel/internal/localize"
	"mendel/internal/ordercopy"
	"mendel/internal/regress"
	"mendel/internal/repair"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/review"
	"mendel/internal/seed"
	"mendel/internal/stress"
)

// Repair reproduces the failure of a target, searches for fixes and validates
// them. The result is never nil; when ctx ends it holds the best so far, and
// the error is ctx's. The budget's end is no error.
func Repair(ctx context.Context, o Options) (*Result, error) {
	if o.Resume {
		return repair.Run(ctx, o, batch.TransferredTo(o.Out)...)
	}
	return repair.Run(ctx, o)
}

// Verify reproduces the failure of a target without a change of its source, and
// validates the change as a repair validates its own fixes. The result is as that of
// Repair: the change is the only fix, or what was rejected.
func Verify(ctx context.Context, o Options, c *Change) (*Result, error) {
	return repair.Verify(ctx, o, c)
}

// ReadChange reads the change that a patch file makes to the source in a directory, its
// module or its repository.
func ReadChange(ctx context.Context, patch, dir string) (*Change, error) {
	return change.Read(ctx, patch, dir)
}

// ParseChange is ReadChange of a patch that was read already, under the name that
// people know it by.
func ParseChange(ctx context.Context, name string, patch []byte, dir string) (*Change, error) {
	return change.Parse(ctx, name, patch, dir)
}

// ChangeSince is the change from a revision to the working tree around a directory.
func ChangeSince(ctx context.Context, dir, revision string) (*Change, error) {
	return change.Since(ctx, dir, revision)
}

// RepairAll repairs the packages that patterns match, "./..." as a rule, within
// one budget. A quick look at each orders them by how easy they seem; each is
// repaired in a directory of its own below o.Out. A package that does not build
// is named, and the others go on. With o.Resume the series in o.Out goes on with
// the options it was begun with, but for o.Budget if that is given; patterns are
// not used then.
//
// The series is nil only if it could not begin. When ctx ends it holds what was
// done until then, and the error is ctx's.
func RepairAll(ctx context.Context, o Options, patterns []string) (*Series, error) {
	return batch.Run(ctx, o, patterns)
}

// Check explores the schedules of each of a package's tests until it fails or there is
// no more to do. The result is never nil; when ctx ends it holds what had been
// found by then, and the error is ctx's. No verdict is an error, nor is the
// budget's end: errors are for what could not be checked at all.
func Check(ctx context.Context, o CheckOptions) (*CheckResult, error) { return check.Run(ctx, o) }

// CheckAll checks the packages that patterns match, within one budget, and says whether
// anything fails that is not known. The summary is nil only if nothing could begin. When
// ctx ends it holds what was done until then, and the error is ctx's.
func CheckAll(ctx context.Context, o GateOptions) (*GateSummary, error) { return gate.Run(ctx, o) }

// Cover profiles a package's tests, predicts which interleavings they have not seen,
// and forces these. The result is never nil; when ctx ends it holds what was found
// by then, and the error is ctx's.
func Cover(ctx context.Context, o CoverOptions) (*CoverResult, error) { return cover.Run(ctx, o) }

// Localize ranks the places in the source that make a package's tests fail. The
// result is nil with an error, and only then.
func Localize(ctx context.Context, o LocalizeOptions) (*LocalizeResult, error) {
	return localize.Run(ctx, o)
}

// Replay builds the program of a schedule again and follows the schedule. The
// result is never nil; errors are for what could not be followed at all.
func Replay(ctx context.Context, o ReplayOptions) (*ReplayResult, error) { return check.Replay(ctx, o) }

// Reproduce makes a regression test of a failing schedule, which go test runs. That there is
// none is no error. The result is nil with an error, and only then.
func Reproduce(ctx context.Context, o ReproduceOptions) (*ReproduceResult, error) {
	o.Order = ordercopy.Source{Files: orderSource, Version: cmp.Or(o.Version, "(devel)")}
	return regress.Run(ctx, o)
}

// ReproduceDir is the directory in which a schedule was made that [Reproduce] is given: a patch for it is of that module.
func ReproduceDir(file string) (string, error) { return regress.Dir(file) }

// RegressionTest makes a regression test of what a repair has mended, green with its best fix, and adds it to the
// result, and to what the repair has left in an output directory: to the patch of that fix, result.json and
// the dossier. It is of the first failure with a schedule or, where there is none, of the first one.
func RegressionTest(ctx context.Context, r *Result, out, version string) (*ReproduceResult, error) {
	fixed, err := change.Read(ctx, filepath.Join(out, r.Fixes[0].Patch), r.Target.Module)
	if err != nil {
		return nil, err
	}
	o := ReproduceOptions{Fixed: fixed, Version: version, Dir: r.Target.Module}
	if i := slices.IndexFunc(r.Failures, func(f result.Failure) bool { return f.Schedule != "" }); i >= 0 {
		o.File = filepath.Join(out, r.Failures[i].Schedule)
	} else {
		o.Failure, o.Package = &r.Failures[0].Failure, r.Target.Package
	}
	test, err := Reproduce(ctx, o)
	if err != nil {
		return nil, err
	}
	return test, r.AddRegression(out, test, ordercopy.Source{Files: orderSource, Version: version})
}

// WriteRegressionTest writes a test beside the others of its package, and what it needs.
func WriteRegressionTest(r *ReproduceResult, version string) error {
	return r.Write(ordercopy.Source{Files: orderSource, Version: version})
}

// Stress repeats a package's tests and says how often they fail, and of what. The result
// is never nil; when ctx ends it holds what was seen by then, and the error is ctx's.
func Stress(ctx context.Context, o StressOptions) (*StressResult, error) { return stress.Run(ctx, o) }

// CompareRuns compares runs in logs that Stress has written: each name is that of a file,
// with ":n" for a run of it, or ":passed" or ":failed" for all such ones.
func CompareRuns(names ...string) (*StressComparison, error) { return stress.Compare(names...) }

// Seed makes faulty variants of a package, each with one concurrency fault, and
// asks its tests which of them they notice. The result is never nil; when ctx ends
// it holds what had been judged by then, and the error is ctx's.
func Seed(ctx context.Context, o SeedOptions) (*SeedResult, error) { return seed.Run(ctx, o) }

// SeedOperators are the kinds of faults that Seed can make.
func SeedOperators() []SeedOperator { return seed.Operators() }

// ReadState reads how far the repair in an output directory is. It disturbs
// nobody. The error says so when there is none.
func ReadState(out string) (*State, error) { return journal.ReadState(out) }

// ReadSeries reads the series in an output directory. The error wraps
// fs.ErrNotExist where there is none.
func ReadSeries(out string) (*Series, error) { return batch.Read(out) }

// HoldsSeries reports whether an output directory is one of a series.
func HoldsSeries(out string) bool { return batch.Exists(out) }

// ReadReview reads what one or several repairs have left in an output directory,
// to report on it.
func ReadReview(out string) (*Review, error) { return review.Read(out) }

// Reviewable reports whether an output directory holds anything to review: a
// repair may not have come so far.
func Reviewable(out string) bool { return review.Exists(out) }

// ReviewFormats are what ReviewOptions.Format can be.
func ReviewFormats() []string { return review.Formats() }

// EvidenceFile is the absolute name of the file that a user names as evidence,
// for Options.From, and what people know it by, for Options.FromName, if that is
// not its name. "-" is standard input. What can be read only once is kept in the
// output directory, since a repair that goes on reads it again.
func EvidenceFile(name, out string, stdin io.Reader) (file, known string, err error) {
	return original.EvidenceFile(name, out, stdin)
}

// What to repair, and what a repair found.
type (
	Options       = result.Wanted        // what to repair and how long to try
	SearchOptions = result.SearchOptions // how the search goes, for evaluation
	Observer      = result.Observer      // told of the progress
	Event         = evolve.Event         // of a search, told to an Observer
	Result        = result.Result        // what result.json holds
	Status        = result.Status        // how a repair ended
	Target        = result.Target
	Failure       = result.Failure
	Fix           = result.Fix
	Evidence      = result.Evidence
	Quality       = result.Quality
	Search        = result.Search
	Series        = batch.Series    // what series.json holds
	Package       = batch.Package   // of a series
	Triage        = original.Triage // how easy a package of a series seems
	Change        = change.Change   // of the source, to verify
	ChangedFile   = change.File
	State         = journal.State // of a repair under way
	RunState      = journal.RunState
	Review        = review.Review // what repairs have left, to report on
	ReviewOptions = review.Options
)

// What to check and replay, and what that showed.
type (
	CheckOptions  = check.Options
	CheckResult   = check.Result // what check.json holds
	CheckVerdict  = check.Verdict
	PrintOptions  = check.PrintOptions
	GateOptions   = gate.Options
	GateSummary   = gate.Summary // what checks.json holds
	ReplayOptions = check.ReplayOptions
	ReplayResult  = check.ReplayResult
	ReplayVerdict = check.ReplayVerdict
)

// What to cover, and what that showed.
type (
	CoverOptions      = cover.Options
	CoverResult       = cover.Result // what cover.json holds
	CoverVerdict      = cover.Verdict
	CoverPrintOptions = cover.PrintOptions
)

// Verdicts of covering. The command's exit codes are 1, 0, 2 and 2 in this order.
const (
	CoverFailed       = cover.Failed
	CoverPassed       = cover.Passed
	CoverInconclusive = cover.Inconclusive
	CoverError        = cover.Error
)

// The time for covering, and the runs that profile a test, unless options say otherwise.
const (
	DefaultCoverBudget  = cover.DefaultBudget
	DefaultCoverProfile = cover.DefaultProfile
)

// What to repeat, and what that showed.
type (
	StressOptions      = stress.Options
	StressResult       = stress.Result // what stress.json holds
	StressVerdict      = stress.Verdict
	StressComparison   = stress.Comparison
	StressPrintOptions = stress.PrintOptions
)

// Verdicts of repeating. The command's exit codes are 1, 0, 2 and 2 in this order.
const (
	StressFailed       = stress.Failed
	StressPassed       = stress.Passed
	StressInconclusive = stress.Inconclusive
	StressError        = stress.Error
)

// DefaultStressBudget is the time for repeating unless options say otherwise.
const DefaultStressBudget = stress.DefaultBudget

// Where to look for faults, and what was found.
type (
	LocalizeOptions = localize.Options
	LocalizeResult  = localize.Result
	LocalizeStatus  = localize.Status
)

// Statuses of a localisation. The command's exit codes are 1, 0 and 2 in this order.
const (
	LocalizeFound        = localize.Found
	LocalizeNothing      = localize.NothingFound
	LocalizeInconclusive = localize.Inconclusive
)

// Regression tests of failing schedules.
type (
	ReproduceOptions = regress.Options
	ReproduceResult  = regress.Result
	ReproduceStatus  = regress.Status
	ReproduceMeans   = regress.Means
)

// How a search for a regression test ended.
const (
	ReproduceMade = regress.Made
	ReproduceNone = regress.None
)

// DefaultReproduceBudget is the time for a regression test unless options say otherwise.
const DefaultReproduceBudget = regress.DefaultBudget

// DefaultLocalizeBudget is the time for a localisation unless options say otherwise.
const DefaultLocalizeBudget = localize.DefaultBudget

// Where to seed faults, and what became of them.
type (
	SeedOptions      = seed.Options
	SeedResult       = seed.Result // what seed.json holds
	SeedVariant      = seed.Variant
	SeedOperator     = seed.Operator
	SeedPrintOptions = seed.PrintOptions
	SeedStatus       = seed.Status
	SeedFailsAlready = seed.FailsAlready // the error for a package whose tests fail as they are
)

// What becomes of a seeded fault.
const (
	SeedNoticed = seed.Noticed
	SeedMissed  = seed.Missed
	SeedUnknown = seed.Unknown
)

// Budgets of a repair, of a check and of seeding, unless options say otherwise.
const (
	DefaultBudget      = result.DefaultBudget
	DefaultCheckBudget = check.DefaultBudget
	DefaultPatience    = check.DefaultPatience
	DefaultSeedBudget  = seed.DefaultBudget
)

// Predict is the strategy of a check that asks a model of one schedule for failures.
const Predict = check.Predict

// Statuses of a repair. The command's exit codes are 0, 1, 1, 1, 3 and 2 in this order.
const (
	Fixed         = result.Fixed
	Incomplete    = result.Incomplete
	Worked        = result.Worked
	NotFixed      = result.NotFixed
	NotReproduced = result.NotReproduced
	Failed        = result.Failed
)

// What a repair is doing, or how it came to an end.
const (
	Running     = journal.Running
	Killed      = journal.Killed
	Interrupted = journal.Interrupted
	OutOfBudget = journal.OutOfBudget
	Errored     = journal.Errored
	Ended       = journal.Ended
)

// Verdicts of a check. The command's exit codes are 1, 0, 0, 0, 0, 0, 2 and 2 in this order.
const (
	CheckFailed       = check.Failed
	CheckFlaky        = check.Flaky
	CheckLeft         = check.Left
	CheckExhausted    = check.Exhausted
	CheckCovered      = check.Covered
	CheckPassed       = check.Passed
	CheckInconclusive = check.Inconclusive
	CheckError        = check.Error
)

// Verdicts of a check of several packages. The command's exit codes are 0, 1 and 2 in
// this order.
const (
	GateClean  = gate.Clean
	GateFailed = gate.Failed
	GateError  = gate.Error
)

// DefaultGateBudget is the time for all packages unless options say otherwise.
const DefaultGateBudget = gate.DefaultBudget

// Verdicts of a replay. The command's exit codes are 1, 0, 2, 2 and 2 in this order.
const (
	ReplayFailed       = check.ReplayFailed
	ReplayPassed       = check.ReplayPassed
	ReplayDiverged     = check.ReplayDiverged
	ReplayInconclusive = check.ReplayInconclusive
	ReplayError        = check.ReplayError
)
