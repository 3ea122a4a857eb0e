// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"net/http"

	fakefault "github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

// fault is something that goes wrong with one call.
type fault struct {
	name string
	// executed means that the cluster gets the request.
	executed bool
	// kills means that the provider's process ends there, and nothing is kept.
	kills bool
	// reply is what the client gets; whole is the cluster's answer, nil when
	// it got no request.
	reply func(w http.ResponseWriter, whole *answer)
}

const (
	// election is Flink's own answer while it has no leader; nothing was executed.
	election = `{"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}`
	// gatewayPage is a proxy's answer when the engine did not answer it in time.
	gatewayPage = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n"
)

func nothing(w http.ResponseWriter, _ *answer) { fakefault.HangUp(w, nil) }

func half(w http.ResponseWriter, whole *answer) {
	if whole == nil {
		fakefault.HangUp(w, nil)
		return
	}
	fakefault.HangUp(w, whole.half())
}

func unavailable(w http.ResponseWriter, _ *answer) {
	(&answer{status: http.StatusServiceUnavailable, header: http.Header{"Content-Type": {"application/json; charset=UTF-8"}}, body: []byte(election)}).write(w)
}

func badGateway(w http.ResponseWriter, _ *answer) {
	(&answer{status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}}, body: []byte(gatewayPage)}).write(w)
}

// faults are all that are tried at each call.
var faults = []fault{
	{name: "request never sent", reply: nothing},
	{name: "answer lost", executed: true, reply: nothing},
	{name: "reset mid-body", executed: true, reply: half},
	{name: "503 of Flink", reply: unavailable},
	{name: "502 of a proxy, not executed", reply: badGateway},
	{name: "502 of a proxy, executed", executed: true, reply: badGateway},
	{name: "killed before the call", kills: true, reply: nothing},
	{name: "killed after the call", executed: true, kills: true, reply: nothing},
}
