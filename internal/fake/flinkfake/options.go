// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"strconv"
	"strings"
	"time"
)

// Option sets something up before the server starts.
type Option func(*settings)

type settings struct {
	version        version
	slots          int
	adaptive       bool
	savepointDir   string
	checkpointDir  string
	noWebSubmit    bool
	startDelay     time.Duration
	savepointDelay time.Duration
	stopDelay      time.Duration
	slotTimeout    time.Duration
	jobExpiry      time.Duration
	triggerExpiry  time.Duration
	refresh        time.Duration
	clock          func() time.Time
	conf           map[string]string
	flinkConfYAML  bool
}

func defaults() settings {
	return settings{
		version:        parseVersion("2.3.0"),
		slots:          8,
		savepointDir:   "file:/fake/savepoints",
		checkpointDir:  "file:/fake/checkpoints",
		startDelay:     5 * time.Millisecond,
		savepointDelay: 5 * time.Millisecond,
		stopDelay:      5 * time.Millisecond,
		slotTimeout:    200 * time.Millisecond,
		refresh:        20 * time.Millisecond,
		jobExpiry:      time.Hour,
		triggerExpiry:  5 * time.Minute,
		clock:          time.Now,
		conf:           map[string]string{},
	}
}

// Version chooses the engine's version, "2.3.0" if not given. Known differences are those of 2.x, 1.15 to 1.20, and 1.14.
func Version(v string) Option { return func(s *settings) { s.version = parseVersion(v) } }

// Slots sets the number of task slots, 8 if not given.
func Slots(n int) Option { return func(s *settings) { s.slots = n } }

// Scheduler is "Default" or "Adaptive".
func Scheduler(name string) Option {
	return func(s *settings) { s.adaptive = strings.EqualFold(name, "Adaptive") }
}

// SavepointDir sets the cluster's own savepoint directory; "" means that it has none.
func SavepointDir(dir string) Option { return func(s *settings) { s.savepointDir = dir } }

// CheckpointDir sets the cluster's own checkpoint directory; "" keeps checkpoints in the JobManager's memory.
func CheckpointDir(dir string) Option { return func(s *settings) { s.checkpointDir = dir } }

// NoWebSubmit switches web.submit.enable off.
func NoWebSubmit() Option { return func(s *settings) { s.noWebSubmit = true } }

// StartDelay is how long vertices take from CREATED to RUNNING, 5 ms if not given.
func StartDelay(d time.Duration) Option { return func(s *settings) { s.startDelay = d } }

// SavepointDelay is how long a savepoint takes, 5 ms if not given.
func SavepointDelay(d time.Duration) Option { return func(s *settings) { s.savepointDelay = d } }

// StopDelay is how long a job still says RUNNING when its stop has completed, and CANCELLING after a cancel, 5 ms
// if not given.
func StopDelay(d time.Duration) Option { return func(s *settings) { s.stopDelay = d } }

// SlotTimeout is how long a job may wait for slots that do not come, RUNNING with its tasks SCHEDULED: 200 ms if not
// given, as measured, but five minutes on a standalone cluster that is itself younger than that.
func SlotTimeout(d time.Duration) Option { return func(s *settings) { s.slotTimeout = d } }

// RefreshInterval is web.refresh-interval: how long what GET /jobs/:id and the routes below it saw of a job is shown
// again, whatever has become of it since. It is 3 s in Flink and 20 ms if not given.
func RefreshInterval(d time.Duration) Option { return func(s *settings) { s.refresh = d } }

// JobStoreExpiry is how long a terminal job is listed, an hour if not given.
func JobStoreExpiry(d time.Duration) Option { return func(s *settings) { s.jobExpiry = d } }

// TriggerExpiry is how long the outcome of a trigger is kept, five minutes if not given.
func TriggerExpiry(d time.Duration) Option { return func(s *settings) { s.triggerExpiry = d } }

// Clock replaces the time that jobs live in. Most tests do better with [Server.Advance].
func Clock(now func() time.Time) Option { return func(s *settings) { s.clock = now } }

// Conf sets a key of the cluster's configuration.
func Conf(key, value string) Option { return func(s *settings) { s.conf[key] = value } }

// version is a Flink version, compared by its first two numbers.
type version struct {
	text         string
	major, minor int
}

func parseVersion(s string) version {
	v := version{text: s}
	parts := strings.Split(s, ".")
	v.major, _ = strconv.Atoi(parts[0])
	if len(parts) > 1 {
		v.minor, _ = strconv.Atoi(parts[1])
	}
	return v
}

func (v version) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

// applications tells whether the version knows applications (2.3 and later).
func (v version) applications() bool { return v.atLeast(2, 3) }

// strict tells whether unknown fields of a request are refused, which also means that there is no
// flinkConfiguration, no claimMode and no trigger id of the client's choice.
func (v version) strict() bool { return !v.atLeast(1, 15) }
