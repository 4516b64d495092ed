package plugin

import (
	"math/rand/v2"
	"time"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/pool"
)

// Options are what all providers of a host have in common. The zero value works.
type Options struct {
	HostVersion string
	// Features are what the host can do for a call; see sdk.FeatureHandoff.
	Features []string
	// StartTimeout bounds a start up to the first tools; 0 is 30 s.
	StartTimeout time.Duration
	// StopGrace is the time to finish calls when the provider stops; 0 is 5 s.
	StopGrace time.Duration
	// DrainTimeout bounds how long a replaced generation keeps its calls; 0 is
	// 10 minutes.
	DrainTimeout time.Duration
	// CancelGrace is the time a cancelled call has to give a result; 0 is 5 s.
	CancelGrace time.Duration
	// PlanTimeout bounds the wait for what a call would do; 0 is 30 s.
	PlanTimeout time.Duration
	// ProbeTimeout is the time to answer of a provider that left calls
	// unanswered, before it is killed; 0 is 5 s.
	ProbeTimeout time.Duration

	// Checksums may be shared by the providers of a host; nil is not shared.
	Checksums *executable.Checksums

	// Now is the time and Jitter a random number in [0, 1); the system's when nil.
	Now    func() time.Time
	Jitter func() float64

	// The callbacks, which may be nil, are called one at a time for each
	// provider. They may call Status and Source, and must not wait for anything
	// else of the Supervisor. OnTools and OnStatus are given the latest; of
	// changes in quick succession some are left out.
	OnTools  func(pool.Source)
	OnStatus func(Status)
	// OnFindings is told what a provider found in files after its answer to
	// Observe was pending.
	OnFindings func(Findings)
	// OnCrash is told of every crash.
	OnCrash func(Crash)
	// OnStray is told, once each, the lines that a provider prints on standard
	// output, where they do not belong; after maxStray lines, no more.
	OnStray func(line string)
}

func (o Options) withDefaults() Options {
	standard := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	standard(&o.StartTimeout, 30*time.Second)
	standard(&o.StopGrace, 5*time.Second)
	standard(&o.DrainTimeout, 10*time.Minute)
	standard(&o.CancelGrace, 5*time.Second)
	standard(&o.PlanTimeout, 30*time.Second)
	standard(&o.ProbeTimeout, 5*time.Second)
	if o.Checksums == nil {
		o.Checksums = &executable.Checksums{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	if o.OnTools == nil {
		o.OnTools = func(pool.Source) {}
	}
	if o.OnFindings == nil {
		o.OnFindings = func(Findings) {}
	}
	if o.OnStatus == nil {
		o.OnStatus = func(Status) {}
	}
	if o.OnCrash == nil {
		o.OnCrash = func(Crash) {}
	}
	if o.OnStray == nil {
		o.OnStray = func(string) {}
	}
	return o
}
