package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// doubtful is a provider that takes every configuration and warns of it.
type doubtful struct {
	silent
}

func (doubtful) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	return &proto.DescribeResponse{Name: "doubtful", Version: "1", ConfigSchema: []byte(`{"type":"object","properties":{"level":{"type":"integer"}},"additionalProperties":false}`)}, nil
}

func (doubtful) Configure(context.Context, *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	return &proto.ConfigureResponse{Diagnostics: []*proto.Diagnostic{
		{Severity: proto.Diagnostic_WARNING, Path: []string{"level"}, Summary: "The level is high", Detail: "Lower it."},
	}}, nil
}

func (doubtful) Watch(_ *proto.WatchRequest, stream grpc.ServerStreamingServer[proto.WatchResponse]) error {
	if err := stream.Send(&proto.WatchResponse{Event: &proto.WatchResponse_Tools{Tools: &proto.ToolSet{}}}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (doubtful) Stop(context.Context, *proto.StopRequest) (*proto.StopResponse, error) {
	go os.Exit(0)
	return &proto.StopResponse{}, nil
}

func serveDoubtful() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: sdk.Handshake(), VersionedPlugins: sdk.Plugins(doubtful{}),
		GRPCServer: plugin.DefaultGRPCServer, Logger: hclog.NewNullLogger(),
	})
}

// doubted are options of a workspace with the doubtful provider as somebody's
// plugin.
func doubted(t *testing.T, level, tools string) host.Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	options := host.Options{Dir: t.TempDir(), StateDir: t.TempDir(), UserConfig: filepath.Join(t.TempDir(), "user.hcl")}
	text := fmt.Sprintf("plugin \"doubtful\" {\n  command = [%q, \"serve-doubtful\"]\n  tools   = {%s}\n  config {\n    %s\n  }\n}\n", self, tools, level)
	if err := os.WriteFile(options.UserConfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return options
}

func TestVerifyTellsWhatAPluginSaysOfItsConfigBlock(t *testing.T) {
	tests := map[string]struct {
		level, tools string
		severity     config.Severity
		line         int
		summary      string
	}{
		"a warning of the plugin":          {"level = 9", "", config.Warning, 5, "The level is high"},
		"an argument that it has not":      {"levels = 9", "", config.Error, 5, "Unsupported argument"},
		"a value of the wrong type":        {`level = "x"`, "", config.Error, 5, "Wrong type"},
		"an override of no tool at all":    {"", `search = "off"`, config.Warning, 0, `Plugin "doubtful" has no tool "search"`},
		"a warning that stands at no line": {"", "", config.Warning, 4, "The level is high"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found, err := host.Verify(t.Context(), doubted(t, test.level, test.tools))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range found {
				if d.Severity == test.severity && d.Line == test.line && d.Summary == test.summary {
					return
				}
			}
			t.Errorf("findings = %+v, want %s at line %d", found, test.summary, test.line)
		})
	}
}

func TestASessionTellsWhatAPluginWarnsOf(t *testing.T) {
	options := doubted(t, "level = 9", "")
	o := open(t, func(given *host.Options) { given.UserConfig = options.UserConfig })
	for range 2 { // at the start, and after a reload that keeps the process
		if found := o.Diagnostics(); len(found) != 1 || found[0].Summary != "The level is high" || found[0].Line != 5 {
			t.Errorf("diagnostics = %+v, want the warning once", found)
		}
		if _, err := o.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerifyStartsNothingUntrusted(t *testing.T) {
	options := doubted(t, "", "")
	started := filepath.Join(options.Dir, "started")
	for name, text := range map[string]string{
		"config.hcl": "toolcrib {}\nplugin \"x\" {\n  command = [\"./x\"]\n}\n", "x": "#!/bin/sh\n: > started\n",
	} {
		if err := os.WriteFile(filepath.Join(options.Dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	_, err := host.Verify(t.Context(), options)
	var untrusted *host.UntrustedError
	if !errors.As(err, &untrusted) || !strings.Contains(untrusted.Hint(), "toolcrib trust") {
		t.Errorf("err = %v, want one that says how to agree", err)
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("the plugin was started")
	}
}
