module taxi

go 1.25
