// Package binomial says how often something happens that was counted in a number of
// trials: the exact interval of Clopper and Pearson (The use of confidence or fiducial
// limits, Biometrika 26, 1934). It holds for trials that are independent of each other.
//
// [Lower] and [Upper] leave out a probability each, the tail. With a confidence of 95 %,
// an interval has a tail of 0.025 on both sides; a bound on one side alone has 0.05:
//
//	low, high := binomial.Lower(2, 20, 0.025), binomial.Upper(2, 20, 0.025) // 0.012 to 0.317
//	least := binomial.Lower(2, 20, 0.05)                                    // 0.018
package binomial
