import { hash, sign } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import type { SigningKeys } from './signing-keys.ts'

export const accessTokenSeconds = 15 * 60

const algorithm = 'EdDSA'
const tokenType = 'at+jwt'
/** Allowed difference between the clocks of the processes of one installation. */
const toleranceSeconds = 5
const lengthMax = 2048
const notIssued = 'The access token is not one that this installation issued. Sign in again, or send an API key.'

/** The claims of an access token. Role and scopes are not among them but read from the database, so that a change applies at once. */
export interface AccessClaims {
  /** uuid */
  readonly userId: string
  /** uuid; `jti` of the token */
  readonly sessionId: string
}

export interface AccessTokensDeps {
  readonly keys: SigningKeys
  readonly now: () => Date
  /** The value of both `iss` and `aud`: tokens are issued and accepted by the same installation. */
  readonly issuer: string
  /** At most this many verified tokens are cached, each until it expires. */
  readonly cachedMax?: number
}

/** Issues and verifies access tokens: JWTs after RFC 9068, signed with Ed25519. */
export interface AccessTokens {
  /** Loads or creates the signing key. After it `issue` needs no connection, and can be called within a transaction. */
  ready(): Promise<void>
  issue(claims: AccessClaims): Promise<string>
  /** Returns the claims of a token; a Fault when it is invalid or expired. Does not check whether its session is active. */
  verify(token: string): Promise<AccessClaims>
}

/** The exact members that `issue` writes: a token with any other was not issued here, whatever its signature. */
const Header = z.strictObject({ alg: z.literal(algorithm), typ: z.literal(tokenType), kid: z.string().min(1).max(128) })
const Payload = z.strictObject({ iss: z.string(), aud: z.string(), sub: z.string(), jti: z.string(), iat: z.int(), exp: z.int() })

/** A token whose signature was verified. */
interface VerifiedToken extends AccessClaims {
  readonly kid: string
  readonly expiresAtMs: number
}

export function createAccessTokens(deps: AccessTokensDeps): AccessTokens {
  const { keys, now, issuer, cachedMax = 50_000 } = deps
  // `max` would allocate the room for all of them at once.
  const verified = new LRUCache<string, VerifiedToken>({ maxSize: cachedMax, sizeCalculation: () => 1 })

  const keyOf: JWTVerifyGetKey = async ({ kid }) => {
    const key = kid === undefined ? undefined : await keys.find(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  async function verifySignature(token: string, digest: string): Promise<AccessClaims> {
    const { protectedHeader, payload } = await jwtVerify(token, keyOf, {
      algorithms: [algorithm],
      typ: tokenType,
      issuer,
      audience: issuer,
      clockTolerance: toleranceSeconds,
      currentDate: now(),
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    }).catch(refuse)
    const header = Header.safeParse(protectedHeader)
    const claims = Payload.safeParse(payload)
    if (!header.success || !claims.success) throw new Fault('unauthenticated', { detail: notIssued })
    const userId = fromTypeId('usr', claims.data.sub)
    const sessionId = fromTypeId('ses', claims.data.jti)
    if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated', { detail: notIssued })
    const verifiedToken = { userId, sessionId, kid: header.data.kid, expiresAtMs: (claims.data.exp + toleranceSeconds) * 1000 }
    verified.set(digest, verifiedToken)
    return verifiedToken
  }

  return {
    async ready() {
      await keys.current()
    },
    async issue({ userId, sessionId }) {
      const { kid, privateKey } = await keys.current()
      const seconds = Math.floor(now().getTime() / 1000)
      const payload = {
        iss: issuer,
        aud: issuer,
        sub: toTypeId('usr', userId),
        jti: toTypeId('ses', sessionId),
        iat: seconds,
        exp: seconds + accessTokenSeconds,
      }
      // Every sign-in and refresh signs one: jose would sign through WebCrypto, which takes three times the processor time.
      const signed = `${encode({ alg: algorithm, typ: tokenType, kid })}.${encode(payload)}`
      return `${signed}.${sign(undefined, Buffer.from(signed), privateKey).toString('base64url')}`
    },
    async verify(token) {
      if (token.length > lengthMax || !isCompact(token)) throw new Fault('unauthenticated', { detail: notIssued })
      // By digest, so that a memory dump contains no token.
      const digest = hash('sha256', token, 'base64')
      const cached = verified.get(digest)
      const isUsable = cached !== undefined && now().getTime() < cached.expiresAtMs && keys.isValid(cached.kid)
      return isUsable ? cached : await verifySignature(token, digest)
    },
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** A token has one canonical encoding (RFC 7515, section 2): base64url without padding, with unused bits of the last character zero. */
function isCompact(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function refuse(cause: unknown): never {
  if (cause instanceof errors.JWTExpired) throw new Fault('token_expired', { cause })
  if (cause instanceof errors.JOSEError) throw new Fault('unauthenticated', { detail: notIssued, cause })
  throw cause
}
