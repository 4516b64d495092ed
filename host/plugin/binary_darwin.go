package plugin

// execPath returns the declared path: macOS cannot run an open file. What is
// left is the moment between this check and exec.
func (b *binary) execPath() (string, error) { return b.path, b.unchanged() }
