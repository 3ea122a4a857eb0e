// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkengine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Overview is the part of GET /overview that tells whether jobs can run.
type Overview struct {
	TaskManagers   int    `json:"taskmanagers"`
	SlotsTotal     int    `json:"slots-total"`
	SlotsAvailable int    `json:"slots-available"`
	Version        string `json:"flink-version"`
}

// ReadOverview reads GET /overview.
func ReadOverview(ctx context.Context, endpoint string) (Overview, error) {
	var overview Overview
	err := get(ctx, endpoint+"/overview", &overview)
	return overview, err
}

// JobManagerReady reports whether the JobManager answers.
func JobManagerReady(ctx context.Context, endpoint string) error {
	_, err := ReadOverview(ctx, endpoint)
	return err
}

// TaskManagers returns the addresses of the registered TaskManagers. The list
// may still hold one that was killed a moment ago.
func TaskManagers(ctx context.Context, endpoint string) ([]string, error) {
	var answer struct {
		TaskManagers []struct {
			Path string `json:"path"`
		} `json:"taskmanagers"`
	}
	if err := get(ctx, endpoint+"/taskmanagers", &answer); err != nil {
		return nil, err
	}
	var paths []string
	for _, t := range answer.TaskManagers {
		paths = append(paths, t.Path)
	}
	return paths, nil
}

// TaskManagerReady reports whether a TaskManager is registered that is none of
// the known ones, and slots with it.
func TaskManagerReady(ctx context.Context, endpoint string, known []string) error {
	registered, err := TaskManagers(ctx, endpoint)
	if err != nil {
		return err
	}
	registered = slices.DeleteFunc(registered, func(path string) bool { return slices.Contains(known, path) })
	overview, err := ReadOverview(ctx, endpoint)
	if err != nil {
		return err
	}
	if len(registered) == 0 || overview.SlotsTotal == 0 {
		return fmt.Errorf("no TaskManager is registered at %s", endpoint)
	}
	return nil
}

// GatewayReady reports whether the SQL gateway answers.
func GatewayReady(ctx context.Context, endpoint string) error {
	var answer struct {
		Version string `json:"version"`
	}
	return get(ctx, endpoint+"/info", &answer)
}

var client = &http.Client{Timeout: 5 * time.Second}

func get(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", address, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// SlotsReady reports whether a TaskManager with free slots is registered, so
// that a job can start.
func SlotsReady(ctx context.Context, endpoint string) error {
	overview, err := ReadOverview(ctx, endpoint)
	if err != nil {
		return err
	}
	if overview.TaskManagers == 0 || overview.SlotsAvailable == 0 {
		return fmt.Errorf("%d TaskManagers with %d free slots are registered at %s", overview.TaskManagers, overview.SlotsAvailable, endpoint)
	}
	return nil
}
