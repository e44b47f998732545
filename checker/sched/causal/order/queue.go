package order

// A queue gives the variables in the order in which they were last in conflicts, the
// last first: VMTF, as in Biere and Fröhlich, "Evaluating CDCL Variable Scoring
// Schemes" (SAT 2015). Those that never were come in the order in which they were made.
type queue struct {
	heap   []int32
	place  []int32 // by variable: index in heap, none: not there
	scores []int32 // by variable: the higher the sooner
	last   int32
	made   int32
}

// add adds a variable, whose number is the count of those before.
func (q *queue) add(v int) {
	q.made--
	q.scores = append(q.scores, q.made)
	q.place = append(q.place, none)
	q.back(v)
}

// raise has a variable come before all others.
func (q *queue) raise(v int) {
	q.last++
	q.scores[v] = q.last
	if q.place[v] >= 0 {
		q.up(int(q.place[v]))
	}
}

// back puts a variable into the queue again.
func (q *queue) back(v int) {
	if q.place[v] >= 0 {
		return
	}
	q.heap = append(q.heap, int32(v))
	q.place[v] = int32(len(q.heap) - 1)
	q.up(len(q.heap) - 1)
}

// next takes the first variable.
func (q *queue) next() (int, bool) {
	if len(q.heap) == 0 {
		return 0, false
	}
	first := q.heap[0]
	last := len(q.heap) - 1
	q.swap(0, last)
	q.heap = q.heap[:last]
	q.place[first] = none
	q.down(0)
	return int(first), true
}

func (q *queue) before(i, k int) bool { return q.scores[q.heap[i]] > q.scores[q.heap[k]] }

func (q *queue) swap(i, k int) {
	q.heap[i], q.heap[k] = q.heap[k], q.heap[i]
	q.place[q.heap[i]], q.place[q.heap[k]] = int32(i), int32(k)
}

func (q *queue) up(i int) {
	for i > 0 && q.before(i, (i-1)/2) {
		q.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (q *queue) down(i int) {
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(q.heap); k++ {
			if q.before(k, least) {
				least = k
			}
		}
		if least == i {
			return
		}
		q.swap(i, least)
		i = least
	}
}
