package host

import (
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/trust"
)

// ConfigError is a configuration with errors. Nothing was started.
type ConfigError struct{ Diagnostics config.Diagnostics }

func (e *ConfigError) Error() string { return "the configuration has errors" }

// Hint says what to do next.
func (e *ConfigError) Hint() string {
	return "correct them; `toolcrib validate` checks without starting anything"
}

// LoadConfig reads the configuration that [Open] would use. It starts nothing.
func LoadConfig(options Options) (*config.Config, config.Diagnostics) {
	return load(withDefaults(options))
}

// EffectivePolicy reads the policy that [Open] would use: without what the person
// has not agreed to, for which request is not nil. It starts nothing. With errors
// in the configuration it is what could be made of the rest.
func EffectivePolicy(options Options) (effective *config.Config, request *trust.Request, diagnostics config.Diagnostics) {
	options = withDefaults(options)
	loaded, diagnostics := load(options)
	agreed := trust.NewStore(options.StateDir).Agree(loaded)
	return agreed.Holds(loaded), agreed.Request(), diagnostics
}

func load(o Options) (*config.Config, config.Diagnostics) {
	names := make([]string, len(o.Bundled))
	for i, b := range o.Bundled {
		names[i] = b.Name
	}
	return config.Load(o.Dir, config.Options{Bundled: names, UserFile: o.UserConfig, Version: o.Version, Set: o.Set, Vars: o.Vars})
}
