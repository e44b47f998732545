package explore

// programs are the litmus programs, by primitive, with the number of ways in
// which each can end.
var programs = []struct {
	*litmus
	outcomes int
}{
	// Atomics: sequentially consistent.
	{par("store buffering", nil, ops(store(0, 1), load(1)), ops(store(1, 1), load(0))), 3},
	{par("message passing", nil, ops(store(0, 1), store(1, 1)), ops(load(1), load(0))), 3},
	{par("load buffering", nil, ops(load(0), store(1, 1)), ops(load(1), store(0, 1))), 3},
	{par("coherence of reads", nil, ops(store(0, 1)), ops(store(0, 2)), ops(load(0), load(0))), 12},
	{par("two writes each", nil, ops(store(0, 1), store(1, 2)), ops(store(1, 1), store(0, 2))), 3},
	{par("independent reads", nil, ops(store(0, 1)), ops(load(0), load(1)), ops(store(1, 1))), 4},
	{par("write to read causality", nil, ops(store(0, 1)), ops(load(0), store(1, 1)), ops(load(1), load(0))), 7},
	{par("lost update", nil, ops(load(0), store(0, 1)), ops(load(0), store(0, 2))), 4},
	{par("adds", nil, ops(add(0, 1)), ops(add(0, 2)), ops(add(0, 4))), 6},
	{par("compare and swap", nil, ops(cas(0, 0, 1)), ops(cas(0, 0, 2)), ops(cas(0, 1, 3))), 3},
	{par("reads only", nil, ops(load(0), load(0)), ops(load(0), load(0)), ops(load(0))), 1},
	{par("nothing shared", nil, ops(store(0, 1), load(0)), ops(store(1, 1), load(1))), 1},
	{par("cas after store", nil, ops(store(0, 1), cas(1, 0, 1)), ops(cas(0, 1, 2), store(1, 2))), 4},

	// Starting goroutines.
	{with0("main races", nil, ops(store(0, 1), load(1)), ops(store(1, 1), load(0))), 3},
	{&litmus{"grandchild", nil, [][]op{
		ops(one("go", 0, 1), load(0)), ops(store(0, 1), one("go", 0, 2)), ops(load(0), store(0, 2))}}, 3},
	{&litmus{"two parents", nil, [][]op{
		ops(one("go", 0, 1), one("go", 0, 2), load(0)),
		ops(one("go", 0, 3)), ops(store(0, 1)), ops(add(0, 2))}}, 6},
	{&litmus{"both start one", nil, [][]op{
		ops(one("go", 0, 1), one("go", 0, 3)),
		ops(one("go", 0, 2)), ops(add(0, 1)), ops(add(0, 2))}}, 2},

	// Mutexes.
	{par("two locks, two orders", nil, ops(lock(0), lock(1), unlock(1), unlock(0)), ops(lock(1), lock(0), unlock(0), unlock(1))), 2},
	{par("two locks, one order", nil, ops(lock(0), lock(1), unlock(1), unlock(0)), ops(lock(0), lock(1), unlock(1), unlock(0))), 1},
	{par("mutual exclusion", nil, locked(0, plain(0, 1)), locked(0, plain(0, 2)), locked(0, plain(0, 3))), 6},
	{par("two sections each", nil, ops(locked(0, plain(0, 1)), locked(0, plain(0, 2))), ops(locked(0, plain(0, 3)), locked(0, plain(0, 4)))), 6},
	{par("never unlocked", nil, ops(lock(0), store(0, 1)), ops(load(0), lock(0), store(1, 1))), 3},
	{par("never unlocked after a load", nil, ops(load(1), lock(0)), ops(load(0), lock(0), store(1, 1)), ops(store(0, 1))), 6},
	{with0("double lock", nil, ops(lock(0), lock(0))), 1},
	{with0("main and the other", nil, ops(lock(0), lock(1), unlock(1), unlock(0)), ops(lock(1), lock(0), unlock(0), unlock(1))), 2},
	{par("unlocked by another", []int{0}, ops(lock(0), send(0, 1)), ops(recv(0), unlock(0)), ops(lock(0), store(0, 2))), 2},
	{par("unlock of unlocked", nil, locked(0, load(0)), ops(load(0), unlock(0))), 1},
	{par("try lock", nil, ops(one("trylock", 0)), ops(one("trylock", 0)), locked(1, store(0, 1))), 2},
	{par("try lock and lock", nil, ops(one("trylock", 0), load(0)), locked(0, store(0, 1))), 4},
	{par("lock guards flag", nil, ops(locked(0, store(0, 1)), load(1)), ops(locked(0, load(0)), store(1, 1))), 4},

	// Read/write mutexes.
	{par("two readers", nil, ops(rlock(0), load(0), runlock(0)), ops(rlock(0), load(0), runlock(0))), 1},
	{par("reader and writer", nil, ops(rlock(0), load(0), load(0), runlock(0)), ops(wlock(0), store(0, 1), wunlock(0))), 2},
	{par("two writers", nil, ops(wlock(0), plain(0, 1), wunlock(0)), ops(wlock(0), plain(0, 2), wunlock(0))), 2},
	{par("reader in reader", nil, ops(rlock(0), rlock(0), runlock(0), runlock(0)), ops(wlock(0), wunlock(0))), 2},
	{par("upgrade", nil, ops(rlock(0), wlock(0), wunlock(0), runlock(0)), ops(rlock(0), runlock(0))), 2},
	{par("crossed readers", nil, ops(rlock(0), rlock(1), runlock(1), runlock(0)), ops(wlock(1), wlock(0), wunlock(0), wunlock(1))), 2},

	// Unbuffered channels.
	{par("hand over", []int{0}, send(0, 1), recv(0)), 1},
	{par("one for two", []int{0}, send(0, 1), recv(0), recv(0)), 2},
	{par("two for one", []int{0}, send(0, 1), send(0, 2), recv(0)), 2},
	{par("two for two", []int{0}, send(0, 1), send(0, 2), recv(0), recv(0)), 2},
	{par("after a load", []int{0}, send(0, 1), ops(load(0), recv(0)), ops(load(1), recv(0)), ops(store(1, 1))), 4},
	{par("ping pong", []int{0, 0}, ops(send(0, 1), recv(1)), ops(recv(0), send(1, 2))), 1},
	{par("both send", []int{0, 0}, ops(send(0, 1), recv(1)), ops(send(1, 1), recv(0))), 1},
	{with0("result nobody takes", []int{0}, ops(load(0)), ops(send(0, 1))), 1},
	{par("nil channel", nil, ops(send(-1, 1)), ops(recv(-1))), 1},
	{par("token", []int{0}, ops(store(0, 1), send(0, 1)), ops(recv(0), load(0)), ops(store(0, 2))), 3},

	// Buffered channels.
	{par("buffer of one", []int{1}, ops(send(0, 1), send(0, 2)), ops(recv(0), recv(0))), 1},
	{par("buffer of two", []int{2}, ops(send(0, 1), send(0, 2)), ops(send(0, 3)), ops(recv(0))), 2},
	{par("as a lock", []int{1}, ops(send(0, 1), plain(0, 1), recv(0)), ops(send(0, 2), plain(0, 2), recv(0))), 2},
	{par("full", []int{1}, ops(send(0, 1)), ops(send(0, 2)), ops(load(0), recv(0))), 2},
	{par("length", []int{2}, ops(send(0, 1), one("len", 0)), ops(send(0, 2)), ops(recv(0))), 5},
	{par("two receivers", []int{2}, ops(send(0, 1), send(0, 2)), ops(recv(0)), ops(recv(0))), 2},

	// Closing.
	{par("close and receive", []int{1}, ops(send(0, 1), closes(0)), ops(recv(0), recv(0))), 1},
	{par("close wakes all", []int{0}, ops(closes(0)), ops(recv(0)), ops(recv(0))), 1},
	{par("send on closed", []int{1}, ops(closes(0)), ops(send(0, 1))), 2},
	{par("send blocked, then closed", []int{0}, ops(load(0), closes(0)), ops(send(0, 1)), ops(recv(0))), 2},
	{par("close of closed", []int{0}, ops(closes(0)), ops(closes(0)), ops(recv(0))), 1},
	{par("two panics", []int{0, 1}, ops(closes(0), closes(0)), ops(closes(1), send(1, 1))), 2},
	{par("a panic far off", []int{1}, ops(load(0), closes(0), store(0, 1)), ops(load(0), send(0, 1), store(0, 2))), 4},

	// Select.
	{par("two ready", []int{1, 1}, ops(send(0, 1), send(1, 2), sel(recv(0), recv(1)))), 2},
	{par("two senders", []int{0, 0}, send(0, 1), send(1, 2), sel(recv(0), recv(1))), 2},
	{par("late sender", []int{0, 0}, send(0, 1), ops(load(0), send(1, 2)), sel(recv(0), recv(1)), ops(store(0, 1))), 4},
	{par("select meets select", []int{0, 0}, sel(send(0, 1), recv(1)), sel(recv(0), send(1, 2))), 2},
	{par("three selects", []int{0, 0}, sel(send(0, 1), send(1, 2)), sel(recv(0), recv(1)), sel(recv(0), recv(1))), 4},
	{par("default", []int{1}, ops(send(0, 1)), selDef(recv(0))), 2},
	{par("default, unbuffered", []int{0}, ops(load(0), send(0, 1)), selDef(recv(0)), ops(recv(0))), 2},
	{with0("a partner's arrival counts", []int{0, 0}, selDef(send(1, 7)),
		ops(load(0), load(0), selDef(recv(0)), closes(0)),
		ops(recv(1), send(0, 2), closes(0), sel(send(0, 4), recv(1)))), 3},
	{par("select sends, default", []int{0}, selDef(send(0, 1)), recv(0)), 2},
	{par("select with nil", []int{0}, ops(sel(recv(-1), recv(0))), ops(send(0, 1))), 1},
	{par("select of nothing", nil, sel(), ops(load(0))), 1},
	{par("done or value", []int{0, 0}, ops(send(0, 1)), ops(closes(1)), sel(recv(0), recv(1))), 2},
	{par("same channel twice", []int{1}, ops(send(0, 1)), sel(recv(0), recv(0))), 2},

	// Conditions.
	{par("lost signal", nil, ops(lock(0), wait(0), unlock(0)), signal(0)), 2},
	{par("signal under lock", nil, ops(lock(0), wait(0), unlock(0)), locked(0, signal(0))), 2},
	{par("one signal for two", nil, ops(lock(0), wait(0), unlock(0)), ops(lock(0), wait(0), unlock(0)), locked(0, signal(0))), 3},
	{par("broadcast", nil, ops(lock(0), wait(0), unlock(0)), ops(lock(0), wait(0), unlock(0)), locked(0, broadcast(0))), 4},
	{par("stolen wakeup", nil, ops(lock(0), wait(0), load(0), unlock(0)), locked(0, ops(store(0, 1), signal(0))), locked(0, store(0, 2))), 5},

	// Wait groups.
	{with0("wait for two", nil, ops(wgWait(0), load(0)), ops(add(0, 1), wgAdd(0, -1))), 1},
	{&litmus{"add before go", nil, [][]op{
		ops(wgAdd(0, 2), one("go", 0, 1), one("go", 0, 2), wgWait(0), load(0)),
		ops(add(0, 1), wgAdd(0, -1)), ops(add(0, 2), wgAdd(0, -1))}}, 2},
	{with0("add inside", nil, ops(wgWait(0), load(0)), ops(wgAdd(0, 1), store(0, 1), wgAdd(0, -1))), 2},
	{with0("never done", nil, ops(wgAdd(0, 2), wgWait(0)), ops(store(0, 1), wgAdd(0, -1))), 2},
	{par("negative", nil, ops(wgAdd(0, 1)), ops(wgAdd(0, -1))), 2},

	// Once.
	{par("once", nil, ops(once(0, add(0, 1))), ops(once(0, add(0, 2)))), 2},
	{par("once, then read", nil, ops(once(0, store(0, 1)), load(0)), ops(once(0, store(0, 2)), load(0))), 2},
	{par("once in once", nil, ops(once(0, lock(0))), ops(lock(0), once(0, store(0, 1)), unlock(0))), 3},

	// Loops that wait.
	{par("spin", nil, ops(await(0, 1), load(1)), ops(store(1, 1), store(0, 1))), 1},
	{par("spin both ways", nil, ops(store(0, 1), await(1, 1)), ops(store(1, 1), await(0, 1))), 1},

	// Mixed.
	{par("lock and channel", []int{0}, ops(lock(0), send(0, 1), unlock(0)), ops(lock(0), unlock(0), recv(0))), 2},
	{with0("group and channel", []int{0}, ops(wgAdd(0, 1), wgWait(0), recv(0)), ops(send(0, 1), wgAdd(0, -1))), 1},
	{par("select under lock", []int{0, 0}, locked(0, sel(recv(0), send(1, 1))), ops(send(0, 1), lock(0), unlock(0)), ops(recv(1))), 2},
	{par("yield", nil, ops(yield(), store(0, 1)), ops(store(0, 2), yield(), load(0))), 3},
}
