// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

// block reads the attributes of one object, any of which may be null or
// unknown, and remembers whether it met an unknown one.
type block struct {
	values  map[string]attr.Value
	unknown *bool
}

func readBlock(object types.Object, unknown *bool) block {
	*unknown = *unknown || object.IsUnknown()
	return block{values: object.Attributes(), unknown: unknown}
}

// has tells whether an attribute is set, be it to something unknown.
func (b block) has(name string) bool {
	value, ok := b.values[name]
	return ok && !value.IsNull()
}

// get returns a value, nil when it is not set.
func (b block) get(name string) attr.Value {
	if !b.has(name) {
		return nil
	}
	value := b.values[name]
	*b.unknown = *b.unknown || value.IsUnknown()
	return value
}

func (b block) text(name string) string {
	text, _ := b.get(name).(types.String)
	return text.ValueString()
}

// textOr takes the environment for what is not set. An unknown value is set.
func (b block) textOr(name, variable string) string {
	if !b.has(name) {
		return os.Getenv(variable)
	}
	return b.text(name)
}

func (b block) flag(name string) bool {
	flag, _ := b.get(name).(types.Bool)
	return flag.ValueBool()
}

// number is zero for what is not set.
func (b block) number(name string) int {
	number, _ := b.get(name).(types.Int64)
	return int(number.ValueInt64())
}

// duration is zero for what is not set.
func (b block) duration(name string) time.Duration {
	duration, ok := b.get(name).(customtypes.Duration)
	if !ok {
		return 0
	}
	length, _ := duration.Get()
	return length
}

// texts reads a map of strings without its null elements.
func (b block) texts(name string) map[string]string {
	texts := map[string]string{}
	elements, _ := b.get(name).(types.Map)
	for key, element := range elements.Elements() {
		text, ok := element.(types.String)
		*b.unknown = *b.unknown || element.IsUnknown()
		if ok && !text.IsNull() {
			texts[key] = text.ValueString()
		}
	}
	return texts
}

// block reads an object in the object; ok is false when it is not set.
func (b block) block(name string) (inner block, ok bool) {
	object, ok := b.get(name).(types.Object)
	return readBlock(object, b.unknown), ok
}
