//go:build linux && !portable

package gotool

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// scanShare bounds the part of a processor spent on scans to 1/scanShare.
	scanShare = 40
	// scanEvery is the time between two scans while looks find all members: those
	// of programs that nobody made to hide.
	scanEvery = 250 * time.Millisecond
	// lookAhead is how many process ids are looked at one by one, at half a
	// microsecond each, before a scan is cheaper.
	lookAhead = 4096
	// circleMost is up to how many process ids there may be in all to go
	// through them, at a third of a microsecond each.
	circleMost = 1 << 16
)

// members are the processes of a run: the leader and all its descendants.
// These are recognised by the run's mark, as a limit or in the environment, by
// process group, session or parent; one that was seen once stays known.
type members struct {
	leader process
	mark   mark
	stat   statReader
	known  map[int]uint64 // process id to start time; also the dead, as long as their ids are taken

	reserved   int // the processor that many members are kept off; -1: none
	seen, last int // the newest process id at the last look but one, and at the last
	scanned    time.Time
	scanTime   time.Duration // that the last scan took
	hidden     bool          // looks may have missed members since the last scan
	wrapped    bool          // ids have started again from the lowest since the leader got its
}

func newMembers(leader process, m mark) members {
	return members{
		leader:   leader,
		mark:     m,
		known:    map[int]uint64{leader.pid: leader.start},
		seen:     leader.pid,
		last:     leader.pid,
		scanned:  time.Now(), // the leader has not run yet
		reserved: -1,
	}
}

// sample measures the members.
func (m *members) sample() load {
	m.look()
	if now := time.Now(); m.due(now) {
		// Where /proc cannot be read, the processes known are all there are.
		_, _, _ = m.scan()
		m.restrictAffinity()
		m.scanned = time.Now()
		m.scanTime, m.hidden = m.scanned.Sub(now), false
	}
	var l load
	for pid, start := range m.known {
		p, err := m.stat.read(pid)
		if err != nil || p.start != start {
			if pid != m.leader.pid { // which is not reaped: it becomes another program, see readChild
				delete(m.known, pid)
			}
			continue
		}
		l.memory += p.resident
		if m.counts(p) {
			l.processes++
		}
		// Who has no mark may start others without one.
		m.hidden = m.hidden || !p.dead && !m.mark.on(pid)
	}
	return l
}

// due reports whether it is time for a scan.
func (m *members) due(now time.Time) bool {
	pause := scanShare * m.scanTime
	if !m.hidden {
		pause = max(pause, scanEvery)
	}
	return now.Sub(m.scanned) >= pause
}

// counts reports whether a process counts towards the limit of a run. A dead one
// counts only while its parent is a member: an orphan waits for init, and init
// may be slow.
func (m *members) counts(p process) bool {
	_, own := m.known[p.parent]
	return !p.dead || own
}

// look finds marked processes by the ids given out lately. It is so much cheaper
// than a scan that it is done each time. A process gets its id a moment before it
// can be found, so each id is looked at twice.
func (m *members) look() {
	last := lastPID()
	if last < m.last || last-m.seen > lookAhead {
		m.hidden = true // a scan will find them
	} else {
		for pid := m.seen + 1; pid <= last; pid++ {
			if !m.mark.on(pid) {
				continue
			}
			if m.reserved >= 0 {
				m.keepOff(pid)
			}
			if _, ok := m.known[pid]; ok || !isProcess(pid) {
				continue
			}
			if p, err := m.stat.read(pid); err == nil {
				m.known[pid] = p.start
				m.restrictAffinity()
			}
		}
	}
	m.seen, m.last = m.last, last
}

// scan looks through all processes for members, adds them to known and
// returns those that are alive, without the leader. vanished reports that some
// process ended meanwhile: a member may have started a child that was not seen.
func (m *members) scan() (alive []process, vanished bool, err error) {
	// Ids go up until they wrap around: before that, descendants' are above
	// the leader's, and most processes of the machine need no look.
	m.wrapped = m.wrapped || lastPID() < m.leader.pid
	all, vanished, err := readProcesses(m.leader, !m.wrapped)
	if err != nil {
		return nil, vanished, err
	}
	member := map[int]bool{m.leader.pid: true}
	for more := true; more; { // until no member's child is left out
		more = false
		for _, p := range all {
			if !member[p.pid] && (member[p.parent] || m.owns(p)) {
				member[p.pid] = true
				more = true
			}
		}
	}
	for _, p := range all {
		if !member[p.pid] || p.pid == m.leader.pid {
			continue
		}
		m.known[p.pid] = p.start
		if !p.dead {
			alive = append(alive, p)
		}
	}
	return alive, vanished, nil
}

// owns reports whether a process shows by itself that it is a member.
func (m *members) owns(p process) bool {
	leader := m.leader.pid
	if p.group == leader || p.session == leader {
		return true
	}
	if start, ok := m.known[p.pid]; ok && start == p.start {
		return true
	}
	return m.mark.on(p.pid) || !p.dead && hasVariable(p.pid, m.mark.variable()+"=")
}

// kill kills all that are marked, and the members known by now.
func (m *members) kill() {
	m.strike()
	for pid, start := range m.known {
		if pid != m.leader.pid {
			killProcess(pid, start)
		}
	}
}

// strike kills each marked process the moment it is found, without reading
// about it first. Nothing else is faster than processes that only start others in
// groups of their own, or start the next one and end. It spares the leader, whose
// end is waited for in another way.
func (m *members) strike() {
	m.eachMarked(func(id int) {
		if id != m.leader.pid {
			_ = unix.Kill(id, unix.SIGKILL)
		}
	})
}

// eachMarked does something to each marked process and thread the moment it is
// found. The id cannot change hands in a microsecond.
//
// It goes through the ids in the order in which they are given out, until it
// has caught up. A child's id comes after its parent's. So do must keep a process
// from starting more children to find, as SIGKILL does: then each child exists
// when its turn comes, or never will. That holds unless the ids have wrapped
// around more than once.
func (m *members) eachMarked(do func(id int)) {
	ifMarked := func(id int) {
		if m.mark.on(id) {
			do(id)
		}
	}
	last := lastPID()
	m.wrapped = m.wrapped || last < m.leader.pid
	most := maxPID()
	if last == 0 || m.wrapped && most > circleMost {
		_ = eachPID(ifMarked) // where /proc cannot be read, scan tells
		return
	}
	id := m.leader.pid
	if m.wrapped {
		for ; id <= most; id++ {
			ifMarked(id)
		}
		id = 1
	}
	for ; id <= last; last = lastPID() {
		for ; id <= last; id++ {
			ifMarked(id)
		}
	}
}

// killProcess kills the process with this id and start time, and never
// another that got the id since: FindProcess holds on to one process.
func killProcess(pid int, start uint64) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if now, err := readProcess(pid); err == nil && now.start == start {
		_ = p.Signal(syscall.SIGKILL)
	}
}
