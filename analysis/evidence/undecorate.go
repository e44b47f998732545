package evidence

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Text that terminals, containers and build services put into the lines of a
// program.
var (
	// escapes are colours and other commands to a terminal.
	escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[\]_][^\x07\x1b]*(?:\x07|\x1b\\)`)
	// stamp is a time before a line: RFC 3339 and the like (docker, kubectl,
	// GitHub Actions), package log's, syslog's, the time of day.
	stamp = regexp.MustCompile(`^\x{feff}?(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)? ?(?:Z|[+-]\d\d:?\d\d)?\]?|` +
		`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?|` +
		`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|` +
		`\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?)(?:[ \t]|$)`)
	// stream is the name of a stream, as the container runtimes of Kubernetes
	// ("stderr F ") and GitLab ("01O ") have it after a time.
	stream = regexp.MustCompile(`^(?:(?:stdout|stderr) [FP](?: |$)|[0-9a-f]{2}[OE](?:[ +]|$))`)
	// source is the name of a service, container or stream: "web-1  | ".
	source = regexp.MustCompile(`^[^\s|]{1,64} +\|(?: |$)`)
	// innerTime is a time behind something else.
	innerTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`)
	// anchor is a line that stands at the beginning of its line when nothing
	// has been put before it.
	anchor = regexp.MustCompile(`^(.{1,200}?)(?:WARNING: DATA RACE|goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[^\]]*(?: labels:\{.*\})?\](?: \{.*\})?:)$`)
)

// maxPrefixes is how many different prefixes are collected from one text: as many
// containers may be mixed in it.
const maxPrefixes = 16

// undecorate removes from each line what others have put there: colours, times, the
// names of containers and streams, the indentation of a quotation.
func undecorate(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(logged(line), "\r\n")
		lines[i] = unstamp(withoutEscapes(line))
	}
	for _, prefix := range prefixes(lines) {
		for i, line := range lines {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				lines[i] = unstamp(rest)
			} else if line == strings.TrimRight(prefix, " ") {
				lines[i] = ""
			}
		}
	}
	outdent(lines)
	return strings.Join(lines, "\n")
}

// withoutEscapes drops commands to a terminal.
func withoutEscapes(line string) string {
	if !strings.Contains(line, "\x1b") {
		return line
	}
	return escapes.ReplaceAllString(line, "")
}

// logged is the line that docker's log driver json-file has packed.
func logged(line string) string {
	if !strings.HasPrefix(line, `{"log":"`) {
		return line
	}
	var entry struct{ Log string }
	if json.Unmarshal([]byte(line), &entry) != nil {
		return line
	}
	return entry.Log
}

// unstamp drops times and names from the beginning of a line, in whatever
// order they come; four layers are more than was ever seen.
func unstamp(line string) string {
	for range 4 {
		before := len(line)
		line = afterJob(line)
		if n := len(stamp.FindString(line)); n > 0 {
			line = line[n:]
			line = line[len(stream.FindString(line)):]
		}
		line = line[len(source.FindString(line)):]
		if len(line) == before {
			break
		}
	}
	return line
}

// afterJob is what follows the names of job and step that "gh run view --log"
// puts before the time.
func afterJob(line string) string {
	job, rest, _ := strings.Cut(line, "\t")
	step, rest, ok := strings.Cut(rest, "\t")
	if ok && job != "" && step != "" && stamp.MatchString(rest) {
		return rest
	}
	return line
}

// prefixes collects the prefixes that some lines have: what precedes a line
// that always begins its line, if the line after it has that too.
func prefixes(lines []string) []string {
	var found []string
	for i, line := range lines[:len(lines)-1] {
		if !begins(line) {
			continue
		}
		m := anchor.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		prefix := m[1]
		if at := innerTime.FindStringIndex(prefix); at != nil {
			prefix = prefix[:at[0]] // what follows differs from line to line
		}
		if strings.TrimSpace(prefix) == "" || !strings.HasPrefix(lines[i+1], prefix) || slices.Contains(found, prefix) {
			continue
		}
		if found = append(found, prefix); len(found) == maxPrefixes {
			break
		}
	}
	return found
}

// begins reports whether a line may be one that an anchor matches.
func begins(line string) bool {
	return strings.HasSuffix(line, "DATA RACE") || strings.HasSuffix(line, "]:") || strings.HasSuffix(line, "}:")
}

// outdent removes the indentation of a block if all its lines have it, and one of
// them always begins its line: a report that somebody quotes.
func outdent(lines []string) {
	for i := 0; i < len(lines); {
		end, indent := i, ""
		for ; end < len(lines) && (lines[end] == "" || lines[end][0] == ' '); end++ {
			line := lines[end]
			if indent == "" && begins(line) {
				if m := anchor.FindStringSubmatch(line); m != nil && strings.TrimSpace(m[1]) == "" {
					indent = m[1]
				}
			}
		}
		for j := i; j < end && indent != ""; j++ {
			lines[j] = strings.TrimPrefix(lines[j], indent)
		}
		i = end + 1
	}
}
