package sdk

import (
	"strings"
	"testing"
)

func TestCertificateIsAnnouncedInTheHandshakeLine(t *testing.T) {
	for claim, c := range map[string]struct{ printed, want string }{
		"alone":             {"1|1|unix|/s|grpc|\n", "1|1|unix|/s|grpc|CERT\n"},
		"after other lines": {"hello\n1|1|unix|/s|grpc|\n", "hello\n1|1|unix|/s|grpc|CERT\n"},
		"once":              {"1|1|unix|/s|grpc|\nx|grpc|\n", "1|1|unix|/s|grpc|CERT\nx|grpc|\n"},
		"nowhere else":      {"hello", "hello"},
	} {
		t.Run(claim, func(t *testing.T) {
			var out strings.Builder
			announce(strings.NewReader(c.printed), &out, "CERT")
			if out.String() != c.want {
				t.Errorf("out is %q, want %q", out.String(), c.want)
			}
		})
	}
}
