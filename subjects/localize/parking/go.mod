module parking

go 1.25
