package kill

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A markedProcess has a mark in its environment.
type markedProcess struct {
	id   int
	name string // "17 (account.test)"
}

// end ends the process.
func (p markedProcess) end() {
	if process, err := os.FindProcess(p.id); err == nil {
		_ = process.Kill() // in vain if it has ended
	}
}

// marked finds the processes that have a variable, "NAME=value", in their environment.
func marked(variable string) []markedProcess {
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		panic(err) // the pattern is right
	}
	var found []markedProcess
	for _, name := range environs {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+variable+"\x00")) {
			continue // gone, or somebody else's
		}
		dir := filepath.Dir(name)
		id, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		found = append(found, markedProcess{id, strconv.Itoa(id) + " (" + strings.TrimSpace(string(comm)) + ")"})
	}
	return found
}
