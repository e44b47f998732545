package syntax

// Names of methods of containers that keep elements by keys, as caches and sync.Map do.
var (
	adders   = map[string]bool{"Add": true, "Set": true, "Put": true, "Store": true, "Insert": true}
	removers = map[string]bool{"Remove": true, "Delete": true, "Del": true, "Forget": true, "Invalidate": true}
	emptiers = map[string]bool{"Purge": true, "Clear": true, "Reset": true, "Flush": true, "RemoveAll": true, "DeleteAll": true}
)

// Adds reports whether a container's method of a name puts an element in.
func Adds(method string) bool { return adders[method] }

// Removes reports whether a container's method of a name takes an element out.
func Removes(method string) bool { return removers[method] }

// Empties reports whether a container's method of a name takes all elements out.
func Empties(method string) bool { return emptiers[method] }
