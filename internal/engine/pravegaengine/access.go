// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"time"
)

// Access is how a server is reached.
type Access struct {
	// Endpoint is the base URL of the REST API, without /v1.
	Endpoint string `json:"endpoint"`
	// ControllerURI is what Pravega clients connect to.
	ControllerURI string `json:"controller_uri"`
	// CAFile is the authority to trust, and Users are who may come in; both are
	// empty for a server that asks for neither.
	CAFile string `json:"ca_file,omitempty"`
	Users  []User `json:"users,omitempty"`
}

// User is an account by its name, nil where there is none.
func (a Access) User(name string) *User {
	for i := range a.Users {
		if a.Users[i].Name == name {
			return &a.Users[i]
		}
	}
	return nil
}

// Ready reports whether the REST API lists scopes. That it answers a ping says
// nothing: the controller behind it may still be down.
func (a Access) Ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Endpoint+"/v1/scopes", http.NoBody)
	if err != nil {
		return err
	}
	if admin := a.User(UserAdmin); admin != nil {
		request.SetBasicAuth(admin.Name, admin.Password)
	}
	client, err := a.HTTPClient()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s/v1/scopes: %s", a.Endpoint, response.Status)
	}
	return nil
}

// HTTPClient trusts the server, and waits for an answer for 5 s.
func (a Access) HTTPClient() (*http.Client, error) {
	transport := &http.Transport{}
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	if a.CAFile == "" {
		return client, nil
	}
	content, err := os.ReadFile(a.CAFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s holds no certificate", a.CAFile)
	}
	transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return client, nil
}
