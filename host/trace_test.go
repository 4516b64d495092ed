package host_test

import (
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/toolcrib/toolcrib/host"
)

func TestEveryStageOfACallHasASpan(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
	h := open(t, func(o *host.Options) { o.Tracer = tracer })
	if _, err := h.invoke("nothing", fields{}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, span := range spans.Ended() {
		names = append(names, strings.TrimPrefix(span.Name(), "toolcrib."))
	}
	want := "resolve validate permission hooks approve run observe review shape persist render invoke"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("spans = %s, want %s", got, want)
	}
}
