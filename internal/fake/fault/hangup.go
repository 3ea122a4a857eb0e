// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package fault

import (
	"net"
	"net/http"
	"time"
)

// HangUp sends some bytes, maybe none, and resets the connection.
func HangUp(w http.ResponseWriter, some []byte) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if len(some) > 0 {
		_, _ = conn.Write(some)
		// The bytes should arrive before the reset takes the rest of the connection away.
		time.Sleep(2 * time.Millisecond)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
