module zoo

go 1.25
