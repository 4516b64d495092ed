package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"math"
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
	shortReloads = 50
	// warmReloads is when caches are full, that of go-plugin's and gRPC's buffers
	// above all, and from when on nothing may be added any more.
	warmReloads = 25
	callers     = 16
	// crashEvery reloads, one provider is killed.
	crashEvery = 10
	// heapMargin is by how much live memory may differ after hundreds of further
	// reloads: what maps and pools happen to hold at the moment, seen to be some
	// 20 KiB. To keep as little as 1 KiB of every reload would be twice as much.
	heapMargin = 256 << 10
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
	replace := func(s *Supervisor, i int) {
		spec := spec
		spec.Env = map[string]string{"GENERATION": strconv.Itoa(i)}
		if replaced, err := s.Replace(t.Context(), spec); !replaced || err != nil {
			t.Fatalf("reload %d: %v, %v", i, replaced, err)
		}
	}
	reload := func(from, to int) {
		load := startLoad(t.Context(), s, killed)
		defer load.end(t)
		for i := from; i < to; i++ {
			replace(s, i)
			if i%crashEvery == 0 {
				kill(t, killed)
				replace(killed, i) // or it would be disabled
			}
		}
	}
	reload(0, warmReloads)
	before, heap := settle(t, math.MaxInt), heapInUse()
	reload(warmReloads, count)
	settle(t, before.descriptors)
	heapAfter := heapInUse()

	t.Logf("heap in use: %d KiB after %d reloads, %d KiB after %d", heap>>10, warmReloads, heapAfter>>10, count)
	if heapAfter > heap+heapMargin {
		t.Errorf("in the end %d bytes are in use, after %d reloads it were %d", heapAfter, warmReloads, heap)
	}
}

// settle waits until nothing is under way: of the two providers one process each
// is there, what was replaced has ended, and no more descriptors are open than
// the given number.
func settle(t *testing.T, descriptors int) footprint {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		now := measure(t)
		folders, err := filepath.Glob(filepath.Join(os.TempDir(), "toolcrib-*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(now.descendants) == 2 && len(folders) == 2 && now.descriptors <= descriptors {
			return now
		}
		if time.Now().After(deadline) {
			t.Fatalf("there are still the processes %v, the folders %q, and %d descriptors", now.descendants, folders, now.descriptors)
		}
	}
}

// kill ends the process of a provider as nothing that it can handle would.
func kill(t *testing.T, s *Supervisor) {
	t.Helper()
	l, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if err := syscall.Kill(l.generation.process.pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

// load is calls that go on until it is ended.
type load struct {
	stop    context.CancelFunc
	done    sync.WaitGroup
	calls   atomic.Int64
	killed  atomic.Int64 // calls whose process was killed
	longest atomic.Int64 // nanoseconds
	failed  atomic.Pointer[error]
}

func startLoad(ctx context.Context, steady, killed *Supervisor) *load {
	ctx, stop := context.WithCancel(ctx)
	l := &load{stop: stop}
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

// end waits for the last calls, and fails the test if one failed that should not.
func (l *load) end(t *testing.T) {
	t.Helper()
	l.stop()
	l.done.Wait()
	t.Logf("%d calls, %d of them of a killed process, longest call %s", l.calls.Load(), l.killed.Load(), time.Duration(l.longest.Load()))
	if err := l.failed.Load(); err != nil {
		t.Errorf("a call failed: %v", *err)
	}
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

// heapInUse is the memory of live objects. What finalizers and pools hold is only
// free after a second collection.
func heapInUse() uint64 {
	var stats runtime.MemStats
	for range 2 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
