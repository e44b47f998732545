module example.com/readerswriters

go 1.25
