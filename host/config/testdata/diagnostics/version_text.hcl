toolcrib {
  required_version = "newest" #@diag("is no version requirement")
}
