/** A mail address with the name of whom it belongs to. */
export interface Mailbox {
  readonly name: string | undefined
  /** `local@domain`, without brackets. */
  readonly address: string
}

// What a quoted local part or a comment could smuggle in has misled parsers often enough; addresses that people have do without both.
const localPart = /^[^\s"(),.:;<>@[\\\]\p{Cc}]+(?:\.[^\s"(),.:;<>@[\\\]\p{Cc}]+)*$/u
const domainPart =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u
const named = /^(?<name>[^<>\p{Cc}]*?)\s*<(?<address>[^<>]*)>$/u

/**
 * Reads `ada@example.com`, `Ada Lovelace <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>`; `undefined` for other text, several
 * addresses in one text included. Source: RFC 5322, section 3.4, without quoted local parts, comments, groups and address literals.
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const { name, address = '' } = named.exec(text.trim())?.groups ?? { address: text.trim() }
  if (!isAddress(address)) return undefined
  if (name === undefined || name === '') return { name: undefined, address }
  const quoted = /^"(?<inside>(?:[^"\\]|\\.)*)"$/.exec(name)?.groups?.['inside']
  if (quoted !== undefined) return { name: quoted.replaceAll(/\\(.)/g, '$1'), address }
  // An unquoted name with a comma or an address is probably a list of addresses.
  return /[",;@]/.test(name) ? undefined : { name, address }
}

/** The domain of an address, in lower case. */
export function domainOf({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(0, at))
  return local.length <= 64 && address.length <= 254 && localPart.test(local) && domainPart.test(address.slice(at + 1))
}
