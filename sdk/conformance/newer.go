package conformance

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
	gproto "google.golang.org/protobuf/proto"
)

// newerHost makes every request carry fields that the provider cannot know.
func newerHost() []grpc.DialOption {
	unary := func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
		return invoke(ctx, method, withUnknownFields(request), reply, conn, options...)
	}
	stream := func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
		opened, err := open(ctx, desc, conn, method, options...)
		if err != nil {
			return nil, err
		}
		return newerStream{opened}, nil
	}
	return []grpc.DialOption{grpc.WithUnaryInterceptor(unary), grpc.WithStreamInterceptor(stream)}
}

type newerStream struct{ grpc.ClientStream }

func (s newerStream) SendMsg(m any) error { return s.ClientStream.SendMsg(withUnknownFields(m)) }

// withUnknownFields returns a copy of message with fields of every wire type.
func withUnknownFields(message any) any {
	m, ok := message.(gproto.Message)
	if !ok {
		return message
	}
	m = gproto.Clone(m)
	const first = 1900 // far beyond what plugin.proto has
	var unknown []byte
	unknown = protowire.AppendTag(unknown, first, protowire.VarintType)
	unknown = protowire.AppendVarint(unknown, 1<<63)
	unknown = protowire.AppendTag(unknown, first+1, protowire.Fixed32Type)
	unknown = protowire.AppendFixed32(unknown, 1<<31)
	unknown = protowire.AppendTag(unknown, first+2, protowire.Fixed64Type)
	unknown = protowire.AppendFixed64(unknown, 1<<63)
	unknown = protowire.AppendTag(unknown, first+3, protowire.BytesType)
	unknown = protowire.AppendBytes(unknown, []byte{0xff, 0x00, 0xfe})
	m.ProtoReflect().SetUnknown(unknown)
	return m
}
