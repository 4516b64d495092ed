// Package mtls makes the certificates by which a host and a provider know each
// other. Each makes one for one process and tells the other by a way that nobody
// else can write to: the environment, and the handshake line.
//
// That is what go-plugin calls AutoMTLS, from which it cannot be told apart on the
// other side. Only the curve differs: go-plugin takes P-521, which costs each side
// some 10 ms of every start, and which gRPC in other languages does not speak.
package mtls

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// serverName is the name in all certificates.
const serverName = "localhost"

// NewCertificate makes a key and a certificate for it that stands for itself.
func NewCertificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make certificate: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject:      pkix.Name{CommonName: serverName, Organization: []string{"toolcrib"}},
		DNSNames:     []string{serverName},
		SerialNumber: serial,
		// Valid from before now, as a clock may be set back, and for long, as
		// nobody renews it while the process runs.
		NotBefore:             now.Add(-time.Minute),
		NotAfter:              now.AddDate(30, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// PEM is what the host puts into the environment of a provider.
func PEM(certificate tls.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
}

// keyExchange leaves out what guards records of today's traffic against quantum
// computers of tomorrow. Nobody can record a socket in a private folder, and it
// costs each side of every start half a millisecond.
func keyExchange() []tls.CurveID { return []tls.CurveID{tls.X25519, tls.CurveP256} }

// Client is the host's side. Whom to trust, RootCAs, is set when the provider has
// announced itself; until then it is nobody.
func Client(own tls.Certificate) *tls.Config {
	return &tls.Config{
		Certificates:     []tls.Certificate{own},
		CurvePreferences: keyExchange(),
		MinVersion:       tls.VersionTLS12,
		ServerName:       serverName,
		RootCAs:          x509.NewCertPool(),
	}
}

// Server is the provider's side, which trusts the host of that certificate only.
func Server(own tls.Certificate, hostPEM []byte) (*tls.Config, error) {
	host := x509.NewCertPool()
	if !host.AppendCertsFromPEM(hostPEM) {
		return nil, errors.New("the certificate of the host cannot be read")
	}
	return &tls.Config{
		Certificates:     []tls.Certificate{own},
		ClientAuth:       tls.RequireAndVerifyClientCert,
		ClientCAs:        host,
		CurvePreferences: keyExchange(),
		MinVersion:       tls.VersionTLS12,
	}, nil
}
