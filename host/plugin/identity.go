package plugin

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"
)

// clientCertEnv is where go-plugin's servers look for the host's certificate.
const clientCertEnv = "PLUGIN_CLIENT_CERT"

// identity is the host's side of one mutually authenticated connection. It takes
// the place of go-plugin's AutoMTLS, from whose servers it cannot be told apart,
// because that takes a curve (P-521) that costs each start some 10 ms, and that
// gRPC in other languages does not speak.
type identity struct {
	certificate []byte // in PEM
	tls         *tls.Config
}

func newIdentity() (*identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	template := &x509.Certificate{
		Subject:      pkix.Name{CommonName: "localhost", Organization: []string{"toolcrib"}},
		DNSNames:     []string{"localhost"},
		SerialNumber: serial,
		// A minute, as clocks may be set back while the process runs; and no
		// end, as nobody can renew it.
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().AddDate(30, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	return &identity{
		certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		tls: &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
			MinVersion:   tls.VersionTLS12,
			ServerName:   "localhost",
			// go-plugin sets RootCAs to what the handshake line announces.
			// Until then there is nobody to trust.
			RootCAs: x509.NewCertPool(),
		},
	}, nil
}
