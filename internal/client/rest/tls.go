// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// TLS is what to trust and how to identify oneself. Of each pair of a PEM text
// and a file at most one may be set.
type TLS struct {
	CAPEM, CAFile                 string
	ClientCertPEM, ClientCertFile string
	ClientKeyPEM, ClientKeyFile   string
	// ServerName replaces the host name that the certificate is checked for.
	ServerName         string
	InsecureSkipVerify bool
}

func (t TLS) build() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		ServerName: t.ServerName,
		// The user's explicit choice; the provider warns about it.
		InsecureSkipVerify: t.InsecureSkipVerify,
	}
	ca, err := pemOrFile("ca", t.CAPEM, t.CAFile)
	if err != nil {
		return nil, err
	}
	if ca != nil {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(ca) {
			return nil, errors.New("tls: ca_pem or ca_file holds no PEM certificate")
		}
		config.RootCAs = pool
	}
	cert, err := pemOrFile("client_cert", t.ClientCertPEM, t.ClientCertFile)
	if err != nil {
		return nil, err
	}
	key, err := pemOrFile("client_key", t.ClientKeyPEM, t.ClientKeyFile)
	if err != nil {
		return nil, err
	}
	if (cert == nil) != (key == nil) {
		return nil, errors.New("tls: a client certificate needs both client_cert_* and client_key_*")
	}
	if cert != nil {
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("tls: client certificate and key do not fit: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func pemOrFile(name, pem, file string) ([]byte, error) {
	switch {
	case pem != "" && file != "":
		return nil, fmt.Errorf("tls: %s_pem and %s_file exclude each other", name, name)
	case pem != "":
		return []byte(pem), nil
	case file != "":
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("tls: %s_file: %w", name, err)
		}
		return content, nil
	}
	return nil, nil
}
