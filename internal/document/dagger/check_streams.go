// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

func (c *checker) streams(root node) {
	if root.given(atStreams) && root.v.fields[atStreams].form == list && len(root.v.fields[atStreams].items) == 0 {
		root.refuse(atStreams, "There are no streams", "A query needs a stream to read. Add one.")
	}
	seen := map[string]int{}
	for i, stream := range root.each(atStreams) {
		if stream.v.form != object {
			continue
		}
		if table, known := stream.text(atTable); known && table != "" {
			if first, twice := seen[table]; twice {
				stream.refuse(atTable, fmt.Sprintf("Streams %d and %d have the same table %q", first, i, table), "Each stream is a table of its own, and the job fails over the second.")
			} else {
				seen[table] = i
			}
		}
		source := stream.source()
		stream.payload(root, source)
		switch source {
		case KafkaSource, KafkaConsumer:
			stream.void(parquetPrefix, "The source is Kafka.")
			stream.kafka(source)
		case ParquetSource:
			stream.void(kafkaPrefix, "The source is Parquet.")
			stream.parquet(root)
		}
	}
}

// source is the kind of source, empty when it is not known or wrong.
func (n node) source() string {
	if !n.set(atDetails) {
		return KafkaConsumer
	}
	details := n.inner(atDetails)
	name, known := details.text(atSourceName)
	kind, kindKnown := details.text(atSourceType)
	if !known || !kindKnown || n.c.faulty(details.at(atSourceName)) || n.c.faulty(details.at(atSourceType)) {
		return ""
	}
	want := Unbounded
	if name == ParquetSource {
		want = Bounded
	}
	if kind != want {
		why := ""
		if name == KafkaConsumer {
			why = " Its documentation calls this source bounded, and is wrong."
		}
		details.refuse(atSourceType, fmt.Sprintf("%s is always %s", name, want), "Dagger finds no source for another pair, and the job fails."+why)
		return ""
	}
	return name
}

// void warns of options of another kind of source, once.
func (n node) void(prefix, why string) {
	for _, o := range n.options {
		if strings.HasPrefix(o.Attribute, prefix) && n.given(o.Attribute) {
			n.warn(o.Attribute, o.Attribute+" has no effect", why+" Remove what begins with "+prefix+".")
			return
		}
	}
}

// payload checks what messages are.
func (n node) payload(root node, source string) {
	switch n.word(atDatatype, "PROTO") {
	case "PROTO":
		if !n.set(atProtoClass) {
			n.refuse(atProtoClass, atProtoClass+" is missing", "Messages are PROTO unless input_datatype says JSON, and need their class.")
		}
		if !n.set(atFieldIndex) {
			n.refuse(atFieldIndex, atFieldIndex+" is missing", "Dagger fails without the number of the field that has the event time.")
		}
		for _, attribute := range []string{atJSONSchema, atJSONField} {
			if n.given(attribute) {
				n.warn(attribute, attribute+" has no effect", "It is for input_datatype = \"JSON\", and messages are PROTO.")
				return
			}
		}
	case "JSON":
		if source == ParquetSource {
			n.refuse(atDatatype, "Parquet is never JSON", "Dagger has JSON for Kafka alone, and the job fails.")
			return
		}
		n.jsonPayload(root)
	}
}

func (n node) jsonPayload(root node) {
	for _, attribute := range []string{atJSONSchema, atJSONField} {
		if !n.set(attribute) {
			n.refuse(attribute, attribute+" is missing", "Messages of JSON need it.")
		}
	}
	if n.given(atProtoClass) {
		n.warn(atProtoClass, atProtoClass+" has no effect", "Messages are JSON.")
	}
	if name, known := root.text(atRowtime); known && name != "" && name != "rowtime" && !n.c.faulty(root.at(atRowtime)) {
		root.refuse(atRowtime, "The time of a stream of JSON is always rowtime", fmt.Sprintf("It is %q, and Dagger gives the column the name rowtime whatever this says. Set \"rowtime\".", name))
	}
	schema, schemaKnown := n.text(atJSONSchema)
	field, fieldKnown := n.text(atJSONField)
	if !schemaKnown {
		return
	}
	var content struct {
		Properties map[string]any `json:"properties"`
	}
	if err := decode([]byte(schema), &content); err != nil {
		n.refuse(atJSONSchema, "It is no JSON schema", "It has to be a JSON object with properties.")
		return
	}
	if _, there := content.Properties[field]; fieldKnown && !there {
		n.warn(atJSONField, fmt.Sprintf("The schema has no property %q", field), "The field of the event time has to be one of the schema's properties.")
	}
}

var (
	topicName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	// wildDot is a dot that stands for any character, and is not meant to.
	wildDot = regexp.MustCompile(`(^|[^\\\]])\.([^*+?{]|$)`)
)

// kafka checks what a Kafka source needs.
func (n node) kafka(source string) {
	for _, one := range [][2]string{
		{atTopics, "The job would have nothing to read."},
		{atServers, "The job fails for want of bootstrap.servers."},
		{atGroup, "Without a group the job has no offsets of its own."},
	} {
		attribute, why := one[0], one[1]
		if !n.set(attribute) {
			n.refuse(attribute, attribute+" is missing", "A Kafka stream needs it. "+why)
		} else if v := n.v.fields[attribute]; v.form == list && len(v.items) == 0 || v.form == scalar && v.text == "" {
			n.refuse(attribute, attribute+" is empty", "A Kafka stream needs it. "+why)
		}
	}
	n.topics()
	n.c.brokers(n, atServers)
	if source == KafkaSource && !n.set(atOffsetReset) {
		n.refuse(atOffsetReset, atOffsetReset+" is missing", "KAFKA_SOURCE fails without it.")
	}
	if n.on(atAutoCommit) {
		n.warn(atAutoCommit, atAutoCommit+" has no effect", "Dagger makes auto.commit.enable of it, which Kafka does not know any more. Flink commits offsets with each checkpoint.")
	}
	n.security()
	n.additional()
}

func (n node) topics() {
	texts := n.texts(atTopics)
	for i := range len(n.v.fields[atTopics].items) {
		text, known := texts[i]
		at := append(n.at(atTopics), i)
		switch _, err := regexp.Compile(text); {
		case !known:
		case text == "" || strings.TrimSpace(text) != text:
			n.c.add(Refused, at, fmt.Sprintf("%q is not the name of a topic", text), "Names of topics have no blanks, and Dagger keeps those that are written.")
		case unreadable(err):
			n.c.add(Refused, at, fmt.Sprintf("%q is no regular expression", text), "Together, topics are a regular expression of Java, and the job fails over one that cannot be read.")
		case topicName.MatchString(text) && wildDot.MatchString(text):
			n.c.add(Warned, at, fmt.Sprintf("%q may read other topics as well", text),
				fmt.Sprintf("Topics are a regular expression, in which a dot stands for any character. Write %q.", strings.ReplaceAll(text, ".", `\.`)))
		}
	}
}

// unreadable tells whether Java cannot read a regular expression either: it
// knows more than Go does.
func unreadable(err error) bool {
	fault, ok := errors.AsType[*syntax.Error](err)
	return ok && slices.Contains([]syntax.ErrorCode{
		syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket, syntax.ErrMissingRepeatArgument, syntax.ErrTrailingBackslash,
	}, fault.Code)
}

// brokers checks addresses.
func (c *checker) brokers(n node, attribute string) {
	texts := n.texts(attribute)
	for i := range len(n.v.fields[attribute].items) {
		text, known := texts[i]
		if !known || strings.Contains(text, ",") {
			continue
		}
		address := text
		if scheme, rest, found := strings.Cut(text, "://"); found && topicName.MatchString(scheme) {
			address = rest
		}
		host, port, err := net.SplitHostPort(address)
		number, numberErr := strconv.Atoi(port)
		if err != nil || numberErr != nil || host == "" || number < 1 || number > 65535 || strings.TrimSpace(text) != text {
			c.add(Refused, append(n.at(attribute), i), fmt.Sprintf("%q is not the address of a broker", text), "Write host:port. Kafka fails on another.")
		}
	}
}

// jaasForm is one login module with its options; Kafka takes no second one.
var jaasForm = regexp.MustCompile(`^\s*([\w.$]+)\s+(?i:required|requisite|sufficient|optional)(\s+[\w.-]+\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s;"']+))*\s*;\s*$`)

// security checks the login and the encryption of a Kafka source.
func (n node) security() {
	var sasl, ssl string
	for _, o := range n.options {
		switch {
		case !n.given(o.Attribute):
		case strings.HasPrefix(o.Attribute, saslPrefix) && sasl == "":
			sasl = o.Attribute
		case strings.HasPrefix(o.Attribute, sslPrefix) && ssl == "":
			ssl = o.Attribute
		}
	}
	protocol := n.word(atSecurity, "none")
	switch protocol {
	case "none":
		for _, attribute := range []string{sasl, ssl} {
			if attribute != "" {
				n.refuse(atSecurity, "There is a login or encryption, and no source_kafka_security_protocol",
					fmt.Sprintf("Without it Kafka does not look at %s: the job would talk to the brokers in clear and without a login. Set SASL_SSL, SASL_PLAINTEXT or SSL.", attribute))
				break
			}
		}
	case "SSL":
		if sasl != "" {
			n.warn(sasl, sasl+" has no effect", "With source_kafka_security_protocol = \"SSL\" nobody logs in. Set SASL_SSL, or remove it.")
		}
	case "SASL_PLAINTEXT":
		if ssl != "" {
			n.warn(ssl, ssl+" has no effect", "With source_kafka_security_protocol = \"SASL_PLAINTEXT\" nothing is encrypted. Set SASL_SSL, or remove it.")
		}
	}
	if strings.HasPrefix(protocol, "SASL") {
		n.login()
	}
	for _, store := range []string{"keystore", "truststore"} {
		if n.given(sslPrefix+store+"_password") && !n.set(sslPrefix+store+"_location") {
			n.warn(sslPrefix+store+"_password", "There is a password and no "+store, "Kafka does not look at it without "+sslPrefix+store+"_location.")
		}
	}
}

func (n node) login() {
	if !n.set(atMechanism) {
		n.warn(atMechanism, "There is no mechanism of login", "Kafka takes GSSAPI then, which is Kerberos. Set source_kafka_sasl_mechanism.")
	}
	jaas, known := n.text(atJAAS)
	if !known {
		return
	}
	form := jaasForm.FindStringSubmatch(jaas)
	if form == nil {
		n.refuse(atJAAS, "The JAAS configuration cannot be read",
			"Kafka takes a login module, a word such as required, options with their values in double quotes, and a semicolon at the end: org.apache.kafka.common.security.scram.ScramLoginModule required username=\"...\" password=\"...\";")
		return
	}
	mechanism, _ := n.text(atMechanism)
	if plainModule, scramModule := strings.HasSuffix(form[1], ".PlainLoginModule"), strings.HasSuffix(form[1], ".ScramLoginModule"); plainModule && strings.HasPrefix(mechanism, "SCRAM") || scramModule && mechanism == "PLAIN" {
		n.warn(atJAAS, "The login module is not that of "+mechanism, "PLAIN has PlainLoginModule, and SCRAM ScramLoginModule: Kafka finds no credentials in another.")
	}
}

var consumerKey = regexp.MustCompile(`^SOURCE_KAFKA_CONSUMER_CONFIG_+.`)

// additional checks properties of the consumer that are not modelled.
func (n node) additional() {
	v, _ := n.v.fields[atAdditional].shown()
	if n.c.Namespace != GotoCompany {
		return // No effect, and said so.
	}
	for _, key := range v.Names() {
		at := append(n.at(atAdditional), Key(key))
		modelled := slices.IndexFunc(streamOptions, func(o Option) bool { return o.Key == key })
		switch {
		case modelled >= 0:
			n.c.add(Refused, at, key+" has an attribute", "Set "+streamOptions[modelled].Attribute+", and remove this.")
		case !consumerKey.MatchString(key):
			n.c.add(Refused, at, fmt.Sprintf("%q is no key of a consumer's property", key), "Keys begin with SOURCE_KAFKA_CONSUMER_CONFIG_: max.poll.records is SOURCE_KAFKA_CONSUMER_CONFIG_MAX_POLL_RECORDS. The job fails on another.")
		}
	}
}
