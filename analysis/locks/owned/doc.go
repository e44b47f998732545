// Package owned says of which values nobody else can know yet: the function, or all that call it,
// have just made them, and they are not given away. What is done to such a value needs no lock.
//
// It is followed over a few calls, among them those of options: any literal of the type that
// is called.
package owned
