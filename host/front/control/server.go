package control

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/session"
)

// Session is what can be asked; *host.Host is one.
type Session interface {
	Reload(ctx context.Context) (*host.Report, error)
	ReloadProvider(ctx context.Context, name string) (*host.Report, error)
	Events() *session.Log
}

var _ Session = (*host.Host)(nil)

// Server listens for one session.
type Server struct {
	session  Session
	listener *net.UnixListener
	life     context.Context
	end      context.CancelFunc
	work     sync.WaitGroup
	one      sync.Mutex // one request at a time
}

// Listen opens the socket of this process's session, below the state folder of
// its workspace, and removes those of sessions that ended without doing so. The
// caller closes the server.
func Listen(state string, s Session) (*Server, error) {
	folder := folder(state)
	if err := private(folder); err != nil {
		return nil, fmt.Errorf("listen for reloads: %w", err)
	}
	sweep(folder)
	path := filepath.Join(folder, fmt.Sprintf("%d-%s%s", os.Getpid(), rand.Text()[:6], socketSuffix))
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen for reloads: %w", err)
	}
	server := &Server{session: s, listener: listener}
	server.life, server.end = context.WithCancel(context.Background())
	server.work.Go(server.accept)
	return server, nil
}

// Close removes the socket and returns when no request is under way. One that is
// gets an error.
func (s *Server) Close() error {
	s.end()
	err := s.listener.Close() // which removes the socket
	s.work.Wait()
	return err
}

// sweep removes sockets that processes left that are gone.
func sweep(folder string) {
	for path, pid := range sockets(folder) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.Remove(path) // another session may be sweeping, too
		}
	}
}

func (s *Server) accept() {
	for {
		connection, err := s.listener.AcceptUnix()
		if err != nil {
			return // closed
		}
		s.work.Go(func() {
			defer connection.Close()
			defer context.AfterFunc(s.life, func() { connection.SetReadDeadline(time.Now()) })()
			s.serve(connection)
		})
	}
}

// serve answers one connection. What another user sends is not read.
func (s *Server) serve(connection *net.UnixConn) {
	if sameUser(connection) != nil {
		return
	}
	_ = connection.SetReadDeadline(time.Now().Add(greeting))
	var request Request
	var answer Answer
	if err := read(connection, maxRequest, &request); err != nil {
		answer = failed(fmt.Errorf("read the request: %w", err))
	} else {
		answer = s.do(request)
	}
	answer.PID = os.Getpid()
	_ = connection.SetWriteDeadline(time.Now().Add(greeting))
	_ = json.NewEncoder(connection).Encode(answer) // the asker may have left
}

func (s *Server) do(request Request) Answer {
	if request.Command != CommandReload {
		return Answer{Error: fmt.Sprintf("there is no command %q", request.Command), Hint: "this session is of another version of toolcrib: open it again"}
	}
	s.one.Lock()
	defer s.one.Unlock()
	if s.life.Err() != nil {
		return failed(errors.New("the session is closing"))
	}
	var report *host.Report
	var err error
	what := "the configuration was reloaded"
	if request.Provider == "" {
		report, err = s.session.Reload(s.life)
	} else {
		what = fmt.Sprintf("provider %q was reloaded", request.Provider)
		report, err = s.session.ReloadProvider(s.life, request.Provider)
	}
	if err != nil {
		return failed(err)
	}
	s.session.Events().Append("", session.Notice{Level: session.Info, Text: report.Text(plaintext.Line(what) + " from another shell")})
	return Answer{Report: report}
}

func failed(err error) Answer {
	answer := Answer{Error: err.Error()}
	var invalid *host.ConfigError
	if errors.As(err, &invalid) {
		answer.Diagnostics = invalid.Diagnostics
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		answer.Hint = hinted.Hint()
	}
	return answer
}

// short names a folder by 16 characters.
func short(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
