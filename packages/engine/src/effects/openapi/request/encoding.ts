/** Percent-encodes everything but RFC 3986's unreserved characters. Lone surrogates become U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, hex)
}

/**
 * Leaves reserved characters as they are, and triplets that are encoded already; for `allowReserved`.
 *
 * `#`, `&` and `+` are encoded all the same: in a query they end the value, or mean something else. Source: RFC 6570, section 3.2.3.
 */
export function encodeLeavingReserved(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/%[\dA-Fa-f]{2}|[^\w.~:/?[\]@!$'()*,;=-]+/g, (part) => (/^%[\dA-Fa-f]{2}$/.test(part) ? part : percentEncode(part)))
}

function hex(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
