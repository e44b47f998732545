module example.com/searchindex

go 1.25
