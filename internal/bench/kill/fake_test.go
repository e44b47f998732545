package kill

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"mendel"
)

// fakeMendel makes this test binary a mendel that behaves as its value says:
// it stores scores and then writes a result, or is killed, and goes on with
// --resume. It repairs nothing.
const fakeMendel = "MENDEL_BENCH_FAKE"

// Ways in which the fake behaves.
const (
	slow      = "slow"     // as it should; its work takes a moment
	soon      = "soon"     // as it should, and is killed before it has a store
	well      = "well"     // as it should, and is killed when it has stored half of its scores
	forgets   = "forgets"  // begins anew
	repeats   = "repeats"  // makes all scores again
	differs   = "differs"  // finds another fix if it is killed
	litters   = "litters"  // leaves a temporary directory
	lingers   = "lingers"  // leaves a process
	damages   = "damages"  // its store can be read no more
	gives     = "gives up" // exits with 2 when it is resumed
	thrice    = "thrice"   // is killed again when it is resumed
	survivor  = "survivor" // is the process that lingers
	fakeCount = 10         // scores
	fakePace  = time.Second / 100
)

func init() {
	how := os.Getenv(fakeMendel)
	if how == "" {
		return
	}
	if err := fakeRepair(how, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// argument is what follows a flag; "" without it.
func argument(args []string, flag string) string {
	if i := slices.Index(args, flag); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

func fakeRepair(how string, args []string) error {
	if how == survivor {
		time.Sleep(time.Hour)
	}
	out := argument(args, "--resume")
	resumed := out != ""
	if out == "" {
		out = argument(args, "--out")
	}
	marker := filepath.Join(filepath.Dir(out), "begun")
	_, err := os.Stat(marker)
	again := err == nil
	if err := os.WriteFile(marker, nil, 0o600); err != nil {
		return err
	}
	if how == soon && !again {
		kill()
	}
	if resumed && how == gives {
		return errors.New("resume: I cannot")
	}
	if err := errors.Join(os.MkdirAll(out, 0o700), store(how, out, resumed, again)); err != nil {
		return err
	}
	return conclude(how, out, again)
}

// store keeps scores. It is killed in the middle of its first life, unless it is slow.
func store(how, out string, resumed, again bool) error {
	name := filepath.Join(out, "mendel.db")
	if how == forgets && resumed {
		if err := errors.Join(os.Remove(name), remove(name+"-wal"), remove(name+"-shm")); err != nil {
			return err
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(name)+"?_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, phase TEXT);
		CREATE TABLE IF NOT EXISTS evaluations (judging TEXT, hash TEXT, run INTEGER, seconds REAL, score REAL, record TEXT, PRIMARY KEY (judging, hash));
		INSERT OR REPLACE INTO runs VALUES (1, 'searching among 10 edits')`)
	for i := 0; i < fakeCount && err == nil; i++ {
		if i == fakeCount/2 && (!again && how != slow || how == thrice) {
			kill()
		}
		insert := "INSERT OR IGNORE"
		if how == repeats {
			insert = "INSERT OR REPLACE"
		}
		_, err = db.Exec(insert+" INTO evaluations VALUES ('j', ?, 1, ?, 500, '{}')", fmt.Sprint(i), float64(time.Now().UnixNano()))
		if how == slow {
			time.Sleep(fakePace)
		}
	}
	return err
}

// conclude writes the result.
func conclude(how, out string, again bool) error {
	diff := "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n"
	if how == differs && again {
		diff = strings.Replace(diff, "+b", "+c", 1)
	}
	switch how {
	case litters:
		if _, err := os.MkdirTemp("", "mendel-"); err != nil {
			return err
		}
	case lingers:
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fakeMendel+"="+survivor)
		if err := cmd.Start(); err != nil {
			return err
		}
	case damages:
		if err := os.WriteFile(filepath.Join(out, "mendel.db"), []byte("no database"), 0o600); err != nil {
			return err
		}
	}
	data, err := json.Marshal(mendel.Result{Status: mendel.Fixed, Fixes: []mendel.Fix{{Diff: diff}}})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "result.json"), data, 0o600)
}

// remove removes a file if it is there.
func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// kill is the kill -9 of somebody else.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = p.Signal(syscall.SIGKILL)
	}
	time.Sleep(time.Hour)
}
