import { createHash } from 'node:crypto'

type Params = Readonly<Record<string, string>>

export interface DigestCredentials {
  readonly username: string
  readonly password: string
}

export interface SignedRequest {
  readonly method: string
  /** The request target: path and query. */
  readonly uri: string
  readonly body: string | Uint8Array
}

export interface NonceUse {
  /** How many requests with this nonce there have been, this one included. */
  readonly count: number
  readonly clientNonce: string
}

/** The value of `Authorization` that answers a digest challenge. Source: RFC 7616, section 3.4. */
export function digestResponse(challenge: Params, credentials: DigestCredentials, request: SignedRequest, use: NonceUse): string {
  const { realm = '', nonce = '', opaque, algorithm } = challenge
  const hash = hashOf(challenge)
  const qop = qopOf(challenge)
  const count = use.count.toString(16).padStart(8, '0')
  const user = hash(`${credentials.username}:${realm}:${credentials.password}`)
  const secret = isSession(challenge) ? hash(`${user}:${nonce}:${use.clientNonce}`) : user
  const target = `${request.method}:${request.uri}`
  const message = hash(qop === 'auth-int' ? `${target}:${hash(request.body)}` : target)
  const middle = qop === undefined ? nonce : `${nonce}:${count}:${use.clientNonce}:${qop}`
  const fields = [
    ...usernameFields(challenge, credentials.username, hash),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${count}`]),
    ...(qop !== undefined || isSession(challenge) ? [`cnonce=${quoted(use.clientNonce)}`] : []),
    `response="${hash(`${secret}:${middle}:${message}`)}"`,
  ]
  return `Digest ${fields.join(', ')}`
}

/** Whether a challenge names an algorithm and a quality of protection that can be answered. */
export function isSupported(challenge: Params): boolean {
  return algorithmOf(challenge) in algorithms && (challenge['qop'] === undefined || qopOf(challenge) !== undefined)
}

/** Higher is better. */
export function strengthOf(challenge: Params): number {
  return Object.keys(algorithms).indexOf(algorithmOf(challenge))
}

type Hash = (data: string | Uint8Array) => string

/** By strength, weakest first, as OpenSSL names them. */
const algorithms: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256', 'sha-512-256': 'sha512-256' }

function algorithmOf(challenge: Params): string {
  return (challenge['algorithm'] ?? 'md5').toLowerCase().replace(/-sess$/, '')
}

function isSession(challenge: Params): boolean {
  return challenge['algorithm']?.toLowerCase().endsWith('-sess') ?? false
}

function hashOf(challenge: Params): Hash {
  const name = algorithms[algorithmOf(challenge)] ?? 'md5'
  return (data) => createHash(name).update(data).digest('hex')
}

/** `auth` where there is a choice; undefined for a challenge of before qop, or one with others only. */
function qopOf(challenge: Params): 'auth' | 'auth-int' | undefined {
  const offered = (challenge['qop'] ?? '').toLowerCase().split(/[\s,]+/)
  if (offered.includes('auth')) return 'auth'
  return offered.includes('auth-int') ? 'auth-int' : undefined
}

function usernameFields(challenge: Params, username: string, hash: Hash): readonly string[] {
  if (challenge['userhash']?.toLowerCase() === 'true') {
    return [`username="${hash(`${username}:${challenge['realm'] ?? ''}`)}"`, 'userhash=true']
  }
  // A quoted string is ASCII. RFC 7616, section 3.4.
  return /^[\x20-\x7e]*$/.test(username)
    ? [`username=${quoted(username)}`]
    : [`username*=UTF-8''${encodeURIComponent(username.toWellFormed())}`]
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`
}
