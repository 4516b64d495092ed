package sdk

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/hashicorp/go-plugin"

	"github.com/toolcrib/toolcrib/sdk/proctree"
)

// watchHost ends this process and everything it started when the host is gone.
// Two signs tell: the lifeline, a pipe whose other end only the host holds, and
// SIGTERM, which the host has the kernel send where that can be arranged.
func watchHost() {
	runDir := ownRunDir()
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGTERM)
	if lifeline := openLifeline(); lifeline != nil {
		go func() {
			_, _ = io.Copy(io.Discard, lifeline)
			gone <- syscall.SIGTERM
		}()
	}
	go func() {
		<-gone
		_ = proctree.KillDescendants(os.Getpid())
		if runDir != "" {
			_ = os.RemoveAll(runDir)
		}
		signal.Reset(syscall.SIGTERM)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
}

// ownRunDir is what the host made for this process. One that a process inherited
// from the provider that started it is not its own: its socket is elsewhere.
func ownRunDir() string {
	socketDir, runDir := os.Getenv(plugin.EnvUnixSocketDir), os.Getenv(RunDirEnv)
	if runDir != "" && filepath.Dir(socketDir) == filepath.Clean(runDir) {
		return runDir
	}
	return socketDir
}

// openLifeline returns nil when the host gave none.
func openLifeline() *os.File {
	fd, err := strconv.Atoi(os.Getenv(LifelineEnv))
	if err != nil || fd <= 2 {
		return nil
	}
	syscall.CloseOnExec(fd)
	// Only a descriptor in non-blocking mode is polled instead of taking a
	// thread for ever.
	_ = syscall.SetNonblock(fd, true)
	return os.NewFile(uintptr(fd), "lifeline")
}

// processName is where Linux keeps the name that ps and top show.
const processName = "/proc/self/comm"

// adoptProcess undoes what serving did to the process, once go-plugin is set up.
// go-plugin sends what is written to os.Stderr over the connection, where the
// last words before a crash are lost; the descriptor that the host gave us keeps
// them. And a child that happens to be a plugin, too, must not take itself for
// one that our host started. Last, the host runs an open file by its descriptor,
// after whose number Linux has named the process.
func adoptProcess(stderr *os.File) {
	os.Stderr = stderr
	if name, err := os.OpenFile(processName, os.O_WRONLY, 0); err == nil {
		_, _ = name.WriteString(filepath.Base(os.Args[0]))
		name.Close()
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name == CookieKey || name == LifelineEnv || strings.HasPrefix(name, "PLUGIN_") {
			_ = os.Unsetenv(name)
		}
	}
}
