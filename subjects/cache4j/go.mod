module example.com/cache4j

go 1.25
