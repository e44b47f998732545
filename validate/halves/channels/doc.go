// Package channels has the finders of halves about channels: senders that are left alone, room that does not last, what is
// taken and nobody gets, ends that some do not hear of.
//
//	for _, f := range pair.New(program, fset, packages).Find(channels.Senders, channels.Rooms) {
//		fmt.Println(f.What)
//	}
//
// # Words
//
// A send is made whatever happens if it is no case of a select. A way out is another case beside a send, such as that a
// context has ended. Who receives leaves early when it returns, or leaves its loop, before it has received all that is
// sent. A channel's room is what it is made with.
//
// # What is alike
//
//   - exits of a function, where the patch closes a channel in front of some and nobody closes
//     it in front of others (exits.go);
//   - returns of goroutines that leave a channel open which they close at others, where the patch mends the same of a
//     goroutine that another function starts (unclosed.go);
//   - channels whose senders are left alone when the function that receives returns early, where
//     the patch mends that for the senders of another channel, by room, by a way out, or by receiving
//     the rest (senders.go);
//   - sends that a function makes whatever happens, where the patch gives another send there a way out, and who receives
//     may have left before both (insists.go);
//   - sends for which nobody receives when a context has ended, where the patch has another wait of the same
//     type's methods end with its context (heedless.go).
//
// # What is half done
//
// Half done are, at the place that the patch changes,
//
//   - room in a channel for some of what is sent, whatever happens (rooms.go), and sends only where there is room
//     (drops.go), or of which nobody gets what is taken (stranded.go), or that may be closed by then (closedfor.go);
//   - sends that give up when the caller's context ends, where who receives leaves for other reasons, too (othersend.go);
//   - sends that ask whether a context has ended, and not while they wait (askedbefore.go), or that it ends, which
//     those who receive take for the end of all (cutshort.go);
//   - receiving the rest from those whom nothing ends (drains.go), and a break that leaves no loop (breaks.go).
//
// Besides, [Abandoned] says where a program as it is leaves senders alone.
package channels
