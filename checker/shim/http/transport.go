package http

import (
	"net/http"
	gosync "sync"

	"mendel/checker/sched"
)

// controlled are the transports of the running execution whose requests stay under
// control, although they are the library's.
var controlled struct {
	gosync.Mutex
	object sched.Object
	all    map[*http.Transport]bool
}

// Control says that the requests of a transport stay under control.
func Control(t *http.Transport) {
	controlled.Lock()
	defer controlled.Unlock()
	if controlled.object.Fresh() || controlled.all == nil {
		controlled.all = map[*http.Transport]bool{}
	}
	controlled.all[t] = true
}

// staysControlled reports whether Control was told of a transport.
func staysControlled(t *http.Transport) bool {
	controlled.Lock()
	defer controlled.Unlock()
	return !controlled.object.Fresh() && controlled.all[t]
}
