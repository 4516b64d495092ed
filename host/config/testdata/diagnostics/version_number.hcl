toolcrib {
  required_version = 1.10 #@diag("Put it in quotes: \"1.10\".")
}
