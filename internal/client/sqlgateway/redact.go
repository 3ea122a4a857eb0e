// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway

import (
	"regexp"
	"slices"
	"strings"
)

const redacted = "***"

// sensitiveKeys are parts of the names of options whose values Flink itself
// hides where it prints options.
var sensitiveKeys = []string{
	"password", "secret", "token", "apikey", "api-key", "api.key", "account.key", "access-key", "access.key", "private-key",
	"auth-params", "service-key", "basic-auth", "jaas.config", "http-headers", "credential", "passphrase",
}

func sensitive(key string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc(sensitiveKeys, func(part string) bool { return strings.Contains(key, part) })
}

// option is 'key' = 'value' in a statement, and in what Flink repeats of one.
var option = regexp.MustCompile(`'((?:[^']|'')*)'(\s*=\s*)'((?:[^']|'')*)'`)

// userInfo is the password of a URL such as jdbc:postgresql://u:p@host.
var userInfo = regexp.MustCompile(`(://[^\s/:@']*):[^\s/@']+@`)

// scrub removes from a message what may be a secret of the statement: the
// values of options with a telling name, wherever they are repeated.
func scrub(message string, statement Statement) string {
	secrets := map[string]bool{}
	for _, match := range option.FindAllStringSubmatch(statement.SQL, -1) {
		if sensitive(match[1]) {
			secrets[match[3]] = true
			secrets[strings.ReplaceAll(match[3], "''", "'")] = true
		}
	}
	for key, value := range statement.Config {
		if sensitive(key) {
			secrets[value] = true
		}
	}
	return hide(message, secrets)
}

func hide(message string, secrets map[string]bool) string {
	message = option.ReplaceAllStringFunc(message, func(text string) string {
		match := option.FindStringSubmatch(text)
		if !sensitive(match[1]) {
			return text
		}
		return "'" + match[1] + "'" + match[2] + "'" + redacted + "'"
	})
	message = userInfo.ReplaceAllString(message, "$1:"+redacted+"@")
	for secret := range secrets {
		// A secret of some characters would be found in any text.
		if len(secret) >= 4 {
			message = strings.ReplaceAll(message, secret, redacted)
		}
	}
	return message
}
