module account

go 1.25
