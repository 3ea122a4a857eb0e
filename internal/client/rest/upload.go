// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
)

// Upload is one file of known size, opened anew for each try, and streamed.
type Upload struct {
	// Field is the form field, FileName what the server sees.
	Field, FileName string
	Size            int64
	Open            func() (io.ReadCloser, error)
}

// attach makes the file the request's body, with Content-Length: proxies in
// front of Flink refuse or buffer chunked uploads.
func (u *Upload) attach(request *http.Request) error {
	var head bytes.Buffer
	writer := multipart.NewWriter(&head)
	if _, err := writer.CreateFormFile(u.Field, u.FileName); err != nil {
		return fmt.Errorf("make multipart header: %w", err)
	}
	before := head.Len()
	if err := writer.Close(); err != nil {
		return fmt.Errorf("make multipart trailer: %w", err)
	}
	header, trailer := head.Bytes()[:before], head.Bytes()[before:]
	open := func() (io.ReadCloser, error) {
		file, err := u.Open()
		if err != nil {
			return nil, err
		}
		// LimitReader: a file that grew must not break the declared length.
		body := io.MultiReader(bytes.NewReader(header), io.LimitReader(file, u.Size), bytes.NewReader(trailer))
		return struct {
			io.Reader
			io.Closer
		}{body, file}, nil
	}
	body, err := open()
	if err != nil {
		return err
	}
	request.Body, request.GetBody = body, open
	request.ContentLength = int64(len(header)) + u.Size + int64(len(trailer))
	request.Header.Set("Content-Type", writer.FormDataContentType())
	return nil
}
