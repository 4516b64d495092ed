package host

import (
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/pool"
)

// doubt adds overrides that no tool of the provider is met by to the findings of
// the last load, and returns those that were not there. They are no error: the
// tools of a server may come and go.
func (h *Host) doubt(declared config.Plugin, unmet []pool.Unmet) config.Diagnostics {
	var news config.Diagnostics
	for _, u := range unmet {
		d := config.Diagnostic{
			Severity: config.Warning,
			Summary:  fmt.Sprintf("Plugin %q has no tool %q", declared.Name, u.Name),
			Detail:   "What its tools attribute says of it has no effect.",
		}
		if strings.Contains(u.Name, "*") {
			d.Summary = fmt.Sprintf("Plugin %q has no tool like %q", declared.Name, u.Name)
		}
		if u.Near != "" {
			d.Detail += fmt.Sprintf(" Did you mean %q?", u.Near)
		}
		if place := declared.Source(); place != "" {
			d.Detail += fmt.Sprintf(" It is declared at %s.", place)
		}
		if h.find(d) {
			news = append(news, d)
		}
	}
	return news
}
