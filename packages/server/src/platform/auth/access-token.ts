import { hash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { errors, jwtVerify, type JWTVerifyGetKey, SignJWT } from 'jose'
import * as z from 'zod'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import { createExpiringCache } from './expiring-cache.ts'
import type { SigningKeys } from './signing-keys.ts'

export const accessTokenSeconds = 15 * 60

const algorithm = 'EdDSA'
const tokenType = 'at+jwt'
/** Clocks of the processes of one installation differ by that much at most. */
const toleranceSeconds = 5
const lengthMax = 2048

/** What an access token says: who, and in which session. Role and scopes are looked up, so that a change of them holds at once. */
export interface AccessClaims {
  /** uuid */
  readonly userId: string
  /** uuid; `jti` of the token */
  readonly sessionId: string
}

export interface AccessTokensDeps {
  readonly keys: SigningKeys
  readonly now: () => Date
  /** Of `iss` and `aud` alike: we issue tokens for ourselves alone. */
  readonly issuer: string
  /** Tokens whose signature was checked are remembered until they end; that many at most. */
  readonly rememberedMax?: number
}

/** Issues and verifies access tokens: JWTs after RFC 9068, signed with Ed25519. */
export interface AccessTokens {
  /** Fetches, or makes, the key that signs. After it `issue` asks the database for nothing, and can be called within a transaction. */
  ready(): Promise<void>
  issue(claims: AccessClaims): Promise<string>
  /** What the token says; a Fault when it is not one of ours or has ended. Says nothing of whether its session goes on. */
  verify(token: string): Promise<AccessClaims>
}

/** Exactly what we write: a token with anything else was not made here, whatever its signature. */
const Header = z.strictObject({ alg: z.literal(algorithm), typ: z.literal(tokenType), kid: z.string().min(1).max(128) })
const Payload = z.strictObject({ iss: z.string(), aud: z.string(), sub: z.string(), jti: z.string(), iat: z.int(), exp: z.int() })

export function createAccessTokens(deps: AccessTokensDeps): AccessTokens {
  const { keys, now, issuer, rememberedMax = 50_000 } = deps
  const remembered = createExpiringCache<AccessClaims & { readonly kid: string }>(rememberedMax)

  const keyOf: JWTVerifyGetKey = async ({ kid }) => {
    const key = kid === undefined ? undefined : await keys.find(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  async function verifyAfresh(token: string, digest: string): Promise<AccessClaims> {
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
    if (!header.success || !claims.success) throw new Fault('unauthenticated')
    const userId = fromTypeId('usr', claims.data.sub)
    const sessionId = fromTypeId('ses', claims.data.jti)
    if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated')
    const found = { userId, sessionId, kid: header.data.kid }
    remembered.set(digest, found, (claims.data.exp + toleranceSeconds) * 1000)
    return found
  }

  return {
    async ready() {
      await keys.current()
    },
    async issue({ userId, sessionId }) {
      const { kid, privateKey } = await keys.current()
      const seconds = Math.floor(now().getTime() / 1000)
      return await new SignJWT({
        iss: issuer,
        aud: issuer,
        sub: toTypeId('usr', userId),
        jti: toTypeId('ses', sessionId),
        iat: seconds,
        exp: seconds + accessTokenSeconds,
      })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid })
        .sign(privateKey)
    },
    async verify(token) {
      if (token.length > lengthMax || !isCompact(token)) throw new Fault('unauthenticated')
      // By digest, so that a copy of our memory holds no token.
      const digest = hash('sha256', token, 'base64')
      const known = remembered.get(digest, now().getTime())
      return known !== undefined && keys.holds(known.kid) ? known : await verifyAfresh(token, digest)
    },
  }
}

/** One token has one spelling (RFC 7515, section 2): base64url without padding, and nothing in the bits that the last letter leaves over. */
function isCompact(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function refuse(cause: unknown): never {
  if (cause instanceof errors.JWTExpired) throw new Fault('token_expired', { cause })
  if (cause instanceof errors.JOSEError) throw new Fault('unauthenticated', { cause })
  throw cause
}
