package time

import "time"

// Names that have nothing to do with the clock.

// The real types.
type (
	Duration   = time.Duration
	Location   = time.Location
	Month      = time.Month
	ParseError = time.ParseError
	Time       = time.Time
	Weekday    = time.Weekday
)

// Common durations.
const (
	Nanosecond  = time.Nanosecond
	Microsecond = time.Microsecond
	Millisecond = time.Millisecond
	Second      = time.Second
	Minute      = time.Minute
	Hour        = time.Hour
)

// Months.
const (
	January   = time.January
	February  = time.February
	March     = time.March
	April     = time.April
	May       = time.May
	June      = time.June
	July      = time.July
	August    = time.August
	September = time.September
	October   = time.October
	November  = time.November
	December  = time.December
)

// Days.
const (
	Sunday    = time.Sunday
	Monday    = time.Monday
	Tuesday   = time.Tuesday
	Wednesday = time.Wednesday
	Thursday  = time.Thursday
	Friday    = time.Friday
	Saturday  = time.Saturday
)

// Layouts.
const (
	Layout      = time.Layout
	ANSIC       = time.ANSIC
	UnixDate    = time.UnixDate
	RubyDate    = time.RubyDate
	RFC822      = time.RFC822
	RFC822Z     = time.RFC822Z
	RFC850      = time.RFC850
	RFC1123     = time.RFC1123
	RFC1123Z    = time.RFC1123Z
	RFC3339     = time.RFC3339
	RFC3339Nano = time.RFC3339Nano
	Kitchen     = time.Kitchen
	Stamp       = time.Stamp
	StampMilli  = time.StampMilli
	StampMicro  = time.StampMicro
	StampNano   = time.StampNano
	DateTime    = time.DateTime
	DateOnly    = time.DateOnly
	TimeOnly    = time.TimeOnly
)

// Locations, copied from the real package when the program starts.
var (
	UTC   = time.UTC
	Local = time.Local
)

// Date is the real function.
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	return time.Date(year, month, day, hour, min, sec, nsec, loc)
}

// FixedZone is the real function.
func FixedZone(name string, offset int) *Location { return time.FixedZone(name, offset) }

// LoadLocation is the real function.
func LoadLocation(name string) (*Location, error) { return time.LoadLocation(name) }

// LoadLocationFromTZData is the real function.
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	return time.LoadLocationFromTZData(name, data)
}

// Parse is the real function.
func Parse(layout, value string) (Time, error) { return time.Parse(layout, value) }

// ParseDuration is the real function.
func ParseDuration(s string) (Duration, error) { return time.ParseDuration(s) }

// ParseInLocation is the real function.
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return time.ParseInLocation(layout, value, loc)
}

// Unix is the real function.
func Unix(sec int64, nsec int64) Time { return time.Unix(sec, nsec) }

// UnixMicro is the real function.
func UnixMicro(usec int64) Time { return time.UnixMicro(usec) }

// UnixMilli is the real function.
func UnixMilli(msec int64) Time { return time.UnixMilli(msec) }
