// Package clonevalue gives away a copy of a value whose owner goes on changing it, where the
// value itself would be given away by a pointer.
//
//	func (s *Store) Lookup(name        func (s *Store) Lookup(name
//	    string) (*Flag, bool) {            string) (*Flag, bool) {
//	  s.mu.RLock()                       s.mu.RLock()
//	  defer s.mu.RUnlock()           →   defer s.mu.RUnlock()
//	  f, ok := s.flags[name]             f, ok := s.flags[name]
//	  return f, ok                       return f.clone(), ok
//	}                                  }
//
//	                                   // clone is a copy of f that shares nothing with it.
//	                                   func (f *Flag) clone() *Flag {
//	                                     if f == nil {
//	                                       return nil
//	                                     }
//	                                     c := *f
//	                                     c.Tags = maps.Clone(c.Tags)
//	                                     return &c
//	                                   }
//
// It mends races of the receiver, who reads what he was given without the owner's lock, with
// changes under that lock; more locks in the owner do not help there. Package clonemap does
// the same with maps and slices.
//
// A value is given away where an exported function returns a pointer to it, or puts the pointer into a
// list or map. It is the owner's if it comes from a field, or from an element of a field's map or slice. It is copied
// where the lock is held: in its place, or behind the statement that has read it (form behind). Slices
// and maps in it are copied, too, and those in their elements. A method of the type that copies
// it already, Clone or Copy, is called instead of a new one.
//
// What a helper returns beside other results is copied behind the call (form call), and so are
// all elements of a list or map of pointers (form list), also where the list itself is a copy:
//
//	                               list := slices.Clone(b.berths[berth])
//	                               for i, v := range list {
//	return b.berths[berth]    →    	list[i] = v.clone()
//	                               }
//	                               return list
//
// A copy that a method makes of its receiver, with pointers or lists of the original in it, gives these away as well, also in
// a literal: the copy of a snapshot has structs of its own then,
//
//	                                   pools := maps.Clone(v.pools)
//	                                   for key, p := range pools {
//	                                     pools[key] = p.clone()
//	return &View{                      }
//	  pools: maps.Clone(v.pools),  →   return &View{pools: pools}
//	}
//
// and so does a plain copy, c := *n, the slices and maps of which the method does not make anew (form deeper).
//
// So is a value whose plain copy, *v, would share slices and maps with the owner's.
//
// A pointer that an exported function is given and that the owner keeps is copied as well (form
// taken): the caller goes on using what it has.
//
// The edits of all places that give away values of one type are offered as one, too.
//
// Left out are parameters that are given back, and types
//   - that nobody changes once they are in their owner, as far as the source shows,
//   - with exported methods that change them: whoever is given a value is to change the owner's,
//   - with a lock, or an atomic variable in them, and generic ones,
//   - of other packages than the function's.
package clonevalue
