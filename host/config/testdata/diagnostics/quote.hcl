toolcrib {}
plugin "words" {
  command = ["./bin/words] #@diag("Invalid multi-line string")
  env     = { A = "b" }
}
policy {
  deny = ["Bash"]
}
