package pool_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolcrib/toolcrib/host/pool"
)

func TestPublicName(t *testing.T) {
	long := strings.Repeat("long", 20)
	for name, tc := range map[string]struct {
		kind             pool.OriginKind
		provider, server string
		tool             string
		want             string // a pattern; ~ stands for the hash
	}{
		"a bundled tool has its own name":              {pool.OriginBuiltin, "builtin", "", "Read", "Read"},
		"also when a plugin's activation brings it":    {pool.OriginActivatedBuiltin, "lsp", "", "LSP", "LSP"},
		"a plugin's tool has the plugin's":             {pool.OriginPlugin, "words", "", "count", "words__count"},
		"a plugin's upstream stands between":           {pool.OriginPlugin, "cloud", "eu", "list", "cloud__eu__list"},
		"an MCP tool has its server's":                 {pool.OriginMCP, "bridge", "github", "search", "mcp__github__search"},
		"an MCP provider may be its only server":       {pool.OriginMCP, "github", "", "search", "mcp__github__search"},
		"a tool's own double underscore stays":         {pool.OriginPlugin, "words", "", "a__b", "words__a__b"},
		"other characters are replaced":                {pool.OriginPlugin, "words", "", "größe.x", "words__gr__e_x_~"},
		"a long name is cut":                           {pool.OriginMCP, "b", "github", long, "mcp__github__" + long[:42] + "_~"},
		"a plugin cannot speak for MCP servers":        {pool.OriginPlugin, "mcp", "", "github__x", "mcp-__github__x_~"},
		"a provider cannot contain the separator":      {pool.OriginPlugin, "a__b", "", "c", "a_b__c_~"},
		"nor touch it":                                 {pool.OriginPlugin, "a_", "", "c", "a__c_~"},
		"a provider of no usable character has a sign": {pool.OriginPlugin, "é", "", "c", "x__c_~"},
	} {
		t.Run(name, func(t *testing.T) {
			got := pool.PublicName(pool.Origin{Kind: tc.kind, Provider: tc.provider, Server: tc.server}, tc.tool)
			want := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(tc.want), "~", "[a-z2-7]{8}") + "$")
			if !want.MatchString(got) || len(got) > 64 {
				t.Errorf("got %s (%d), want %s", got, len(got), tc.want)
			}
		})
	}
}

func TestPublicNamesAreUsableAndTellOriginsApart(t *testing.T) {
	usable := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	part := rapid.OneOf(rapid.StringMatching(`[a-b_.]{1,4}`), rapid.StringMatching(`[a-b]{28,33}`), rapid.Just("mcp"))
	type identity struct {
		kind             pool.OriginKind
		provider, server string
		tool             string
	}
	kinds := []pool.OriginKind{pool.OriginPlugin, pool.OriginMCP}
	draw := func(t *rapid.T) (identity, string) {
		id := identity{kind: rapid.SampledFrom(kinds).Draw(t, "kind"), provider: part.Draw(t, "provider"), tool: part.Draw(t, "tool")}
		if id.kind == pool.OriginMCP {
			id.server, id.provider = id.provider, "bridge"
		}
		return id, pool.PublicName(pool.Origin{Kind: id.kind, Provider: id.provider, Server: id.server}, id.tool)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, nameA := draw(t)
		b, nameB := draw(t)
		if !usable.MatchString(nameA) {
			t.Errorf("%+v is named %q", a, nameA)
		}
		if (a == b) != (nameA == nameB) {
			t.Errorf("%+v is %s, %+v is %s", a, nameA, b, nameB)
		}
	})
}
