// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/download"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// unfitForFileName is what the name of a file on the cluster does without.
var unfitForFileName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// RemoteFileName is the name under which the jar of a URL is uploaded, before
// its content hash is added.
func RemoteFileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "app.jar"
	}
	name := strings.Trim(unfitForFileName.ReplaceAllString(path.Base(u.Path), "_"), "._")
	if name == "" {
		return "app.jar"
	}
	const longest = 100
	return name[max(0, len(name)-longest):]
}

// UploadRemoteJar fetches the jar of a URL and uploads it, unless its content
// is on the cluster already. Nothing is uploaded unless the content is the one
// of the hash. The size is 0 when nothing was fetched.
func UploadRemoteJar(ctx context.Context, client *flink.Client, address, sha, tag string) (id string, file JarFile, uploaded bool, err error) {
	file = JarFile{Path: RemoteFileName(address), SHA256: sha, Tag: tag}
	if sha == "" {
		return "", file, false, problemf(ProblemJar, "Set sha256 to the hash of the jar (sha256sum app.jar): without it nobody could tell whether the URL still leads to the same content. Nothing was sent.", nil,
			"a jar by URL needs its sha256")
	}
	release, err := client.LockUpload(ctx, sha)
	if err != nil {
		return "", file, false, err
	}
	defer release()
	jars, err := client.Jars(ctx)
	if err != nil {
		return "", file, false, err
	}
	if jar := findUpload(jars, file); jar != nil {
		return jar.ID, file, false, nil
	}
	var downloader download.Downloader
	fetched, err := downloader.Fetch(ctx, address, sha)
	if err != nil {
		return "", file, false, remoteProblem(err)
	}
	defer func() { err = errors.Join(err, fetched.Close()) }()
	file.Size = fetched.Size
	id, uploaded, err = sendJar(ctx, client, file, fetched.Open)
	return id, file, uploaded, err
}

// remoteProblem says what to do about a jar that could not be fetched.
func remoteProblem(err error) error {
	advice := "The machine that runs Terraform fetches the jar, not the cluster. Check the url, and that the host can be reached from here, directly or through the proxy of the environment (HTTPS_PROXY, NO_PROXY)."
	var mismatch *download.MismatchError
	var status *download.StatusError
	switch {
	case errors.As(err, &mismatch) && mismatch.Page:
		advice = "A login page or an error page may be in the way: the url must lead to the file itself, without a login."
	case errors.As(err, &mismatch):
		advice = "If the new content is meant, set sha256 to its hash; a url whose content changes (\"latest\", \"SNAPSHOT\") needs that each time. Otherwise find out who changed the file."
	case errors.As(err, &status) && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
		advice = "The server wants credentials, which the provider does not send. Use a URL that is signed for a short time, or fetch the file by other means and set source."
	case errors.As(err, &status) && status.Status == http.StatusNotFound:
		advice = "Check the url: the server knows no such file, or does not show it without credentials."
	case errors.Is(err, context.Canceled):
		advice = ""
	}
	return problemf(ProblemJar, strings.TrimSpace(advice+" Nothing was uploaded."), err, "the jar cannot be fetched")
}
