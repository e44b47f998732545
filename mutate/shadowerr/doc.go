// Package shadowerr gives a goroutine a variable of its own, declared inside,
// instead of an outer one that it assigns:
//
//	err := prepare()                 err := prepare()
//	go func() {                      go func() {
//		_, err = send(report)     →  	// its own err: the outer one is used meanwhile
//		if err != nil {              	_, err := send(report)
//			log.Print(err)           	if err != nil {
//		}                            		log.Print(err)
//	}()                              	}
//	_, err = store(report)           }()
//	return err                       _, err = store(report)
//	                                 return err
//
// It mends data races on variables that a closure captures by mistake, where a
// colon is missing. Most often it is err, which functions use for one result
// after the other: idiomatic reuse of err, and named results, are among the
// patterns of races found at Uber (Chabbi and Ramanathan, A Study of Real-World
// Data Races in Golang, PLDI 2022).
//
// An assignment becomes a definition when all that the goroutine does with the
// variable lies in its scope. Else the variable is declared at the head of the
// literal, with its type. An outer declaration that nothing else uses moves there.
//
// Where the function uses the error when it has waited for the goroutine, and assigns the
// same variable meanwhile, it takes the goroutine's over then:
//
//	                                 var goErr error // its own error, which is taken over when it has ended
//	go func() {                      go func() {
//		_, err = send(report)     →  	_, goErr = send(report)
//		close(done)                  	close(done)
//	}()                              }()
//	_, err = store(report)           _, err = store(report)
//	<-done                           <-done
//	                                 if err == nil {
//	                                 	err = goErr
//	                                 }
//	return err                       return err
//
// Several goroutines that assign the same error hand theirs over together: each has a variable of its own.
//
// A result that has a name is assigned by each return, also by one that does not wait for the goroutine.
// Where all returns say what they return, and nothing deferred uses the names, the results become variables:
//
//	func Ask() (answer string, err error) {     func Ask() (string, error) {
//	                                            	// no results by name: a return assigns those, also while the goroutine does
//	                                            	var answer string
//	                                            	var err error
//		go func() {                             	go func() {
//			answer, err = ask()             →   		answer, err = ask()
//			close(done)                         		close(done)
//		}()                                     	}()
//		select {                                	select {
//		case <-done:                            	case <-done:
//			return answer, err                  		return answer, err
//		case <-time.After(patience):            	case <-time.After(patience):
//			return "", ErrTimeout               		return "", ErrTimeout
//		}                                       	}
//	}                                           }
//
// Left out are variables
//   - that the goroutine reads before it writes them: package copyarg gives it a copy,
//   - whose value is read outside before it is overwritten there, but for an error of one goroutine
//     that is waited for,
//   - that the goroutine only writes: nobody would use its own,
//   - whose address is taken.
package shadowerr
