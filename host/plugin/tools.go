package plugin

import (
	"time"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// toolsOf takes a tool set as the pool reads it, which gives the tools their
// public names and checks their schemas.
func toolsOf(set *proto.ToolSet) []pool.Tool {
	tools := make([]pool.Tool, len(set.GetTools()))
	for i, t := range set.GetTools() {
		tools[i] = toolOf(t)
	}
	return tools
}

func toolOf(t *proto.Tool) pool.Tool {
	claims := t.GetAnnotations()
	if claims == nil {
		claims = &proto.Annotations{}
	}
	tool := pool.Tool{
		ProviderName: t.GetName(),
		Origin:       pool.Origin{Server: t.GetServer()},
		Title:        t.GetTitle(),
		Description:  t.GetDescription(),
		InputSchema:  t.GetInputSchema(),
		OutputSchema: t.GetOutputSchema(),
		Annotations: pool.Annotations{
			ReadOnly:    claims.ReadOnly,
			Destructive: claims.Destructive,
			Idempotent:  claims.Idempotent,
			OpenWorld:   claims.OpenWorld,
		},
		Plans:           t.GetPlans(),
		MaxResultBytes:  int(t.GetMaxResultBytes()),
		Timeout:         max(t.GetTimeout().AsDuration(), time.Duration(0)),
		SearchHints:     t.GetSearchHints(),
		ExampleQueries:  t.GetExampleQueries(),
		ActivationScope: t.GetActivationScope(),
	}
	switch t.GetLoad() {
	case proto.Load_ALWAYS:
		tool.Load = pool.LoadAlways
	case proto.Load_DEFERRED:
		tool.Load = pool.LoadDeferred
	}
	for _, s := range t.GetSubjects() {
		tool.Subjects = append(tool.Subjects, pool.SubjectField{
			Field: s.GetField(), Kind: pool.SubjectKind(s.GetKind()), Access: pool.Access(s.GetAccess()),
		})
	}
	return tool
}
