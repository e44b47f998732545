package dispatcher

// A Job is a message to be sent to one receiver.
type Job struct {
	ID   int
	To   string
	Text string
}

// A Queue holds jobs in the order in which they came. One goroutine uses it.
type Queue struct {
	jobs []Job
	next int
}

// Add puts a job at the end and numbers it.
func (q *Queue) Add(to, text string) {
	q.jobs = append(q.jobs, Job{ID: len(q.jobs), To: to, Text: text})
}

// Len is the number of jobs that have not been taken.
func (q *Queue) Len() int {
	return len(q.jobs) - q.next
}

// Next takes the first job; ok is false when there is none.
func (q *Queue) Next() (job Job, ok bool) {
	if q.Len() == 0 {
		return Job{}, false
	}
	job = q.jobs[q.next]
	q.next++
	return job, true
}
