// Package sdk is what a plugin author imports: describe tools, serve them.
//
// A provider is a program that calls [Serve] with a [Provider]. Toolcrib starts
// it as a process of its own, configures it from the workspace's config.hcl and
// offers its tools to models and people, under the workspace's policy.
//
//	type Input struct {
//		Text string `json:"text" jsonschema:"the text to count"`
//	}
//
//	type Output struct {
//		Words int `json:"words"`
//	}
//
//	func count(ctx context.Context, call *sdk.Call, in Input) (Output, error) {
//		return Output{Words: len(strings.Fields(in.Text))}, nil
//	}
//
//	func main() {
//		sdk.Serve(&sdk.Provider{
//			Name:    "words",
//			Version: "0.1.0",
//			Tools: []sdk.Tool{
//				sdk.NewTool(sdk.Spec{Name: "count", Description: "Count the words of a text.", ReadOnly: true}, count),
//			},
//		})
//	}
//
// # Schemas
//
// [NewTool] infers the JSON Schemas of input and output from the Go types. The
// jsonschema tag is a field's description; a field without omitempty is
// required. The host validates the input before the tool sees it.
//
// # Optional abilities
//
// A tool may implement [Planner] (say what a call would do, for the approval
// card) and [Interrupter] (be told of a cancellation before its context ends).
// A provider's Observe function is asked about files that other tools changed,
// and its Hooks about events of a session: a call that is about to run, say.
//
// # Standard streams
//
// Standard output belongs to the handshake. Log to standard error: the host
// keeps its tail and shows it with every error of the provider.
package sdk
