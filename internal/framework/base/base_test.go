// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package base_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
)

func factory(endpoint string, err error, calls *atomic.Int32) func() (*rest.Client, error) {
	return func() (*rest.Client, error) {
		calls.Add(1)
		if err != nil {
			return nil, err
		}
		return rest.New(rest.Config{Endpoint: endpoint})
	}
}

func TestProviderData_MakesAClientOnceAndOnlyWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	var flink, gateway, pravega atomic.Int32
	data := base.NewProviderData("1.0", "me", false, base.Transports{
		Flink: factory("http://flink:8081", nil, &flink), Gateway: factory("http://gateway:8083", nil, &gateway), Pravega: factory("http://pravega:9091", nil, &pravega),
	})
	if flink.Load() != 0 || pravega.Load() != 0 {
		t.Error("a client was made before it was needed")
	}
	first, diagnostics := data.Flink()
	second, _ := data.Flink()
	if diagnostics.HasError() || first != second || first.Endpoint() != "http://flink:8081" {
		t.Errorf("got %v, %v, %v", first, second, diagnostics)
	}
	if !data.PravegaSet() {
		t.Error("no endpoint of Pravega is set")
	}
	if !data.FlinkKnown() || flink.Load() != 1 || pravega.Load() != 1 {
		t.Errorf("%d Flink clients, %d Pravega clients were made", flink.Load(), pravega.Load())
	}
}

func TestProviderData_SaysWhyThereIsNoClient(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want []string
	}{
		"not configured": {base.ErrUnset, []string{"No flink endpoint is configured", "STREAMING_FLINK_ENDPOINT"}},
		"not known yet":  {base.ErrUnknown, []string{"not known yet", "-target"}},
		"not valid":      {errors.New("tls: no certificate"), []string{"not valid", "tls: no certificate"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			data := base.NewProviderData("1.0", "", false, base.Transports{Flink: factory("", test.err, &calls), Gateway: factory("", test.err, &calls), Pravega: factory("", test.err, &calls)})
			if data.FlinkKnown() || data.PravegaKnown() {
				t.Error("a client is known")
			}
			if unset := errors.Is(test.err, base.ErrUnset); data.PravegaSet() == unset {
				t.Errorf("an endpoint is set: %v", !unset)
			}
			_, diagnostics := data.Flink()
			if diagnostics.ErrorsCount() != 1 {
				t.Fatalf("got %v", diagnostics)
			}
			for _, part := range test.want {
				if text := diagnostics[0].Summary() + " " + diagnostics[0].Detail(); !strings.Contains(text, part) {
					t.Errorf("%q does not say %q", text, part)
				}
			}
			if _, diagnostics := data.Pravega(); !diagnostics.HasError() || strings.Contains(diagnostics[0].Summary(), "flink") {
				t.Errorf("got %v", diagnostics)
			}
		})
	}
}

func TestProviderData_NilKnowsNothing(t *testing.T) {
	t.Parallel()
	var data *base.ProviderData
	if data.FlinkKnown() || data.PravegaKnown() || data.PravegaSet() {
		t.Error("nil knows a client")
	}
}

func TestConfigure_TakesProviderDataAndNothingElse(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	data := base.NewProviderData("1.0", "", false, base.Transports{Flink: factory("", nil, &calls), Gateway: factory("", nil, &calls), Pravega: factory("", nil, &calls)})
	for _, test := range []struct {
		value  any
		failed bool
	}{{nil, false}, {data, false}, {"something", true}} {
		var r base.Resource
		var resourceResp resource.ConfigureResponse
		r.Configure(t.Context(), resource.ConfigureRequest{ProviderData: test.value}, &resourceResp)
		var d base.DataSource
		var dataResp datasource.ConfigureResponse
		d.Configure(t.Context(), datasource.ConfigureRequest{ProviderData: test.value}, &dataResp)
		if resourceResp.Diagnostics.HasError() != test.failed || dataResp.Diagnostics.HasError() != test.failed {
			t.Errorf("%v: %v, %v", test.value, resourceResp.Diagnostics, dataResp.Diagnostics)
		}
		if (r.Data == data) != (test.value == data) || (d.Data == data) != (test.value == data) {
			t.Errorf("%v: got %v, %v", test.value, r.Data, d.Data)
		}
	}
}
