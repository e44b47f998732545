package variant

import (
	"os"
	"strconv"
	"strings"
)

// Env names the environment variable with the choice, as Format has it.
const Env = "MENDEL_VARIANTS"

// Max is how many functions of a program may have variants.
const Max = 1 << 12

// Chosen is, by function, the number of the variant that runs; 0 is the function as it is.
var Chosen = parse(os.Getenv(Env))

// A Choice is a function's variant.
type Choice struct{ Function, Variant int }

// Format is the text of choices: "3=1,17=2".
func Format(choices []Choice) string {
	var texts []string
	for _, c := range choices {
		texts = append(texts, strconv.Itoa(c.Function)+"="+strconv.Itoa(c.Variant))
	}
	return strings.Join(texts, ",")
}

// parse reads a text of choices. What is none is passed over: the text comes from the
// checker.
func parse(text string) (chosen [Max]uint16) {
	for choice := range strings.SplitSeq(text, ",") {
		function, variant, _ := strings.Cut(choice, "=")
		f, err1 := strconv.Atoi(function)
		v, err2 := strconv.ParseUint(variant, 10, 16)
		if err1 == nil && err2 == nil && 0 <= f && f < Max {
			chosen[f] = uint16(v)
		}
	}
	return chosen
}
