import { isIpv6 } from './hosts.ts'

/** An expression of a URI template. */
const EXPRESSION_MAX = 4_096

const noUserInfo = /[^\w.~!$&'()*+,;=:%-]/
const noRegName = /[^\w.~!$&'()*+,;=%-]/
const noPath = /[^\w.~!$&'()*+,;=:@/%-]/
const noQuery = /[^\w.~!$&'()*+,;=:@/?%-]/
const scheme = /^[a-z][a-z0-9+.-]*:/i

/** Whether a text has no character that `other` matches, and percent signs only before two hexadecimal digits. */
export function hasOnly(text: string, other: RegExp): boolean {
  return !other.test(text) && !/%(?![0-9a-f]{2})/i.test(text)
}

/** A URI of RFC 3986. Not one pattern, which would be long and could be slow: the text is cut where it is, and each part searched for forbidden characters. */
export function isUri(text: string): boolean {
  const name = schemeOf(text)
  return name !== '' && isHierarchy(text.slice(name.length), false)
}

export function isUriReference(text: string): boolean {
  const name = schemeOf(text)
  return isHierarchy(text.slice(name.length), name === '')
}

/** An absolute URL as browsers accept it. */
export function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text)
}

/** A template of RFC 6570. */
export function isUriTemplate(text: string): boolean {
  let rest = 0
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', rest)) {
    const close = text.indexOf('}', open)
    if (close === -1 || close - open > EXPRESSION_MAX) return false
    if (!isLiteral(text.slice(rest, open)) || !isExpression(text.slice(open + 1, close))) return false
    rest = close + 1
  }
  return isLiteral(text.slice(rest))
}

function schemeOf(text: string): string {
  return scheme.exec(text)?.[0] ?? ''
}

/** The part after the scheme: authority, path, query and fragment. */
function isHierarchy(text: string, isRelative: boolean): boolean {
  const [beforeFragment, fragment] = cut(text, '#')
  const [beforeQuery, query] = cut(beforeFragment, '?')
  if (!hasOnly(fragment, noQuery) || !hasOnly(query, noQuery)) return false
  if (!beforeQuery.startsWith('//')) return hasOnly(beforeQuery, noPath) && !(isRelative && /^[^/]*:/.test(beforeQuery))
  const slash = beforeQuery.indexOf('/', 2)
  const end = slash === -1 ? beforeQuery.length : slash
  return isAuthority(beforeQuery.slice(2, end)) && hasOnly(beforeQuery.slice(end), noPath)
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  if (at !== -1 && !hasOnly(authority.slice(0, at), noUserInfo)) return false
  const hostAndPort = authority.slice(at + 1)
  if (hostAndPort.startsWith('[')) {
    const end = hostAndPort.indexOf(']')
    return end !== -1 && isLiteralAddress(hostAndPort.slice(1, end)) && isPort(hostAndPort.slice(end + 1))
  }
  const [host, port] = cut(hostAndPort, ':')
  return hasOnly(host, noRegName) && !/\D/.test(port)
}

function isLiteralAddress(address: string): boolean {
  return isIpv6(address) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address.slice(0, 256))
}

function isPort(text: string): boolean {
  return text === '' || (text.startsWith(':') && !/\D/.test(text.slice(1)))
}

function cut(text: string, at: string): readonly [before: string, after: string] {
  const index = text.indexOf(at)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

// oxlint-disable-next-line eslint/no-control-regex -- RFC 6570 leaves control characters out of literals.
const noLiteral = /[\x00-\x20\x7f"'<>\\^`{|}]/

function isLiteral(text: string): boolean {
  return hasOnly(text, noLiteral)
}

function isExpression(text: string): boolean {
  const variables = /^[+#./;?&=,!@|]/.test(text) ? text.slice(1) : text
  return variables.split(',').every(isVariable)
}

function isVariable(text: string): boolean {
  const modifier = /(?::[1-9]\d{0,3}|\*)$/.exec(text.slice(-5))?.[0] ?? ''
  const name = text.slice(0, text.length - modifier.length)
  return hasOnly(name, /[^\w.%]/) && name.split('.').every((part) => part !== '')
}
