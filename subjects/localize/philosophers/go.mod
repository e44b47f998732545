module philosophers

go 1.25
