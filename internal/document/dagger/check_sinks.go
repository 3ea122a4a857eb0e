// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"strings"
)

// sinks checks the group of the sink, and warns of those of others.
func (c *checker) sinks(root node) {
	sink := root.word(atSink, "")
	if sink == "" || c.faulty(root.at(atSink)) {
		return
	}
	for _, one := range [][2]string{{"influx", atInflux}, {"kafka", atKafka}, {"bigquery", atBigQuery}} {
		name, attribute := one[0], one[1]
		if name != sink && root.given(attribute) {
			c.unused(root.at(attribute))
			root.warn(attribute, attribute+" has no effect", fmt.Sprintf("The sink is %s.", sink))
		}
	}
	switch sink {
	case "influx":
		c.needed(root, atInflux)
		c.influx(root.inner(atInflux))
	case "kafka":
		c.needed(root, atKafka)
		c.kafkaSink(root.inner(atKafka))
	case "bigquery":
		c.bigQuery(root)
	}
}

// unused drops what was found in a group that has no effect.
func (c *checker) unused(group Path) {
	prefix := group.String() + "."
	kept := c.found[:0]
	for _, finding := range c.found {
		if !strings.HasPrefix(finding.Path.String(), prefix) {
			kept = append(kept, finding)
		}
	}
	c.found = kept
}

// needed refuses a sink whose group is missing as a whole.
func (c *checker) needed(root node, attribute string) {
	if !root.set(attribute) {
		root.refuse(attribute, attribute+" is missing", fmt.Sprintf("The sink %s needs it.", root.word(atSink, "")))
	}
}

func (c *checker) influx(group node) {
	if url, known := group.text("url"); known && url != "" && !web(url) {
		group.refuse("url", fmt.Sprintf("%q is not the address of InfluxDB", url), "It begins with http:// or https://.")
	}
}

// web tells whether it is an address on the web.
func web(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

func (c *checker) kafkaSink(group node) {
	c.brokers(group, "brokers")
	if v := group.v.fields["brokers"]; v.form == list && len(v.items) == 0 {
		group.refuse("brokers", "brokers is empty", "The sink kafka needs them.")
	}
	if group.v.form != object {
		return
	}
	switch group.word("data_type", "PROTO") {
	case "PROTO":
		if !group.set("proto_message") {
			group.refuse("proto_message", "proto_message is missing", "Messages are PROTO unless data_type says JSON, and need their class.")
		}
		if group.given("json_schema") {
			group.warn("json_schema", "json_schema has no effect", "It is for data_type = \"JSON\", and messages are PROTO.")
		}
	case "JSON":
		if !group.set("json_schema") {
			group.refuse("json_schema", "json_schema is missing", "Messages of JSON need it, and the job fails without.")
		}
		for _, attribute := range []string{"proto_message", "proto_key"} {
			if group.given(attribute) {
				group.warn(attribute, attribute+" has no effect", "Messages are JSON.")
				return
			}
		}
	}
}

// bigQuery warns of what Depot needs, whose documentation is not Dagger's.
func (c *checker) bigQuery(root node) {
	group := root.inner(atBigQuery)
	for _, attribute := range []string{"schema_proto_message_class", "google_cloud_project_id", "dataset_name", "table_name"} {
		if !group.set(attribute) {
			group.warn(attribute, attribute+" is not set", "Depot, which writes to BigQuery, has no default for it that works.")
		}
	}
	if group.given("table_partition_key") && group.off("table_partitioning_enable") {
		group.warn("table_partition_key", "table_partition_key has no effect", "It needs table_partitioning_enable = true.")
	}
	if group.given("table_clustering_keys") && group.off("table_clustering_enable") {
		group.warn("table_clustering_keys", "table_clustering_keys has no effect", "It needs table_clustering_enable = true.")
	}
	if registry := root.inner(atRegistry); registry.on("stencil_cache_auto_refresh") {
		registry.warn("stencil_cache_auto_refresh", "The sink does not refresh its schema", "Dagger switches that off for BigQuery, whatever is set: after a change of the schema, restart the job.")
	}
}

func (c *checker) registry(root node) {
	group := root.inner(atRegistry)
	urls := group.v.fields["stencil_urls"]
	switch {
	case group.on("stencil_enable"):
		if !group.set("stencil_urls") || urls.form == list && len(urls.items) == 0 {
			group.refuse("stencil_urls", "stencil_urls is missing", "Stencil is enabled, and Dagger has to know where it is.")
		}
	case group.off("stencil_enable") && group.given("stencil_urls"):
		group.warn("stencil_urls", "stencil_urls has no effect", "Stencil is not enabled: Protobuf classes are looked for on the class path. Set stencil_enable = true.")
	}
	versioned := strings.EqualFold(group.word("stencil_refresh_strategy", ""), "VERSION_BASED_REFRESH")
	texts := group.texts("stencil_urls")
	for i := range urls.items {
		text, known := texts[i]
		at := append(group.at("stencil_urls"), i)
		switch {
		case !known:
		case !web(text):
			c.add(Warned, at, fmt.Sprintf("%q is no address of Stencil", text), "It begins with http:// or https://.")
		case versioned && strings.Contains(text, "/versions/"):
			c.add(Warned, at, "The address has a version, and VERSION_BASED_REFRESH is to look for new ones", "Remove /versions/ and what follows, or use LONG_POLLING.")
		}
	}
	if group.given("stencil_refresh_strategy") && group.off("stencil_cache_auto_refresh") && !c.faulty(group.at("stencil_refresh_strategy")) {
		group.warn("stencil_refresh_strategy", "stencil_refresh_strategy has no effect", "It needs stencil_cache_auto_refresh = true.")
	}
	headers, _ := group.v.fields["stencil_fetch_headers"].shown()
	for _, name := range headers.Names() {
		if value := headers.fields[name]; name == "" || strings.ContainsAny(name, ":,") || value.form == scalar && strings.ContainsAny(value.text, ":,") {
			// Neither a name nor a value of a secret is repeated.
			group.refuse("stencil_fetch_headers", "A header has a colon or a comma in it", "Dagger separates headers with them, and would drop it without a word.")
			return
		}
	}
}
