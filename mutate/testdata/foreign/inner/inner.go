package inner

type Entry struct{ Value int }

func Sum(e *Entry) int { return e.Value }

func Double(e *Entry) int { return 2 * e.Value }
