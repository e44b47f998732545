module example.com/dispatcher

go 1.25
