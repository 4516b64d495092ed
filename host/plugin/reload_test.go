package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/trust"
)

const (
	reloads      = 500
	shortReloads = 25
	callers      = 16
	// crashEvery reloads, one provider is killed.
	crashEvery = 10
	// pause of a caller between two calls, without which the calls would take
	// all of the machine from the reloads.
	pause = time.Millisecond
)

// TestReloadsUnderLoadFailNoCall replaces a provider over and over while calls
// run, beside another one that is killed now and then. Only calls of the killed
// one may fail, and only because it died.
func TestReloadsUnderLoadFailNoCall(t *testing.T) {
	count := reloads
	if testing.Short() {
		count = shortReloads
	}
	leaveNothing(t)
	spec := wordsSpec(t)
	s, killed := newTest(t, spec, Options{}), newTest(t, spec, Options{})
	ctx, stop := context.WithCancel(t.Context())
	load := startLoad(ctx, s, killed)

	replace := func(s *Supervisor, i int) {
		spec := spec
		spec.Env = map[string]string{"GENERATION": strconv.Itoa(i)}
		if replaced, err := s.Replace(t.Context(), spec); !replaced || err != nil {
			t.Fatalf("reload %d: %v, %v", i, replaced, err)
		}
	}
	var before footprint
	var heap uint64
	for i := range count {
		replace(s, i)
		if i%crashEvery == 0 {
			lease, err := killed.Lease(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(lease.generation.process.pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			lease.Release()
			replace(killed, i) // or it would be disabled
		}
		if i == shortReloads-1 {
			before, heap = measure(t), heapInUse()
		}
	}
	after, heapAfter := measure(t), heapInUse()
	stop()
	load.done.Wait()

	t.Logf("%d reloads, %d calls, %d of them of a killed process, longest call %s", count, load.calls.Load(), load.killed.Load(), time.Duration(load.longest.Load()))
	if err := load.failed.Load(); err != nil {
		t.Errorf("a call failed: %v", *err)
	}
	// What is under way at the one moment may not be at the other: a generation
	// that drains, another that starts.
	if after.descriptors > before.descriptors+8*callers || len(after.descendants) > len(before.descendants)+4 {
		t.Errorf("in the end there are %d descriptors and %d processes, after a few reloads there were %d and %d",
			after.descriptors, len(after.descendants), before.descriptors, len(before.descendants))
	}
	if heapAfter > heap+16<<20 {
		t.Errorf("in the end %d bytes are in use, after a few reloads it were %d", heapAfter, heap)
	}
}

// load is calls that go on until their context ends.
type load struct {
	done    sync.WaitGroup
	calls   atomic.Int64
	killed  atomic.Int64 // calls whose process was killed
	longest atomic.Int64 // nanoseconds
	failed  atomic.Pointer[error]
}

func startLoad(ctx context.Context, steady, killed *Supervisor) *load {
	l := &load{}
	for i := range callers {
		s := steady
		if i == 0 {
			s = killed
		}
		l.done.Go(func() {
			for ; ctx.Err() == nil; time.Sleep(pause) {
				start := time.Now()
				err := callOnce(s)
				took := time.Since(start).Nanoseconds()
				for longest := l.longest.Load(); s == steady && took > longest && !l.longest.CompareAndSwap(longest, took); {
					longest = l.longest.Load()
				}
				l.calls.Add(1)
				var exit *ExitError
				switch {
				case err == nil:
				case s == killed && errors.As(err, &exit) && exit.Signal == syscall.SIGKILL:
					l.killed.Add(1)
				default:
					l.failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	return l
}

// callOnce counts the words of a file. It does not end with the test's context:
// a call that was begun is to succeed.
func callOnce(s *Supervisor) error {
	l, err := s.Lease(context.Background())
	if err != nil {
		return err
	}
	defer l.Release()
	result, err := l.Call(context.Background(), CallRequest{CallID: "call", Tool: "count", Input: json.RawMessage(`{"path":"text"}`)}, quietHandler{})
	if err == nil && result.IsError {
		err = errors.New(result.Content[0].Text)
	}
	return err
}

// wordsSpec runs examples/words, which is built without the race detector: that
// makes a start many times slower.
func wordsSpec(t testing.TB) Spec {
	t.Helper()
	program := filepath.Join(t.TempDir(), "words")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..", "examples", "words")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the example: %v\n%s", err, output)
	}
	workspace := t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "text"), []byte("grüß dich\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Spec{Name: "words", Kind: "plugin", Program: trust.Own(program), Workspace: workspace}
}

func heapInUse() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse
}
