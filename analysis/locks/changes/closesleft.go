package changes

import (
	"maps"
	"slices"

	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
)

// closesLeft finds closes of a channel without the lock that the change puts around another close of it: who
// has to ask under a lock whether it is closed already has to keep the other one from closing meanwhile.
func (c *comparison) closesLeft() {
	was, now := channelsOf(c.was), channelsOf(c.now)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was[key] == nil {
			continue
		}
		for _, lock := range guards.KeysAt(c.after, now[key].closes) {
			held, not := guards.Part(c.after, now[key].closes, lock)
			had, without := guards.Part(c.before, was[key].closes, lock)
			moved := slices.ContainsFunc(held, func(u access.Use) bool {
				return slices.ContainsFunc(without, func(o access.Use) bool { return o.In.Name == u.In.Name })
			})
			if len(held) <= len(had) || !moved {
				continue
			}
			for _, u := range not {
				stays := slices.ContainsFunc(without, func(o access.Use) bool { return o.In.Name == u.In.Name })
				if stays && open(c.after, u, lock) && mayKnow(c.after, u, lock) {
					c.report(LeftOut, u, "%s is closed without %s, which the change puts around another close of it", u.Name, shortKey(lock))
				}
			}
		}
	}
}
