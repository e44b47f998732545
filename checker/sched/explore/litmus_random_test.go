package explore

import (
	"testing"

	"mendel/checker/sched"
	"mendel/internal/sample"
	"pgregory.net/rapid"
)

// randomProgram draws two or three threads of up to four operations each.
func randomProgram(kinds [][]op) *rapid.Generator[*litmus] {
	return rapid.Custom(func(t *rapid.T) *litmus {
		var threads [][]op
		for range rapid.IntRange(2, 3).Draw(t, "threads") {
			var thread []op
			for range rapid.IntRange(1, 4).Draw(t, "length") {
				thread = append(thread, rapid.SampledFrom(kinds).Draw(t, "operation")...)
			}
			threads = append(threads, ops(thread))
		}
		caps := []int{rapid.IntRange(0, 2).Draw(t, "capacity"), rapid.IntRange(0, 1).Draw(t, "capacity")}
		if rapid.Bool().Draw(t, "main takes part") {
			return with0("random", caps, threads[0], threads[1:]...)
		}
		return par("random", caps, threads...)
	})
}

var (
	atomicOps  = [][]op{load(0), load(1), store(0, 1), store(1, 2), add(0, 1), cas(0, 0, 3)}
	lockOps    = [][]op{lock(0), lock(1), unlock(0), unlock(1), locked(0, load(0)), locked(0, locked(1, store(0, 1))), locked(1, lock(0)), load(0), store(0, 2), one("trylock", 0), rlock(0), runlock(0), wlock(0), wunlock(0)}
	channelOps = [][]op{send(0, 1), send(0, 2), recv(0), recv(0), send(1, 3), recv(1), closes(0), load(0), store(0, 1), one("len", 0),
		sel(recv(0), recv(1)), sel(send(0, 4), recv(1)), sel(send(0, 5), send(1, 6)), selDef(recv(0)), selDef(send(1, 7))}
	otherOps = [][]op{wgAdd(0, 1), wgAdd(0, 1), wgAdd(0, -1), wgWait(0), signal(0), broadcast(0), ops(lock(0), wait(0), unlock(0)),
		once(0, add(0, 1)), once(1, load(0)), store(0, 1), load(0), locked(0, signal(0)), send(0, 1), recv(0)}
)

// TestRandomLitmus compares outcomes for random programs. Those without a run
// to the end of all schedules within the limit are compared with the reduction
// only.
func TestRandomLitmus(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	for name, kinds := range map[string][][]op{
		"atomics": atomicOps, "locks": lockOps, "channels": channelOps, "others": otherOps,
	} {
		t.Run(name, func(t *testing.T) {
			programs, limit := sample.Count(30, 100), 100
			if testing.Short() {
				programs = 15
			}
			draw := randomProgram(kinds)
			full, failed := 0, 0
			for seed := range programs {
				p := draw.Example(seed)
				if wellFormed(p) {
					full += agree(t, p, limit, &failed)
				}
				if failed > 2 {
					t.FailNow()
				}
			}
			t.Logf("%d of %d compared without reduction too", full, programs)
		})
	}
}

// wellFormed reports whether p keeps to what the model and the engine define: a
// read/write lock is only released by who has it.
func wellFormed(p *litmus) bool {
	for _, thread := range p.threads {
		readers, writers := 0, 0
		for _, o := range thread {
			switch o.do {
			case "rlock":
				readers++
			case "runlock":
				readers--
			case "wlock":
				writers++
			case "wunlock":
				writers--
			}
			if readers < 0 || writers < 0 {
				return false
			}
		}
	}
	return true
}

func agree(t *testing.T, p *litmus, limit int, failed *int) (full int) {
	want := modelOutcomes(p)
	const most = 100_000
	got := exploreLitmus(t, p, newDFS(-1, true), most)
	if !got.complete {
		t.Errorf("not explored after %d executions: %+v", most, p)
	}
	if lines(got.outcomes) != lines(want) {
		*failed++
		t.Errorf("%+v: reduced found in %d\n%s\nwant\n%s", p, got.executions, lines(got.outcomes), lines(want))
	}
	all := exploreLitmus(t, p, newDFS(-1, false), limit)
	if !all.complete {
		return 0
	}
	if lines(all.outcomes) != lines(want) {
		*failed++
		t.Errorf("%+v: full found in %d\n%s\nwant\n%s", p, all.executions, lines(all.outcomes), lines(want))
	}
	return 1
}
