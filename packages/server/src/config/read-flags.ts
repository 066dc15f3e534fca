import { isLoopback } from '#platform/net/loopback.ts'
import { type Flag, flagNames } from './flags.ts'
import { integer, listOf, oneOf } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

export interface FlagSettings {
  /** `undefined` when the operator sets none: then a flag is on when its parts are configured. */
  readonly flags: ReadonlySet<Flag> | undefined
  /** A server of OFREP that evaluates the flags; `undefined` without one. */
  readonly flagProvider: FlagProviderSettings | undefined
}

export interface FlagProviderSettings {
  /** Without a trailing slash. */
  readonly url: string
  readonly token: Secret | undefined
  /** How long a value is used before it is evaluated again. */
  readonly refreshMs: number
}

/** Reads the settings of the flags of the API. */
export function readFlags(reader: Reader): FlagSettings {
  const flags = reader.optional('MILLRACE_FLAGS', listOf(oneOf(flagNames)))
  const url = reader.optional('MILLRACE_FLAGS_URL', serverUrl)
  const token = reader.secret('MILLRACE_FLAGS_TOKEN', 'MILLRACE_FLAGS_TOKEN_FILE', String)
  const refreshMs = reader.read('MILLRACE_FLAGS_SECONDS', integer(1, 3600), 30) * 1000
  if (url !== undefined && token !== undefined && !isPrivate(url))
    reader.fault('MILLRACE_FLAGS_TOKEN', 'would be sent without encryption. Write MILLRACE_FLAGS_URL with https, or unset the token.')
  return {
    flags: flags === undefined ? undefined : new Set(flags),
    flagProvider: url === undefined ? undefined : { url, token: token === undefined ? undefined : new Secret(token), refreshMs },
  }
}

function serverUrl(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '')
    return text.replace(/\/+$/, '')
  throw new Mistake(
    'is not the URL of a server. Write for example http://localhost:8016, without the path /ofrep/v1; a token goes into MILLRACE_FLAGS_TOKEN.',
  )
}

/** HTTPS, or HTTP to this machine. */
function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopback(hostname)
}
