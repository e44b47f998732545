package repair

import (
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/sample"
	"mendel/internal/store"
)

// before is the store of a repair of subjects/jobqueue that was killed after its
// first fix, as Mendel wrote it in format 1, in SQL. ${MODULE} and ${OUT} stand for
// the directories.
const before = "testdata/before/jobqueue.sql.gz"

// storeOfBefore makes the output directory of that repair again, for a copy of the
// subject, and returns it.
func storeOfBefore(t *testing.T, module string) (out string) {
	t.Helper()
	out = t.TempDir()
	packed, err := os.Open(before)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	script, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, out, strings.NewReplacer("${MODULE}", module, "${OUT}", out).Replace(string(script)))
	return out
}

// execute runs SQL in the store of an output directory.
func execute(t *testing.T, out, statements string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(out, store.Name))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statements, args...)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// query is the only value that a query of the store yields.
func query(t *testing.T, out, text string) (value string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(out, store.Name))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.QueryRow(text).Scan(&value), db.Close()); err != nil {
		t.Fatal(err)
	}
	return value
}

// encode is the JSON of a value, as it is stored.
func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// copySubject copies the module of a subject, without what is below it.
func copySubject(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(filepath.Join("..", "..", "subjects", name, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			writeTree(t, dir, map[string]string{filepath.Base(file): string(readFile(t, file))})
		}
	}
	return dir
}

// A repair that an earlier version of Mendel began, and somebody killed, goes on
// with this one: its scores and its fix are found in the store, the executable
// being another.
func TestResumeOfBefore(t *testing.T) {
	sample.Whole(t, "TestTablesOfBefore compares the tables, and TestResume goes on with a repair")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	module := copySubject(t, "jobqueue")
	out := storeOfBefore(t, module)

	// The identity of the scores depends on the toolchain, the environment, and
	// what is below testdata, which are others here: it is made again, after a look
	// whether it is made as it was then.
	var prints journal.Fingerprint
	if err := json.Unmarshal([]byte(query(t, out, "SELECT source FROM runs")), &prints); err != nil {
		t.Fatal(err)
	}
	var saved journal.SavedBaseline
	if err := json.Unmarshal([]byte(query(t, out, "SELECT baseline FROM runs")), &saved); err != nil {
		t.Fatal(err)
	}
	base := &original.Baseline{Noised: saved.Noised, Leaks: saved.Leaks, Testdata: saved.Testdata}
	base.Checked = saved.Checked
	for _, o := range saved.Noised {
		if !o.Pass {
			base.Failed++
		}
	}
	s := sessionFor(result.Wanted{Dir: module})
	env, err := s.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	judging, err := env.judging(prints, base)
	if want := query(t, out, "SELECT DISTINCT judging FROM evaluations"); err != nil || judging != want {
		t.Errorf("scores of before hold for %s, and are looked for by %s: %v", want, judging, err)
	}
	now, err := env.fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	now.Others["Mendel"] = prints.Others["Mendel"]
	saved.Testdata = env.HashTestdata()
	base.Testdata = saved.Testdata
	if judging, err = env.judging(now, base); err != nil {
		t.Fatal(err)
	}
	execute(t, out, "UPDATE runs SET source = ?, baseline = ?", encode(t, now), encode(t, saved))
	execute(t, out, "UPDATE evaluations SET judging = ?", judging)

	state, err := journal.ReadState(out)
	if err != nil || state.RunState != journal.Killed || state.Evaluations != 32 || state.Fixes != 1 {
		t.Fatalf("%+v, %v", state, err)
	}
	l := &listener{}
	r, err := Run(t.Context(), result.Wanted{Out: out, Resume: true, Observer: l})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v", r.Status, r.Reason, err)
	}
	// The search may take another way than it did then. But no mutant is scored
	// again: its score would take the place of the one that was there.
	scores := query(t, out, "SELECT count(*) FROM evaluations")
	if r.Search.Recalled == 0 || scores != strconv.Itoa(r.Search.Evaluations) {
		t.Errorf("%d scores were found in the store; it has %s of %d evaluations: %q", r.Search.Recalled, scores, r.Search.Evaluations, l.lines)
	}
	if !strings.Contains(r.Fixes[0].Diff, "queue.go") {
		t.Errorf("the fix is\n%s", r.Fixes[0].Diff)
	}
}

// A repair in a format that is not known is refused, with both versions, and
// stays as it is.
func TestResumeOfLater(t *testing.T) {
	out := storeOfBefore(t, t.TempDir())
	execute(t, out, "UPDATE runs SET mendel = 'format 3'")
	_, err := Run(t.Context(), result.Wanted{Out: out, Resume: true})
	if err == nil || !strings.Contains(err.Error(), "stored in format 3") || !strings.Contains(err.Error(), "formats 1 to 2") {
		t.Errorf("error %v", err)
	}
	if got := query(t, out, "SELECT status || resumed FROM runs"); got != "running0" {
		t.Errorf("the run is %s", got)
	}
}

// The tables are those of before: a store made now has the same, and more at most.
func TestTablesOfBefore(t *testing.T) {
	out, fresh := storeOfBefore(t, t.TempDir()), t.TempDir()
	s, _, err := store.Open(fresh, false)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	known := query(t, out, "SELECT group_concat(quote(name)) FROM sqlite_schema")
	tables := "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name IN (" + known + ") ORDER BY name)"
	if was, is := query(t, out, tables), query(t, fresh, tables); was != is {
		t.Errorf("the tables were\n%s\nand are\n%s\nwith version %d: they need another version", was, is, store.Schema)
	}
}
