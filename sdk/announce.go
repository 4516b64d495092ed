package sdk

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolcrib/toolcrib/sdk/mtls"
)

// hostCertEnv is where go-plugin's clients put the certificate of the host.
const hostCertEnv = "PLUGIN_CLIENT_CERT"

// secure returns what serves the host by a certificate of ours, and adds that to
// the handshake line: go-plugin announces only certificates it made itself, see
// package mtls for why they are not used. It returns nil when the host has none.
func secure() (func() (*tls.Config, error), error) {
	hostPEM := os.Getenv(hostCertEnv)
	if hostPEM == "" {
		return nil, nil
	}
	own, err := mtls.NewCertificate()
	if err != nil {
		return nil, err
	}
	config, err := mtls.Server(own, []byte(hostPEM))
	if err != nil {
		return nil, err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("announce certificate: %w", err)
	}
	go announce(reader, os.Stdout, base64.RawStdEncoding.EncodeToString(own.Certificate[0]))
	os.Stdout = writer // until go-plugin has printed the line, and sets another
	return func() (*tls.Config, error) { return config, nil }, nil
}

// announce copies in to out and adds certificate to the handshake line, which
// go-plugin leaves open for it.
func announce(in io.Reader, out io.Writer, certificate string) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		open, isLine := strings.CutSuffix(line, "|grpc|\n")
		if isLine {
			line = open + "|grpc|" + certificate + "\n"
		}
		_, _ = io.WriteString(out, line)
		if isLine || err != nil {
			break
		}
	}
	_, _ = io.Copy(out, lines)
}
