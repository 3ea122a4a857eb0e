// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
)

// Namesakes are jobs that have not ended, are called as a resource's job, and
// run under an id that the resource never gave.
type Namesakes struct {
	// Own are the ids of those whose marker has this owner and name.
	Own []string
	// Unmarked are the ids of those whose marker cannot be read: they were
	// started by other means, or their program overwrote it.
	Unmarked []string
}

// Namesakes looks for jobs that a start would run beside. Jobs that another
// owner's marker claims are none of them.
func (e *Engine) Namesakes(ctx context.Context, rec Record, name string) (Namesakes, error) {
	var found Namesakes
	jobs, err := e.Client.Jobs(ctx)
	if err != nil {
		return found, err
	}
	for _, job := range jobs {
		called := job.Name == name || rec.JobName != "" && rec.JobName != unnamed && job.Name == rec.JobName
		if !called || job.State.Terminal() || job.ID == rec.JobID || e.GenerationOf(rec.UID, job.ID) > 0 {
			continue
		}
		config, err := e.Client.JobConfig(ctx, job.ID)
		if flink.IsNotFound(err) {
			continue
		}
		if err != nil {
			return found, err
		}
		marker, known := ParseMarker(config.ExecutionConfig.UserConfig)
		switch {
		case !known:
			found.Unmarked = append(found.Unmarked, job.ID)
		case marker.Owner == e.Owner && marker.Name == name:
			found.Own = append(found.Own, job.ID)
		}
	}
	return found, nil
}

// unnamed is how Flink calls a job that nobody named: on 1.14, each whose program
// does not.
const unnamed = "Flink Streaming Job"

// AdviceNamesake is what to do about a job of the same name.
const AdviceNamesake = "Flink lets jobs share a name. If it is this resource's job, started by other means or moved under another id, set adopt_existing = true to take it over, or cancel it first. " +
	"If it is not, nothing is wrong."

// notBeside makes sure that a start runs no job beside one of the same owner
// and name, and tells of one of the same name whose owner is not known. A
// program may overwrite the marker, so that the latter may well be another's.
func (e *Engine) notBeside(ctx context.Context, rec Record, name string) error {
	found, err := e.Namesakes(ctx, rec, name)
	if err != nil {
		return err
	}
	if len(found.Own) > 0 {
		return problemf(ProblemOwner,
			"It has another identity than this resource: it was started through another resource type, or through another spelling of the cluster's endpoint. "+
				"Set adopt_existing = true to take it over, or cancel it, or change the name.", nil,
			"job %s of this owner and name runs already", strings.Join(found.Own, ", "))
	}
	if len(found.Unmarked) > 0 {
		e.warnf("Another job of this name runs", "Job %s is called %q as well, and does not tell who owns it. %s", strings.Join(found.Unmarked, ", "), name, AdviceNamesake)
	}
	return nil
}

// adoptMoved takes over the one job of this name instead of starting a lost
// one again. It leaves the record as it is when there is none.
func (e *Engine) adoptMoved(ctx context.Context, rec Record, u Update) (Record, Update, error) {
	if !u.Policy.Adopt || rec.State != StateLost || u.Want != StateRunning {
		return rec, u, nil
	}
	adopted, g, err := e.adopt(ctx, rec, u.Spec.Name)
	if err != nil || g == nil {
		return rec, u, err
	}
	// Ids that were used stay used.
	adopted.Generation = max(adopted.Generation, rec.Generation)
	adopted.JobName, adopted.RestoredFrom, adopted.LastCheckpoint = u.Spec.Name, "", ""
	if adopted, err = e.refresh(ctx, adopted, u.Spec.Name, true); err != nil {
		return rec, u, err
	}
	restart, inPlace, err := e.differenceOfAdopted(ctx, g, u.Spec)
	if err != nil {
		return rec, u, err
	}
	u.Restart, u.InPlace, u.found = u.Restart || restart, inPlace, true
	u.Policy = withoutRollback(u.Policy)
	return adopted, u, nil
}
