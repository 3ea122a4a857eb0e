// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Hash is SHA-256 over each part, preceded by its length in bytes as eight
// bytes big-endian, so that no two lists of parts run into each other. Ids are
// its first sixteen bytes in lower-case hex. It can never change: what an
// interrupted apply began is found again by it.
func Hash(parts ...string) string {
	h := sha256.New()
	var length [8]byte
	for _, part := range parts {
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// UID identifies a job resource for its whole life. The endpoint is the one at
// creation, the name the first one.
func UID(owner, endpoint, resourceType, name string) string {
	return Hash("v1", owner, endpoint, resourceType, name)
}

// JobID is the Flink job id of generation n, which starts at 1.
func JobID(uid string, n int64) string {
	return Hash(uid, strconv.FormatInt(n, 10))
}

// StopTrigger is the id of the k-th attempt, from 1, to stop generation n.
func StopTrigger(uid string, n, k int64) string {
	return Hash(uid, strconv.FormatInt(n, 10), "stop", strconv.FormatInt(k, 10))
}
