package main

import (
	"encoding/json"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/sdktest"
)

func TestConformance(t *testing.T) {
	sdktest.Run(t, newProvider(), sdktest.Options{
		Inputs: map[string]json.RawMessage{"count": json.RawMessage(`{"path":"sample.txt"}`)},
	})
}
