package policy

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// narrowDomain reads domain:host, where a star stands for labels: at the start
// for one or more, elsewhere for exactly one.
func (r *Rule) narrowDomain(text string) *patternError {
	text = strings.TrimSpace(text)
	offset := len("domain:")
	if text == "" || strings.ContainsAny(text, "/ @?#\\") || strings.Contains(text, "://") {
		return &patternError{offset, "a domain is the name of a host alone", "write it without scheme, port and path, as in WebFetch(domain:example.com)"}
	}
	if text == "*" {
		return nil
	}
	host, ok := normalHost(strings.ReplaceAll(text, "*", "0star0"))
	if !ok {
		return &patternError{offset, fmt.Sprintf("no host is called %q", text), "write a host name, as in WebFetch(domain:example.com)"}
	}
	r.domain = strings.ReplaceAll(host, "0star0", "*")
	return nil
}

// hostOf is the host of a URL or a bare domain, in the form that rules have. ok
// is false for what programs may read in different ways.
func hostOf(value string) (host string, ok bool) {
	if strings.ContainsAny(value, "\\\t\r\n ") {
		return "", false
	}
	if strings.Contains(value, "://") {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" {
			return "", false
		}
		value = u.Hostname()
	} else if name, port, found := strings.Cut(value, ":"); found && strings.Trim(port, "0123456789") == "" {
		value = name
	}
	return normalHost(value)
}

// normalHost lowers the case, drops a final dot, encodes other scripts and reads
// the numeric forms of IPv4 addresses (WHATWG URL, "host parsing").
func normalHost(host string) (string, bool) {
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().String(), true
	}
	if address, numeric, ok := numericHost(host); numeric {
		return address, ok
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		// Names with underscores exist, though not in the standard.
		if strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
			return "", false
		}
		ascii = host
	}
	ascii = strings.ToLower(ascii)
	return ascii, ascii != ""
}

// numericHost reads 127.1, 2130706433 and 0x7f.0.0.1. numeric tells that the
// last label is a number, so that the host is an address or nothing.
func numericHost(host string) (address string, numeric, ok bool) {
	labels := strings.Split(host, ".")
	if _, err := parseIPv4Number(labels[len(labels)-1]); err != nil {
		return "", false, false
	}
	if len(labels) > 4 {
		return "", true, false
	}
	var value uint64
	for i, label := range labels {
		n, err := parseIPv4Number(label)
		if err != nil {
			return "", true, false
		}
		if i < len(labels)-1 {
			if n > 255 {
				return "", true, false
			}
			value |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(labels))) {
			return "", true, false
		}
		value |= n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}).String(), true, true
}

func parseIPv4Number(label string) (uint64, error) {
	lower := strings.ToLower(label)
	switch {
	case strings.HasPrefix(lower, "0x"):
		return strconv.ParseUint(lower[2:], 16, 64)
	case len(label) > 1 && label[0] == '0':
		return strconv.ParseUint(label[1:], 8, 64)
	}
	return strconv.ParseUint(label, 10, 64)
}

// matchDomain tells whether a pattern covers a host. wide lets every star span
// several labels, as it is safer for deny and ask.
func matchDomain(pattern, host string, wide bool) bool {
	rest, leading := strings.CutPrefix(pattern, "*.")
	if !strings.Contains(rest, "*") {
		if leading {
			return strings.HasSuffix(host, "."+rest) && len(host) > len(rest)+1
		}
		return host == pattern
	}
	if wide {
		return matchWildcard(starred(pattern), host)
	}
	want, have := strings.Split(rest, "."), strings.Split(host, ".")
	if leading {
		if len(have) <= len(want) {
			return false
		}
		have = have[len(have)-len(want):]
	}
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if !matchWildcard(starred(want[i]), have[i]) {
			return false
		}
	}
	return true
}
