package gotool

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	// writtenShare times the limit for temporary files is what a program may
	// write in all: to the same files again, or elsewhere. A guess.
	writtenShare = 4
	// diskEvery and diskSeldom bound the time between two looks at the disk, of a
	// processor they take 1/diskShare at most.
	diskEvery  = 25 * time.Millisecond
	diskSeldom = 200 * time.Millisecond
	diskShare  = 4
	// diskRate is more than a program adds in a millisecond. A guess.
	diskRate = 4 << 20
	// fileLeast is the least that a file or directory counts: files without
	// content take inodes, and time to be removed.
	fileLeast = 16 << 10
)

// watchDisk closes diskFull when the files below dir, if there is one, take more
// than limit bytes, or when more than writtenShare times as much was written;
// stop ends the watch. Without a limit it does nothing.
func watchDisk(dir string, limit int64, written func() int64) (diskFull <-chan struct{}, stop func()) {
	if limit <= 0 {
		return nil, func() {}
	}
	full, stopped := make(chan struct{}), make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		// As in watcher.pause, but what is there already is not taken off.
		every := min(max(diskEvery, time.Duration(limit/diskRate)*time.Millisecond), diskSeldom)
		pause := time.NewTimer(every)
		defer pause.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-pause.C:
			}
			began := time.Now()
			if dir != "" && exceeds(dir, limit, stopped) || written() > writtenShare*limit {
				close(full)
				return
			}
			pause.Reset(max(every, diskShare*time.Since(began)))
		}
	})
	return full, func() {
		close(stopped)
		watch.Wait()
	}
}

// A subdir is a directory, named from another one that is open: the length of a
// path from the root of the file system is limited, the depth of a tree is not.
type subdir struct {
	root *os.Root
	name string
	hops int // from the first such directory to root
}

const (
	// longName is the length of a name, in bytes, from which on directories below
	// are named from there.
	longName = 1 << 10
	// hopsMost is how often that may be: for paths four times as long as any
	// that can be used. Deeper trees are slow to work with, and to remove.
	hopsMost = 16
)

// exceeds reports whether the files below dir take more than limit bytes, or
// there are directories deeper than any program has a use for. It
// looks at no more files than it takes to know, and gives up when stopped is
// closed. Symbolic links are not followed; what cannot be read does not count.
func exceeds(dir string, limit int64, stopped <-chan struct{}) bool {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	roots := []*os.Root{top}
	defer func() {
		for _, r := range roots {
			r.Close()
		}
	}()
	sum := int64(fileLeast)
	for todo := []subdir{{root: top, name: "."}}; len(todo) > 0 && sum <= limit && !closed(stopped); {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if len(at.name) > longName {
			if at.hops == hopsMost {
				return true
			}
			r, err := at.root.OpenRoot(at.name)
			if err != nil {
				continue
			}
			roots = append(roots, r)
			at = subdir{r, ".", at.hops + 1}
		}
		size, dirs := at.size(limit-sum, stopped)
		sum += size
		todo = append(todo, dirs...)
	}
	return sum > limit
}

// size is what the files in a directory take, and its directories. It stops
// counting at more than limit bytes.
func (p subdir) size(limit int64, stopped <-chan struct{}) (sum int64, dirs []subdir) {
	f, err := p.root.OpenFile(p.name, onlyDir, 0)
	if err != nil {
		return 0, nil
	}
	defer f.Close()
	for sum <= limit && err == nil && !closed(stopped) {
		var entries []os.DirEntry
		entries, err = f.ReadDir(256) // not all at once: there may be millions
		for _, e := range entries {
			size := int64(fileLeast)
			if info, err := e.Info(); err == nil {
				size = max(size, occupied(info))
			}
			sum += size
			if e.IsDir() {
				dirs = append(dirs, subdir{p.root, filepath.Join(p.name, e.Name()), p.hops})
			}
		}
	}
	return sum, dirs
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
