package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
)

// ErrNoSession is a workspace in which no session runs.
var ErrNoSession = errors.New("no session runs in this workspace")

// Ask puts a request to all sessions of the workspace with that state folder and
// blocks until they answered or ctx ends. The answers are in the order of the
// pids; one that could not be got has its Error set. Without any session the
// error is [ErrNoSession].
func Ask(ctx context.Context, state string, request Request) ([]Answer, error) {
	folder := folder(state)
	if _, err := os.Lstat(folder); err != nil {
		return nil, ErrNoSession
	}
	if err := private(folder); err != nil {
		return nil, fmt.Errorf("look for sessions: %w", err)
	}
	var mu sync.Mutex
	var answers []Answer
	var wait sync.WaitGroup
	for path, pid := range sockets(folder) {
		wait.Go(func() {
			answer, err := ask(ctx, path, request)
			if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT) {
				return // left behind by a session that was killed
			}
			if err != nil {
				answer = Answer{Error: fmt.Sprintf("ask session %d: %v", pid, err), Hint: "type /reload in that session"}
			}
			answer.PID = pid
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, answer)
		})
	}
	wait.Wait()
	if len(answers) == 0 {
		return nil, ErrNoSession
	}
	slices.SortFunc(answers, func(a, b Answer) int { return cmp.Compare(a.PID, b.PID) })
	return answers, nil
}

func ask(ctx context.Context, path string, request Request) (Answer, error) {
	var answer Answer
	dialed, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return answer, err
	}
	defer dialed.Close()
	defer context.AfterFunc(ctx, func() { dialed.Close() })()
	connection, ok := dialed.(*net.UnixConn)
	if !ok {
		return answer, fmt.Errorf("%s is no socket", path)
	}
	if err := sameUser(connection); err != nil {
		return answer, err
	}
	if err := json.NewEncoder(connection).Encode(request); err != nil {
		return answer, err
	}
	err = read(connection, maxAnswer, &answer)
	if ctx.Err() != nil {
		return answer, context.Cause(ctx)
	}
	return answer, err
}
