// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// identity is a certificate with its key, as PEM and ready for a server.
type identity struct {
	cert, key string
	pair      tls.Certificate
	parsed    *x509.Certificate
	signer    *ecdsa.PrivateKey
}

// issue makes a certificate, signed by the issuer or, without one, an authority.
func issue(t *testing.T, issuer *identity, change func(*x509.Certificate)) *identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "test"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := template, key
	if issuer == nil {
		template.IsCA, template.BasicConstraintsValid = true, true
		template.KeyUsage |= x509.KeyUsageCertSign
	} else {
		parent, signer = issuer.parsed, issuer.signer
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	made := &identity{
		cert:   string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		key:    string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})),
		signer: key,
	}
	if made.parsed, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	if made.pair, err = tls.X509KeyPair([]byte(made.cert), []byte(made.key)); err != nil {
		t.Fatal(err)
	}
	return made
}

func forName(name string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.DNSNames = []string{name} }
}

// secureServer serves with a certificate, and counts what comes through.
func secureServer(t *testing.T, server *identity, clients *identity) (string, *answers) {
	t.Helper()
	handler := &answers{}
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = nil
	s.TLS = &tls.Config{Certificates: []tls.Certificate{server.pair}, MinVersion: tls.VersionTLS12}
	if clients != nil {
		s.TLS.ClientAuth = tls.RequireAndVerifyClientCert
		s.TLS.ClientCAs = x509.NewCertPool()
		s.TLS.ClientCAs.AddCert(clients.parsed)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL, handler
}

func TestTLS_C38_C83_WithAPrivateAuthority(t *testing.T) {
	t.Parallel()
	authority := issue(t, nil, nil)
	stranger := issue(t, nil, nil)
	fits := issue(t, authority, func(c *x509.Certificate) { c.IPAddresses = loopback() })
	otherName := issue(t, authority, forName("flink.internal"))
	expired := issue(t, authority, func(c *x509.Certificate) {
		c.IPAddresses, c.NotAfter = loopback(), time.Now().Add(-time.Minute)
	})
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(authority.cert), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		server *identity
		tls    rest.TLS
		want   string // part of the error; "" for success
	}{
		"authority as text":          {fits, rest.TLS{CAPEM: authority.cert}, ""},
		"authority as a file":        {fits, rest.TLS{CAFile: file}, ""},
		"among several":              {fits, rest.TLS{CAPEM: stranger.cert + "\n" + authority.cert}, ""},
		"not known":                  {fits, rest.TLS{}, "certificate"},
		"another one":                {fits, rest.TLS{CAPEM: stranger.cert}, "unknown authority"},
		"other name in certificate":  {otherName, rest.TLS{CAPEM: authority.cert}, "127.0.0.1"},
		"server_name says the name":  {otherName, rest.TLS{CAPEM: authority.cert, ServerName: "flink.internal"}, ""},
		"server_name is wrong":       {otherName, rest.TLS{CAPEM: authority.cert, ServerName: "other.internal"}, "other.internal"},
		"expired":                    {expired, rest.TLS{CAPEM: authority.cert}, "expired"},
		"unchecked, as asked for":    {expired, rest.TLS{InsecureSkipVerify: true}, ""},
		"unchecked, other authority": {fits, rest.TLS{CAPEM: stranger.cert, InsecureSkipVerify: true}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, handler := secureServer(t, test.server, nil)
			_, err := newClient(t, rest.Config{Endpoint: endpoint, TLS: test.tls}).Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"x"}})
			checkHandshake(t, err, test.want, handler)
		})
	}
}

// checkHandshake checks that a refused handshake is told as one: nothing was
// sent, and it is not tried again.
func checkHandshake(t *testing.T, err error, want string, handler *answers) {
	t.Helper()
	if want == "" {
		if err != nil || handler.requests() != 1 {
			t.Errorf("got %v after %d requests", err, handler.requests())
		}
		return
	}
	transport, ok := errors.AsType[*rest.TransportError](err)
	if !ok || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want an error with %q", err, want)
	}
	if !transport.TLS || !transport.NotSent || rest.OutcomeUnknown(err) || handler.requests() != 0 {
		t.Errorf("not told as a refused handshake: %#v, %d requests came through", transport, handler.requests())
	}
}

func TestTLS_C38_WithAClientCertificate(t *testing.T) {
	t.Parallel()
	authority, stranger := issue(t, nil, nil), issue(t, nil, nil)
	server := issue(t, authority, func(c *x509.Certificate) { c.IPAddresses = loopback() })
	client, foreign := issue(t, authority, nil), issue(t, stranger, nil)
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "c.pem"), filepath.Join(dir, "k.pem")
	for file, content := range map[string]string{certFile: client.cert, keyFile: client.key} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		tls  rest.TLS
		want string
	}{
		"as text":         {rest.TLS{ClientCertPEM: client.cert, ClientKeyPEM: client.key}, ""},
		"as files":        {rest.TLS{ClientCertFile: certFile, ClientKeyFile: keyFile}, ""},
		"text and file":   {rest.TLS{ClientCertPEM: client.cert, ClientKeyFile: keyFile}, ""},
		"none":            {rest.TLS{}, "certificate required"},
		"of someone else": {rest.TLS{ClientCertPEM: foreign.cert, ClientKeyPEM: foreign.key}, "certificate"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, handler := secureServer(t, server, authority)
			test.tls.CAPEM = authority.cert
			_, err := newClient(t, rest.Config{Endpoint: endpoint, TLS: test.tls}).Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"x"}})
			checkHandshake(t, err, test.want, handler)
		})
	}
}

func TestTLS_RefusesSettingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	one, other := issue(t, nil, nil), issue(t, nil, nil)
	missing := filepath.Join(t.TempDir(), "missing.pem")
	tests := map[string]struct {
		tls  rest.TLS
		want string
	}{
		"authority twice":         {rest.TLS{CAPEM: one.cert, CAFile: missing}, "ca_pem and ca_file exclude each other"},
		"certificate twice":       {rest.TLS{ClientCertPEM: one.cert, ClientCertFile: missing}, "client_cert_pem and client_cert_file"},
		"key twice":               {rest.TLS{ClientKeyPEM: one.key, ClientKeyFile: missing}, "client_key_pem and client_key_file"},
		"file that is not there":  {rest.TLS{CAFile: missing}, "ca_file"},
		"authority that is none":  {rest.TLS{CAPEM: "hunter2"}, "no PEM certificate"},
		"certificate without key": {rest.TLS{ClientCertPEM: one.cert}, "needs both"},
		"key without certificate": {rest.TLS{ClientKeyPEM: one.key}, "needs both"},
		"key of another":          {rest.TLS{ClientCertPEM: one.cert, ClientKeyPEM: other.key}, "do not fit"},
		"key that is none":        {rest.TLS{ClientCertPEM: one.cert, ClientKeyPEM: "hunter2"}, "do not fit"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := rest.New(rest.Config{Endpoint: "https://flink", TLS: test.tls})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), one.key) {
				t.Errorf("the error repeats a secret: %v", err)
			}
		})
	}
}

func TestTLS_PlainHTTPOnATLSPortIsNotSent(t *testing.T) {
	t.Parallel()
	endpoint, handler := secureServer(t, issue(t, nil, func(c *x509.Certificate) { c.IPAddresses = loopback() }), nil)
	plain := strings.Replace(endpoint, "https:", "http:", 1)
	err := newClient(t, rest.Config{Endpoint: plain}).Get(t.Context(), nil, "x")
	if rest.StatusOf(err) != http.StatusBadRequest || handler.requests() != 0 {
		t.Errorf("got %v", err)
	}
}

func TestTLS_OnAPlainPortIsNotSent(t *testing.T) {
	t.Parallel()
	handler := &answers{}
	server := httptest.NewServer(handler)
	defer server.Close()
	secure := strings.Replace(server.URL, "http:", "https:", 1)
	_, err := newClient(t, rest.Config{Endpoint: secure}).Do(t.Context(), rest.Request{Method: http.MethodPost, Path: []string{"x"}})
	checkHandshake(t, err, "server gave HTTP response to HTTPS client", handler)
}
