// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package download fetches a file by URL and lets it through only if its
// content is the expected one.
package download

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Downloader fetches files. The zero value is ready for use.
type Downloader struct {
	// Roots are the authorities to trust; nil means the system's.
	Roots *x509.CertPool
	// Proxy chooses the proxy of a request; nil means what the environment says.
	Proxy func(*http.Request) (*url.URL, error)
	// Stall is how long to wait for the next bytes; zero means a minute.
	Stall time.Duration
	// Pause is the wait before the second try; zero means a second.
	Pause time.Duration
}

const (
	tries        = 3
	maxRedirects = 10
)

// File is a fetched file, which no one else has a name for where the system
// allows that: a killed process leaves nothing behind.
type File struct {
	// SHA256 is the content's hash in lower-case hex.
	SHA256 string
	Size   int64

	file    *os.File
	removed bool
}

// Open returns a reader from the beginning. Several may be open at a time.
func (f *File) Open() (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(f.file, 0, f.Size)), nil
}

// Close removes the file.
func (f *File) Close() error {
	err := f.file.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}

// MismatchError means that another content came than was expected.
type MismatchError struct {
	URL       string
	Want, Got string
	Size      int64
	// Page is true for a page of HTML, which a login or an error handler sends.
	Page bool
}

func (e *MismatchError) Error() string {
	if e.Page {
		return fmt.Sprintf("%s answers with an HTML page of %d bytes instead of the file", e.URL, e.Size)
	}
	return fmt.Sprintf("%s has another content than expected: sha256 %s instead of %s (%d bytes)", e.URL, e.Got, e.Want, e.Size)
}

// StatusError means that the server has no file to give.
type StatusError struct {
	URL    string
	Status int
}

func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s: %d %s", e.URL, e.Status, http.StatusText(e.Status)))
}

// Check tells what is wrong with a URL, without repeating what may be a secret
// in it.
func Check(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		// url.Parse's error repeats its input, which may hold a password.
		return errors.New("not a URL; write it like \"https://host/path/app.jar\"")
	case u.User != nil:
		return errors.New("the URL holds a user name or password, which would be kept in state; use a URL that needs none, or one that is signed for a short time")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("only http and https URLs can be fetched")
	case u.Host == "":
		return errors.New("the URL has no host; write it like \"https://host/path/app.jar\"")
	}
	return nil
}

// Shown is a URL as it may be shown: its query may be a signature.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the URL"
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery != "" {
		return shown.String() + "?..."
	}
	return shown.String()
}

// Fetch copies the file into a temporary one and checks its content. Nothing
// but the URL is sent, and nothing is kept in memory.
func (d *Downloader) Fetch(ctx context.Context, address, want string) (*File, error) {
	if err := Check(address); err != nil {
		return nil, err
	}
	client := d.client()
	defer client.CloseIdleConnections()
	pause := max(d.Pause, 0)
	if pause == 0 {
		pause = time.Second
	}
	for try := 1; ; try++ {
		file, err := d.try(ctx, client, address, want)
		if err == nil || try == tries || !passing(err) {
			return file, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
			pause *= 2
		}
	}
}

func (d *Downloader) client() *http.Client {
	transport := &http.Transport{
		Proxy:       http.ProxyFromEnvironment,
		DialContext: (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		// The bytes as they are stored: a hash of them is what is known.
		DisableCompression:  true,
		TLSHandshakeTimeout: 10 * time.Second,
		TLSClientConfig:     tlsConfig(d.Roots),
	}
	if d.Proxy != nil {
		transport.Proxy = d.Proxy
	}
	return &http.Client{Transport: transport, CheckRedirect: follow}
}

// errRedirect is a redirect that must not be followed.
var errRedirect = errors.New("redirect not followed")

// follow goes on to another host too, but tells it nothing of the way there:
// the earlier URL's query may be a signature.
func follow(req *http.Request, via []*http.Request) error {
	req.Header.Del("Referer")
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d of them", errRedirect, maxRedirects)
	case req.URL.Scheme != "https" && req.URL.Scheme != "http":
		return fmt.Errorf("%w: it leads to a URL of the scheme %q", errRedirect, req.URL.Scheme)
	case req.URL.Scheme == "http" && via[0].URL.Scheme == "https":
		return fmt.Errorf("%w: it leads from https to http", errRedirect)
	case req.URL.User != nil:
		return fmt.Errorf("%w: it leads to a URL with a password", errRedirect)
	}
	return nil
}

// passing tells whether another try may help.
func passing(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch status.Status {
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusTooManyRequests:
			return true
		}
		return false
	}
	_, broken := errors.AsType[*transferError](err)
	return broken && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errRedirect)
}

// transferError means that no whole answer came.
type transferError struct {
	url string
	err error
}

func (e *transferError) Error() string { return e.url + ": " + e.err.Error() }
func (e *transferError) Unwrap() error { return e.err }

// errStalled ends a transfer that brings nothing any more.
var errStalled = errors.New("no data came for too long")

func (d *Downloader) try(ctx context.Context, client *http.Client, address, want string) (*File, error) {
	shown := Shown(address)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := d.Stall
	if stall <= 0 {
		stall = time.Minute
	}
	watch := time.AfterFunc(stall, func() { cancel(errStalled) })
	defer watch.Stop()
	broken := func(err error) error {
		// net/http's wrapper repeats the URL with its query.
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		if cause := context.Cause(ctx); errors.Is(cause, errStalled) {
			err = cause
		}
		return &transferError{url: shown, err: err}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("not a URL that can be fetched")
	}
	request.Header.Set("User-Agent", "terraform-provider-streaming")
	response, err := client.Do(request)
	if err != nil {
		return nil, broken(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, &StatusError{URL: shown, Status: response.StatusCode}
	}
	file, err := create()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	start := &beginning{}
	body := &watched{reader: response.Body, moved: func() { watch.Reset(stall) }}
	file.Size, err = io.Copy(io.MultiWriter(diskWriter{file.file}, h, start), body)
	file.SHA256 = hex.EncodeToString(h.Sum(nil))
	switch _, disk := errors.AsType[*diskError](err); {
	case disk:
	case err != nil:
		err = broken(err)
	case file.SHA256 != want:
		err = &MismatchError{
			URL: shown, Want: want, Got: file.SHA256, Size: file.Size,
			Page: start.page() || strings.Contains(response.Header.Get("Content-Type"), "html"),
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
