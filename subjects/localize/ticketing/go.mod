module ticketing

go 1.25
