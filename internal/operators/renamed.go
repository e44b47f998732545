package operators

// formerly are names that stored runs and saved evaluations may have: operators
// that have become forms of others.
var formerly = map[string]string{
	"lockbody": "addlock", "lockmethod": "addlock", "lockstatement": "addlock",
	"removeinner": "removelock", "unlockbody": "removelock", "unlockmethod": "removelock", "unlockstatement": "removelock",
}

// Now is the present name of an operator of any version: its own, or that of the
// operator that it has become a form of.
func Now(name string) string {
	if now, ok := formerly[name]; ok {
		return now
	}
	return name
}
