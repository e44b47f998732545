package kill

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/gotool"
)

const (
	// twiceShare is the share of resumed repairs that are killed once more.
	twiceShare = 0.25
	// attempts is how many repairs at most are started until one is still running
	// when it is to be killed.
	attempts = 10
	// markName names the environment variable by which the processes of a trial
	// are found, whoever started them.
	markName = "MENDEL_BENCH_KILL"
	// leaveTime is how long processes of a repair may take to end after it.
	leaveTime = 10 * time.Second
)

// A killer makes repairs of copies of a module and kills them.
type killer struct {
	mendel  string // executable
	source  string // directory of the module
	seed    uint64
	limit   time.Duration // budget of a repair
	workers int
	leave   time.Duration // for processes to end after a repair; 0: leaveTime
}

// undisturbed makes a repair and leaves it alone.
func (k *killer) undisturbed(ctx context.Context) (r repair, err error) {
	s, err := k.prepare()
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.remove()) }()
	end, err := s.run(ctx, s.repair, s.hangsAfter())
	if err != nil {
		return r, err
	}
	s.conclude(&r, end)
	for _, l := range s.left(ctx) {
		r.problem("left behind: %s", l)
	}
	return r, nil
}

// trial makes the nth repair that is killed; length is how long one takes.
func (k *killer) trial(ctx context.Context, nth int, length time.Duration) (killedRepair, error) {
	draw := rand.New(rand.NewPCG(k.seed, uint64(nth)))
	for early := 0; ; early++ {
		first := time.Duration(draw.Float64() * float64(length))
		moments := []time.Duration{first}
		twice, second := draw.Float64() < twiceShare, draw.Float64()
		if twice {
			moments = append(moments, time.Duration(second*float64(length-first)))
		}
		t, err := k.try(ctx, moments)
		if err != nil || len(t.Kills) > 0 || early == attempts-1 {
			t.Nth, t.Early = nth, early
			return t, err
		}
	}
}

// try makes a repair and kills its process at the first moment. It kills the
// process that resumes the repair at the second moment, if there is one. The
// trial has no kill if the repair ended before the first moment.
func (k *killer) try(ctx context.Context, moments []time.Duration) (t killedRepair, err error) {
	s, err := k.prepare()
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, s.remove()) }()
	var stored []scores
	end := ending{killed: true}
	for command := s.repair; end.killed; {
		after := s.hangsAfter()
		if len(t.Kills) < len(moments) {
			after = moments[len(t.Kills)]
		}
		if end, err = s.run(ctx, command, after); err != nil {
			return t, err
		}
		if !end.killed || len(t.Kills) == len(moments) {
			break
		}
		kill, kept, err := s.examine(end)
		if err != nil {
			t.problem("after kill %d: %v", len(t.Kills)+1, err)
		}
		t.Kills, stored = append(t.Kills, kill), append(stored, kept)
		command = s.resume
		if kill.Anew {
			command = s.repair
		}
	}
	if len(t.Kills) == 0 {
		return t, nil
	}
	kept := s.conclude(&t.repair, end)
	for _, before := range stored {
		lost, repeated := before.missing(kept.evaluations)
		t.Lost, t.Repeated = t.Lost+lost, t.Repeated+repeated
	}
	t.Left = s.left(ctx)
	return t, nil
}

// A site is where one repair is made: a copy of the module, an output directory
// and a place for temporary files of its own.
type site struct {
	dir, work, out, temp string
	mendel, mark         string
	limit, leave         time.Duration
	repair, resume       []string // arguments of mendel
	remove               func() error
}

// prepare makes a site.
func (k *killer) prepare() (*site, error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	s := &site{
		dir: dir, work: filepath.Join(dir, "work"), out: filepath.Join(dir, "out"), temp: filepath.Join(dir, "temp"),
		mendel: k.mendel, mark: markName + "=" + filepath.Base(dir), limit: k.limit, leave: cmp.Or(k.leave, leaveTime), remove: remove,
	}
	s.repair = []string{"repair", "-v", "--seed", fmt.Sprint(k.seed), "--budget", k.limit.String(), "--workers", fmt.Sprint(k.workers), "--out", s.out, s.work}
	s.resume = []string{"repair", "-v", "--resume", s.out}
	if err := errors.Join(programs.Copy(s.work, k.source), os.Mkdir(s.temp, 0o700)); err != nil {
		return nil, errors.Join(err, remove())
	}
	return s, nil
}

// start starts mendel. What it prints is kept in the site.
func (s *site) start(args []string) (*exec.Cmd, error) {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start mendel: %w", err)
	}
	defer log.Close() // the process has its own
	cmd := exec.Command(s.mendel, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+s.temp, s.mark)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start mendel: %w", err)
	}
	return cmd, nil
}

// An ending is how a process of mendel ended.
type ending struct {
	killed  bool // by us
	exit    int
	seconds float64 // since it began
}

// hangsAfter is the time after which a repair counts as hanging.
func (s *site) hangsAfter() time.Duration { return 2*s.limit + time.Minute }

// run runs mendel and kills its process, and no other, if it has not ended by
// itself after some time.
func (s *site) run(ctx context.Context, args []string, after time.Duration) (ending, error) {
	moment := time.NewTimer(after)
	defer moment.Stop()
	began := time.Now()
	cmd, err := s.start(args)
	if err != nil {
		return ending{}, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in cmd.ProcessState
		close(ended)
	}()
	select {
	case <-ended:
	case <-moment.C:
	case <-ctx.Done():
	}
	_ = cmd.Process.Kill() // in vain if it has ended
	<-ended
	return ending{!cmd.ProcessState.Exited(), cmd.ProcessState.ExitCode(), time.Since(began).Seconds()}, ctx.Err()
}

// conclude fills in what came of a repair, and returns what it has stored.
func (s *site) conclude(r *repair, end ending) scores {
	r.Seconds, r.Exit = end.seconds, end.exit
	if err := s.result(r); err != nil {
		r.problem("%v", err)
	}
	switch {
	case end.killed:
		r.problem("it did not end within %v and was killed; it said last: %s", s.hangsAfter(), s.said())
	case r.Exit != 0:
		r.problem("exit code %d; it said last: %s", r.Exit, s.said())
	}
	kept, err := readScores(s.out)
	if err != nil {
		r.problem("at the end: %v", err)
	}
	r.Evaluations = len(kept.evaluations)
	return kept
}

// result reads the result of a repair.
func (s *site) result(r *repair) error {
	data, err := os.ReadFile(filepath.Join(s.out, "result.json"))
	if err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	var result mendel.Result
	if err := json.Unmarshal(data, &result); err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	r.Status, r.Reason = result.Status, result.Reason
	for _, f := range result.Fixes {
		r.Patches = append(r.Patches, identity.Patch(f.Diff))
	}
	return nil
}

// said is the end of what mendel printed.
func (s *site) said() string {
	data, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " / ")
}

// examine looks at what a killed process has left in the store.
func (s *site) examine(end ending) (interruption, scores, error) {
	kill := interruption{After: end.seconds}
	kept, err := readScores(s.out)
	kill.Phase, kill.Evaluations, kill.Anew = kept.phase, len(kept.evaluations), err == nil && kept.runs == 0
	return kill, kept, err
}

// left waits for the processes of a repair that has ended and ends those that
// stay. It lists these, the temporary files, and half-written files in the
// output directory.
func (s *site) left(ctx context.Context) []string {
	var left []string
	deadline := time.Now().Add(s.leave)
	processes := marked(s.mark)
	for len(processes) > 0 && time.Now().Before(deadline) && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
		processes = marked(s.mark)
	}
	for _, p := range processes {
		left = append(left, "process "+p.name)
		p.end()
	}
	for _, pattern := range []string{filepath.Join(s.temp, "*"), filepath.Join(s.temp, ".[!.]*"), filepath.Join(s.out, ".*.tmp"), filepath.Join(s.out, ".mendel-*")} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			panic(err) // the patterns are right, and no name has a meta character
		}
		for _, name := range names {
			left = append(left, "file "+strings.TrimPrefix(name, s.dir+string(filepath.Separator)))
		}
	}
	return left
}
