package rules

import (
	"slices"

	"mendel/analysis/locks/changes"
	"mendel/mutate"
)

// A Flag is what belongs to a reason to prefer other fixes. A new one is a constant of package
// mutate and a row of [Flags].
type Flag struct {
	Name  mutate.Flag
	Words string // what it means for who reviews the fix
	From  string // who gives it
	// Gravity is how much it speaks against a fix: of two, the one whose gravest flag is less
	// grave comes first.
	Gravity int
	// Workaround: a fix with it puts the bug off, or gives something up for it, instead of mending it.
	Workaround bool
	// Elsewhere: it speaks of places that the fix leaves as they are. What the fix does at others
	// may mend these.
	Elsewhere bool
	Rejects   string // when a candidate with it is none; "": never
	// Findings are what the model of locks finds that gives a fix the flag.
	Findings []changes.Kind
}

// Gravities.
const (
	ofSerialising = 12 // all that goroutines do at once
	ofNoGuard     = 11
	ofPartOfGuard = 10
	ofNewFault    = 9 // or of one that is left
	ofNoLock      = 8
	ofNesting     = 7
	ofLoss        = 6
	ofPostponing  = 5
	ofDetaching   = 4
	ofWaiting     = 3
	ofOtherFault  = 2 // with which the fix has nothing to do, as far as is known
	ofUnknown     = 1
)

// Who gives flags.
const (
	byEdits     = "edits, as operators say of them"
	bySpace     = "all edits of a mutant together (`mutate.Space.Mutant`)"
	byModel     = "the model of locks (`analysis/locks`)"
	byUses      = "uses without the lock (`Validator.Validate`), and the model of locks (`analysis/locks`)"
	byDrops     = "edits, as operators say of them, and the model of locks (`analysis/locks`)"
	bySecond    = "a new lock for what another one guards (`Validator.Validate`), and the model of locks (`analysis/locks`)"
	byHalves    = "places like the one that is mended (`validate/halves`), and the model of locks (`analysis/locks`)"
	byHalf      = "what a patch does by half (`validate/halves`)"
	byBoth      = "what a patch does by half (`validate/halves`), and the model of locks (`analysis/locks`)"
	byEither    = "edits, as operators say of them, and what a patch does by half (`validate/halves`)"
	byUsesToo   = "uses without the lock (`Validator.Validate`), the model of locks (`analysis/locks`), and what a patch does by half (`validate/halves`)"
	byScenarios = "calls side by side (`internal/scenario`)"
	byTests     = "the checker and noised runs"
	byNewLocks  = "the locks that edits declare (`Validator.Validate`)"
	bySections  = "what may block in a section that is new or longer (`Validator.Validate`), and the model of locks (`analysis/locks`)"
)

// Flags are all of them, the gravest first.
var Flags = []Flag{
	{
		Name: mutate.Serialises, Gravity: ofSerialising, Workaround: true, From: bySpace, Rejects: "with `--no-serialize`",
		Words: "one lock is held around a whole goroutine body: the goroutines run one after the other, which hides the bug instead of fixing it",
	},
	{
		Name: mutate.DropsGuard, Gravity: ofNoGuard, Workaround: true, From: byDrops, Rejects: "if nothing guards what the lock has guarded",
		Findings: []changes.Kind{changes.Unguarded, changes.ClosedUnder},
		Words:    "a lock around an access to the data that it guards is removed: check that every use of the data is still guarded",
	},
	{
		Name: mutate.IncompleteGuard, Gravity: ofPartOfGuard, Workaround: true, Elsewhere: true, From: byUsesToo,
		Findings: []changes.Kind{changes.LeftOut},
		Words:    "a variable that the patch guards with a lock is used without that lock elsewhere: if that can happen at the same time, the race is still there",
	},
	{
		Name: mutate.WrongLock, Gravity: ofPartOfGuard, Workaround: true, From: bySecond,
		Findings: []changes.Kind{changes.WrongLock},
		Words:    "uses of a variable are under different locks, which do not exclude each other: the race is still there",
	},
	{
		Name: mutate.SplitSection, Gravity: ofNewFault, Workaround: true, From: byBoth,
		Findings: []changes.Kind{changes.SplitSection},
		Words:    "a value is read under a lock, and what follows from it is written back under a later acquisition of the lock: another goroutine may have changed it in between",
	},
	{
		Name: mutate.Relocks, Gravity: ofNewFault, Workaround: true, Elsewhere: true, From: byModel,
		Findings: []changes.Kind{changes.RelockLeft},
		Words:    "a lock may be taken by a goroutine that holds it, as the patch mends it elsewhere: that goroutine waits for itself",
	},
	{
		Name: mutate.LostWakeup, Gravity: ofNewFault, Workaround: true, Elsewhere: true, From: byModel,
		Findings: []changes.Kind{changes.WokenOne, changes.NotWoken},
		Words:    "waiters of a condition variable are woken one at a time although they wait for different things, or a change that they wait for wakes nobody: one of them may wait for ever",
	},
	{
		Name: mutate.Remakes, Gravity: ofNewFault, Workaround: true, From: byModel,
		Findings: []changes.Kind{changes.Remade},
		Words:    "a mutex, wait group or the like is replaced while other goroutines may use it: they go on with the old one",
	},
	{
		Name: mutate.HeldThrough, Gravity: ofNewFault, Workaround: true, From: byModel,
		Findings: []changes.Kind{changes.HeldLonger},
		Words:    "a lock is held now while others are waited for, or code of others runs, that may need it, or for what the program lets it go for: that can wait for ever, and keeps others waiting",
	},
	{
		Name: mutate.LockCircle, Gravity: ofNewFault, Workaround: true, Elsewhere: true, From: byModel,
		Findings: []changes.Kind{changes.RingLeft},
		Words:    "locks are taken in a circle, which the patch makes, or mends at some places only: goroutines can wait for each other for ever",
	},
	{
		Name: mutate.OutOfOrder, Gravity: ofNewFault, Workaround: true, From: byBoth,
		Findings: []changes.Kind{changes.ToldLate},
		Words:    "others are told of a change outside of the section that makes it, in which they were told before: they may hear of an older change after a newer one",
	},
	{
		Name: mutate.LeftElsewhere, Gravity: ofNewFault, Workaround: true, Elsewhere: true, From: byHalves,
		Findings: []changes.Kind{changes.WaitsOn, changes.SplitLeft, changes.PauseLeft},
		Words:    "what the patch mends at one place is left at another one like it: the bug is still there",
	},
	{
		Name: mutate.ReadsEarly, Gravity: ofNewFault, Workaround: true, From: byModel,
		Findings: []changes.Kind{changes.ReadEarly},
		Words:    "a function that is returned reads a variable when it is made, and read it each time that it ran: it works with an old value",
	},
	{
		Name: mutate.CutShort, Gravity: ofNewFault, Workaround: true, From: byHalf,
		Words: "those who send leave when a context ends, and who receives takes what has come by then for all: it returns a part, and no error",
	},
	{
		Name: mutate.Unawaited, Gravity: ofNewFault, Workaround: true, From: byHalf,
		Words: "a function returns, or reads a result, while goroutines still run that it promises to wait for, or that set the result",
	},
	{
		Name: mutate.GoesOn, Gravity: ofNewFault, Workaround: true, From: byHalf,
		Words: "what nobody wants any more goes on, perhaps for ever: the loop is not left, or what it sends is thrown away instead of ending it",
	},
	{
		Name: mutate.ScenarioFails, Gravity: ofNewFault, Workaround: true, Elsewhere: true, From: byScenarios,
		Words: "calls that the tests do not make side by side fail with the patch: see below which; the bug is still there, or another one is new",
	},
	{
		Name: mutate.DropsLock, Gravity: ofNoLock, From: byEdits,
		Words: "a critical section is removed in which no shared data is known: check that its lock was not there to make other goroutines wait",
	},
	{
		Name: mutate.Nested, Gravity: ofNesting, From: bySpace,
		Words: "a lock is acquired while another is held, and other code may acquire them in the opposite order: that can deadlock",
	},
	{
		Name: mutate.Discards, Gravity: ofLoss, Workaround: true, From: byEither,
		Words: "what was handed over is received and thrown away: check that nobody counts on it, and that it ends",
	},
	{
		Name: mutate.SharedLock, Gravity: ofLoss, Workaround: true, From: byNewLocks,
		Words: "one new lock of the package guards fields of all values of a type: values that have nothing to do with each other wait for each other",
	},
	{
		Name: mutate.Postpones, Gravity: ofPostponing, Workaround: true, From: byEither,
		Words: "room is made in a channel that is sent to any number of times: when the room is used up, the next send blocks as before",
	},
	{
		Name: mutate.Detached, Gravity: ofDetaching, From: byEdits,
		Words: "a call is made in a goroutine of its own, and nobody waits for it any more: check that what comes behind it does not count on it",
	},
	{
		Name: mutate.Blocks, Gravity: ofWaiting, From: bySections,
		Findings: []changes.Kind{changes.HeldMaybe},
		Words:    "a channel operation, a wait, input or output, or code of the package's users runs inside a critical section: goroutines that want the lock wait for it too",
	},
	{
		Name: mutate.StillFails, Gravity: ofOtherFault, From: byTests,
		Words: "a test fails now and then with the fix as without it, and has nothing in common with what is mended, as far as is known: check that it is a matter of the test",
	},
}

// FlagOf is what belongs to a flag. One that is not in the table weighs more than none and less than
// any other.
func FlagOf(name mutate.Flag) Flag {
	i := slices.IndexFunc(Flags, func(f Flag) bool { return f.Name == name })
	if i < 0 {
		return Flag{Name: name, Words: "flagged " + string(name), Gravity: ofUnknown}
	}
	return Flags[i]
}

// Workaround are those of some flags that make a fix a workaround. Empty: it is a fix.
func Workaround(flags []mutate.Flag) []mutate.Flag {
	var why []mutate.Flag
	for _, f := range flags {
		if FlagOf(f).Workaround {
			why = append(why, f)
		}
	}
	return why
}

// Gravest is the gravity of the gravest of some flags, 0 without any.
func Gravest(flags []mutate.Flag) (worst int) {
	for _, f := range flags {
		worst = max(worst, FlagOf(f).Gravity)
	}
	return worst
}

// flagFor is the flag that a finding of the model of locks gives a fix; of a kind that is in no row,
// one of its own.
func flagFor(kind changes.Kind) mutate.Flag {
	i := slices.IndexFunc(Flags, func(f Flag) bool { return slices.Contains(f.Findings, kind) })
	if i < 0 {
		return mutate.Flag(kind)
	}
	return Flags[i].Name
}
