// Package lines compares texts line by line: what an edit changes of a text whose layout is its
// author's, and which line of the original a line of a mutant stands for.
//
// [Rebase] carries an edit over to a text that gofmt would lay out otherwise:
//
//	original    a( 1 )      before   a(1)      after   a(1)      the result   a( 1 )
//	            b                    b                 new                    new
//	                                               b                      b
package lines
