package lean

import "golang.org/x/sys/unix"

// room is how much memory for files there must be: many times what tests have
// at a time.
const room = 4 << 30

// shared is where Linux has a file system in memory. A container's may be small, or
// not permit programs.
const shared = "/dev/shm"

// memory is a directory in memory in which programs can be run; "" if there is
// none with enough room.
func memory() string {
	var fs unix.Statfs_t
	switch {
	case unix.Statfs(shared, &fs) != nil,
		fs.Type != unix.TMPFS_MAGIC,
		fs.Flags&unix.ST_NOEXEC != 0,
		fs.Bavail*uint64(fs.Bsize) < room,
		unix.Access(shared, unix.R_OK|unix.W_OK|unix.X_OK) != nil:
		return ""
	}
	return shared
}
