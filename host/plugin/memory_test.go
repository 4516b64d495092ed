package plugin

import (
	"os"
	"testing"
)

func TestResidentBytesAreThoseOfTheProcess(t *testing.T) {
	got, err := ResidentBytes(os.Getpid())
	if err != nil || got < 1<<20 || got > 16<<30 {
		t.Errorf("the tests use %d bytes, %v", got, err)
	}
	if _, err := ResidentBytes(1 << 30); err == nil {
		t.Error("a process that is not there uses memory")
	}
}
