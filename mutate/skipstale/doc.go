// Package skipstale does not store what was loaded before others dropped or replaced what it stands for:
//
//	func (c *Cache) Get(key string) (string, error) {   func (c *Cache) Get(key string) (string, error) {
//		c.mu.Lock()                                         c.mu.Lock()
//		                                                    generation := c.generation
//		v, ok := c.values[key]                              v, ok := c.values[key]
//		c.mu.Unlock()                                       c.mu.Unlock()
//		if ok {                                             if ok {
//			return v, nil                                       return v, nil
//		}                                                   }
//		v, err := c.load(key)                          →    v, err := c.load(key)
//		if err != nil {                                     if err != nil {
//			return "", err                                      return "", err
//		}                                                   }
//		c.mu.Lock()                                         c.mu.Lock()
//		                                                    // what was loaded before a change is out of date
//		                                                    if c.generation == generation {
//		c.values[key] = v                                       c.values[key] = v
//		                                                    }
//		c.mu.Unlock()                                       c.mu.Unlock()
//		return v, nil                                       return v, nil
//	}                                                   }
//
//	func (c *Cache) Invalidate(key string) {            func (c *Cache) Invalidate(key string) {
//		c.mu.Lock()                                         c.mu.Lock()
//		defer c.mu.Unlock()                                 defer c.mu.Unlock()
//		                                                    c.generation++
//		delete(c.values, key)                               delete(c.values, key)
//	}                                                   }
//
// It mends caches, tokens and other copies of what is kept elsewhere: the copy is asked for without the
// lock, as it must be, since that takes long. Who invalidates meanwhile finds nothing to drop, and what is stored
// then is older than the change. All accesses are under the lock, so that no detector of races sees it.
//
// A counter of the value says whether somebody else has changed what is stored (form generation). Where
// those who ask for the same share one load by a singleflight.Group, the counter is a part of the key, since who
// comes after the change must not get what was loaded before. Where they share it by a map of the value, from
// which the function takes its own entry when it stores, who changes takes the entry out as well, and the function
// stores only if its entry is still there (form flight).
//
// Where the container is safe by itself (a sync.Map, a cache of a library), a lock of the value, a new one if it has none, and a
// counter are used by all its stores and by those who take out of it (form own).
//
// What is loaded is the result of a call, outside of the section that stores, of code of others or of what may
// fail. Who changes are the other functions that, under the same lock, delete from a map, empty it, put something
// else in it, or set a field to what was not loaded. What goes over a map in a loop, and drops what is old, changes
// nothing.
//
// Left out are
//   - sections that compare what is there with what was there, or a number with what it was,
//   - values that nobody drops: who is the last to store wins,
//   - functions that store through more than one method, or in a branch that declares what is used behind it.
package skipstale
