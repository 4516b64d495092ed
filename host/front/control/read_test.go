package control

import (
	"bytes"
	"testing"
)

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"command":"reload","provider":"words"}`))
	f.Add([]byte(`{"command":"reload"`))
	f.Add([]byte(`{"command":1}`))
	f.Add(bytes.Repeat([]byte(`[`), maxRequest+1))
	f.Fuzz(func(t *testing.T, data []byte) {
		var request Request
		source := bytes.NewReader(data)
		_ = read(source, maxRequest, &request) // any answer will do
		if taken := len(data) - source.Len(); taken > maxRequest {
			t.Errorf("%d bytes were read", taken)
		}
	})
}
