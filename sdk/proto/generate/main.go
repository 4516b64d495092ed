// Command generate compiles plugin.proto with the protoc plugins that go.mod
// pins. It stands in for protoc, which no Go module can pin: the compiler is
// bufbuild/protocompile, the generators are the official ones, run by go tool.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const source = "plugin.proto"

var generators = []string{"protoc-gen-go", "protoc-gen-go-grpc"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: generate DIR (the folder of plugin.proto)")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, dir string) error {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{dir}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(ctx, source)
	if err != nil {
		return fmt.Errorf("compile %s: %w", source, err)
	}
	request := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{source},
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile:      withImports(files[0]),
	}
	for _, name := range generators {
		if err := generate(ctx, name, request, dir); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// withImports lists f after everything it imports, the order that protoc
// plugins expect.
func withImports(f protoreflect.FileDescriptor) []*descriptorpb.FileDescriptorProto {
	var all []*descriptorpb.FileDescriptorProto
	for i := range f.Imports().Len() {
		all = append(all, withImports(f.Imports().Get(i).FileDescriptor)...)
	}
	return append(all, protodesc.ToFileDescriptorProto(f))
}

func generate(ctx context.Context, name string, request *pluginpb.CodeGeneratorRequest, dir string) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "tool", name)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	for _, file := range response.File {
		if err := os.WriteFile(filepath.Join(dir, file.GetName()), []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
