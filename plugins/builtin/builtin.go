// Package builtin is the bundled provider of the tools that every coding agent
// needs: Read, Edit and Bash. It is served out of process like any other
// provider and knows nothing of the host.
//
// Which paths and commands are allowed is the host's policy. The tools only see
// to it that what they say they act on is what they act on.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/sdk"
)

const (
	defaultTimeout    = 2 * time.Minute
	defaultMaxTimeout = 10 * time.Minute
	// defaultMaxBytes is what one Read shows; about 16,000 tokens of code.
	defaultMaxBytes = 64 << 10
	minMaxBytes     = 1 << 10
	maxMaxBytes     = 4 << 20
)

// config is the config block of the provider.
type config struct {
	Bash *bashConfig `json:"bash,omitempty" jsonschema:"settings of the Bash tool"`
	Read *readConfig `json:"read,omitempty" jsonschema:"settings of the Read tool"`
}

type bashConfig struct {
	Timeout    string `json:"timeout,omitempty" jsonschema:"how long a command may run when the call does not say, as 90s or 2m; 2m by default"`
	MaxTimeout string `json:"max_timeout,omitempty" jsonschema:"the longest timeout that a call may ask for; 10m by default"`
}

type readConfig struct {
	MaxBytes int `json:"max_bytes,omitempty" jsonschema:"how many bytes of a file one call shows; 65536 by default"`
}

// New returns the provider. Its tools are offered once it is configured, since
// they need to know the workspace.
func New(version string) *sdk.Provider {
	return &sdk.Provider{Name: "builtin", Version: version, Config: sdk.NewConfig(configure)}
}

func configure(_ context.Context, env sdk.Environment, c config) ([]sdk.Tool, error) {
	limits, err := c.limits()
	if err != nil {
		return nil, err
	}
	files := newFolder(env.Workspace)
	return []sdk.Tool{
		newRead(files, limits.maxBytes),
		newEdit(files),
		newBash(files, limits),
	}, nil
}

// limits are the settings with their defaults.
type limits struct {
	timeout, maxTimeout time.Duration
	maxBytes            int
}

func (c config) limits() (limits, error) {
	l := limits{timeout: defaultTimeout, maxTimeout: defaultMaxTimeout, maxBytes: defaultMaxBytes}
	var faults []error
	if c.Bash != nil {
		faults = append(faults,
			parseDuration(&l.timeout, c.Bash.Timeout, "timeout"),
			parseDuration(&l.maxTimeout, c.Bash.MaxTimeout, "max_timeout"))
		switch {
		case c.Bash.MaxTimeout == "":
			l.maxTimeout = max(l.maxTimeout, l.timeout)
		case c.Bash.Timeout == "":
			l.timeout = min(l.timeout, l.maxTimeout)
		case l.timeout > l.maxTimeout:
			faults = append(faults, &sdk.ConfigError{
				Path:    []string{"bash", "timeout"},
				Summary: "timeout is longer than max_timeout",
				Detail:  fmt.Sprintf("Raise max_timeout to at least %s, or lower timeout to at most %s.", l.timeout, l.maxTimeout),
			})
		}
	}
	if c.Read != nil && c.Read.MaxBytes != 0 {
		l.maxBytes = c.Read.MaxBytes
		if l.maxBytes < minMaxBytes || l.maxBytes > maxMaxBytes {
			faults = append(faults, &sdk.ConfigError{
				Path:    []string{"read", "max_bytes"},
				Summary: fmt.Sprintf("max_bytes must be from %d to %d", minMaxBytes, maxMaxBytes),
			})
		}
	}
	return l, errors.Join(faults...)
}

// parseDuration sets d to what text says, unless it is empty.
func parseDuration(d *time.Duration, text, attribute string) error {
	if text == "" {
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed < time.Second {
		return &sdk.ConfigError{
			Path:    []string{"bash", attribute},
			Summary: fmt.Sprintf("%s must be a duration of at least 1s", attribute),
			Detail:  fmt.Sprintf("%q is not one. Write it as 90s, 2m or 1h30m.", text),
		}
	}
	*d = parsed
	return nil
}
