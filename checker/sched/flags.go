package sched

import (
	"reflect"
	"strings"
)

// A flag.FlagSet has its flags behind interfaces in a map, by name. So which variable a
// call writes is known by what it is given:
//
//	flags  is the set of the words after it
//	set    sets the flag of that name
//	parse  sets the flags that a list of arguments names

// flags is what a call does to a variable of a flag, if a word is about that.
func (g *goroutine) flags(word string, v reflect.Value) bool {
	switch word {
	case "flags":
		g.flagSet = dynamic(v)
	case "set":
		if v = dynamic(v); v.Kind() == reflect.String {
			g.setFlag(v.String())
		}
	case "parse":
		v = dynamic(v)
		for i := range v.Len() {
			argument, isFlag := strings.CutPrefix(v.Index(i).String(), "-")
			if argument == "-" || i == 0 && !isFlag {
				break // none follow
			}
			if isFlag {
				name, _, _ := strings.Cut(strings.TrimPrefix(argument, "-"), "=")
				g.setFlag(name)
			}
		}
	default:
		return false
	}
	return true
}

// A slog.Logger shows values of messages for debugging if its handler is enabled for them:
//
//	debug  is the logger of the words after it
//	shown  prints, if that is so

// debugLevel is slog.LevelDebug.
const debugLevel = -4

// shows is what a logger does with a message for debugging, if a word is about that.
func (g *goroutine) shows(word string, v reflect.Value, depth int) bool {
	switch word {
	case "debug":
		g.debugs = debugs(v)
	case "shown":
		if g.debugs {
			g.accesses("F", v, depth)
		}
	default:
		return false
	}
	return true
}

// debugs reports whether a logger has a handler of the library that is enabled for
// messages for debugging.
func debugs(logger reflect.Value) bool {
	handler := reflect.Value{}
	if m := logger.MethodByName("Handler"); m.IsValid() && !logger.IsNil() {
		handler = dynamic(m.Call(nil)[0])
	}
	if handler.Kind() != reflect.Pointer || !standard(handler.Type().Elem()) {
		return false
	}
	enabled := handler.MethodByName("Enabled")
	if !enabled.IsValid() || enabled.Type().NumIn() != 2 {
		return false
	}
	level := reflect.New(enabled.Type().In(1)).Elem()
	level.SetInt(debugLevel)
	return enabled.Call([]reflect.Value{reflect.Zero(enabled.Type().In(0)), level})[0].Bool()
}

// setFlag is a call of the method Set of the flag of a name.
func (g *goroutine) setFlag(name string) {
	s := g.flagSet
	if s.Kind() != reflect.Pointer || s.IsNil() {
		return
	}
	formal := exposed(s.Elem().FieldByName("formal"))
	if !formal.IsValid() || formal.Kind() != reflect.Map {
		return
	}
	if f := formal.MapIndex(reflect.ValueOf(name)); f.IsValid() && !f.IsNil() {
		g.dispatch("Set", f.Elem().FieldByName("Value"), 0)
	}
}
