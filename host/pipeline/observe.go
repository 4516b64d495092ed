package pipeline

import (
	"context"
	"sync"

	"github.com/toolcrib/toolcrib/host/plugin"
)

// observe shows the files that the call changed to the providers that asked for
// them and adds what they found. A provider that is late or fails adds nothing:
// the change has happened, and its result must not be lost.
func (p *Pipeline) observe(ctx context.Context, c *call) error {
	observers := p.Observers()
	if len(c.result.Files) == 0 || len(observers) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.ObserveTimeout)
	defer cancel()
	found := make([][]plugin.Content, len(observers))
	var wait sync.WaitGroup
	for i, observer := range observers {
		wait.Go(func() {
			lease, err := observer.Lease(ctx)
			if err != nil {
				return
			}
			defer lease.Release()
			observation, err := lease.Observe(ctx, c.ID, c.result.Files, p.ObserveTimeout)
			if err == nil {
				found[i] = observation.Content
			}
		})
	}
	wait.Wait()
	for _, content := range found {
		c.result.Content = append(c.result.Content, content...)
	}
	return nil
}
