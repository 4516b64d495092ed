package mtls

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"
)

func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	c, err := NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// connected returns the ends of a connection. Those of a net.Pipe would wait for
// each other when both sides write, as where one refuses the other.
func connected(t *testing.T) (near, far net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if near, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close() })
	if far, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

func TestOnlyTheTwoThatWereToldKnowEachOther(t *testing.T) {
	host, provider, stranger := certificate(t), certificate(t), certificate(t)
	for claim, c := range map[string]struct {
		client, server tls.Certificate
		trusted        tls.Certificate // by the client
		works          bool
	}{
		"host and provider":              {host, provider, provider, true},
		"a stranger instead of the host": {stranger, provider, provider, false},
		"a stranger as the provider":     {host, stranger, provider, false},
	} {
		t.Run(claim, func(t *testing.T) {
			serverConfig, err := Server(c.server, PEM(host))
			if err != nil {
				t.Fatal(err)
			}
			clientConfig := Client(c.client)
			leaf, err := x509.ParseCertificate(c.trusted.Certificate[0])
			if err != nil {
				t.Fatal(err)
			}
			clientConfig.RootCAs.AddCert(leaf)

			near, far := connected(t)
			served := make(chan error, 1)
			go func() {
				defer far.Close()
				served <- tls.Server(far, serverConfig).Handshake()
			}()
			client := tls.Client(near, clientConfig)
			clientErr := client.Handshake()
			if clientErr == nil { // in TLS 1.3 the client is done before it is judged
				go func() { _, _ = client.Read(make([]byte, 1)) }()
			} else {
				near.Close()
			}
			if err := <-served; (err == nil && clientErr == nil) != c.works {
				t.Errorf("client: %v, server: %v", clientErr, err)
			}
		})
	}
}

func TestHostWithoutACertificateIsRefused(t *testing.T) {
	if _, err := Server(certificate(t), []byte("no PEM")); err == nil {
		t.Error("what is no certificate was taken for one")
	}
}
