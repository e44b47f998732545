//go:build linux && !portable

package gotool

// contained says that descendants cannot get away by leaving the process group.
const contained = true
