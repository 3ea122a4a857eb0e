// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/ports"
)

// User is an account of a server that asks for passwords.
type User struct {
	Name     string `json:"name"`
	Password string `json:"password"`
	// Rights are in Pravega's own words.
	Rights string `json:"rights"`
}

// The names of the users that a secure server knows.
const (
	// UserAdmin may do everything.
	UserAdmin = "admin"
	// UserReader may read everything and change nothing.
	UserReader = "reader"
	// UserOfScope may do everything in ScopeOfUser and nothing outside of it.
	UserOfScope = "scoped"
	// UserOfList may list scopes and see ScopeOfUser itself, and nothing in it.
	UserOfList = "lister"
	// UserOfEmptyList may list scopes and see none of them.
	UserOfEmptyList = "blind"
	// UserWithout may do nothing.
	UserWithout = "nobody"
)

// ScopeOfUser is the scope of UserOfScope.
const ScopeOfUser = "scoped"

// Secure is what a server with TLS and passwords needs, in a directory of its
// own.
type Secure struct {
	dir   string
	Users []User
}

// CAFile is the authority that signed the server's certificate.
func (s *Secure) CAFile() string { return filepath.Join(s.dir, "ca.crt") }

// storePassword is fixed in the code of standalone Pravega, for the store that
// ZooKeeper trusts.
const storePassword = "1111_aaaa"

// Accounts are users with passwords that nobody has used before, the admin
// first.
func Accounts() []User {
	const all, own = "prn::*", "prn::/scope:" + ScopeOfUser
	users := []User{
		{Name: UserAdmin, Rights: all + ",READ_UPDATE;"},
		{Name: UserReader, Rights: all + ",READ;"},
		{Name: UserOfScope, Rights: own + ",READ_UPDATE;" + own + "/*,READ_UPDATE;"},
		{Name: UserOfList, Rights: "prn::/,READ;" + own + ",READ;"},
		{Name: UserOfEmptyList, Rights: "prn::/,READ;"},
		{Name: UserWithout},
	}
	for i := range users {
		users[i].Password = rand.Text()
	}
	return users
}

// MakeSecure makes an authority, a certificate for loopback and the accounts.
func MakeSecure(ctx context.Context, home, dir string, jdk javabuild.JDK) (*Secure, error) {
	secure := &Secure{dir: dir, Users: Accounts()}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := secure.certify(); err != nil {
		return nil, err
	}
	if err := os.WriteFile(secure.file("password"), []byte(storePassword), 0o600); err != nil {
		return nil, err
	}
	_, path, err := clientPrograms(home)
	if err != nil {
		return nil, err
	}
	args := []string{"-classpath", path, "streaming.engine.Accounts", dir, storePassword}
	for _, user := range secure.Users {
		args = append(args, user.Name, user.Password, user.Rights)
	}
	if output, err := exec.CommandContext(ctx, jdk.Java, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("making key stores and accounts: %w\n%s", err, output)
	}
	return secure, nil
}

func (s *Secure) file(name string) string { return filepath.Join(s.dir, name) }

// certify writes the authority's certificate, and the server's with its key.
func (s *Secure) certify() error {
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.ParseIP(ports.Host)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	authorityKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	serverKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		return err
	}
	write := func(name, kind string, der []byte) error {
		return os.WriteFile(s.file(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
	}
	return errors.Join(
		write("ca.crt", "CERTIFICATE", authorityDER),
		write("server.crt", "CERTIFICATE", serverDER),
		write("server.key", "PRIVATE KEY", keyDER),
	)
}

// settings are the server's properties, without the prefix that all have.
func (s *Secure) settings() map[string]string {
	return map[string]string{
		"security.auth.enable":                             "true",
		"security.auth.credentials.username":               s.Users[0].Name,
		"security.auth.credentials.pwd":                    s.Users[0].Password,
		"security.auth.pwdAuthHandler.accountsDb.location": s.file("accounts"),
		"security.tls.enable":                              "true",
		"security.tls.privateKey.location":                 s.file("server.key"),
		"security.tls.certificate.location":                s.file("server.crt"),
		"security.tls.keyStore.location":                   s.file("server.jks"),
		"security.tls.keyStore.pwd.location":               s.file("password"),
		"security.tls.trustStore.location":                 s.file("trust.jks"),
	}
}
