import { createHash } from 'node:crypto'
import type { JsonObject } from '#core/json.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { type Challenge, parseChallenges } from './challenge.ts'
import type { DigestSession } from './credential-cache.ts'
import { digestResponse, isSupported, strengthOf } from './digest-response.ts'
import { requiredText } from './policy-text.ts'

/**
 * HTTP Digest: the first request goes without credentials, the challenge is answered, and its nonce serves later calls to the same
 * origin until the server calls it stale. Source: RFC 7616.
 */
export function digestAuthenticator(policy: JsonObject, ctx: AuthenticationContext): Authenticator {
  const username = requiredText(policy, 'digest', 'username')
  const password = requiredText(policy, 'digest', 'password')
  ctx.mask.add(password)
  const sessions = ctx.credentials.digests
  const keyOf = (call: PreparedCall): string =>
    createHash('sha256')
      .update(JSON.stringify([call.url.origin, username, password]))
      .digest('base64')

  const sign = (call: PreparedCall, session: DigestSession): Readonly<Record<string, string>> => {
    session.uses++
    const { method, url, body } = call
    const signed = { method, uri: `${url.pathname}${url.search}`, body: body ?? '' }
    const use = { count: session.uses, clientNonce: ctx.randomId() }
    return { authorization: digestResponse(session.challenge, { username, password }, signed, use) }
  }
  return {
    authorize: async (call) => {
      const session = sessions.peek(keyOf(call))
      return session === undefined ? {} : sign(call, session)
    },
    reauthorize: async (call, reply) => {
      // After a redirect the challenge speaks of another address than the one that the next attempt would sign.
      if (reply.url !== call.url.href) return undefined
      const challenge = strongest(parseChallenges(reply.headers['www-authenticate'] ?? ''))
      if (challenge === undefined) return undefined
      const known = sessions.peek(keyOf(call))
      // A nonce that is stale comes with another one. The server has seen an answer to this very one: the credentials are wrong.
      if (known?.challenge['nonce'] === challenge['nonce']) return undefined
      const session: DigestSession = { challenge, uses: 0 }
      sessions.put(keyOf(call), { value: session, expiresAtMs: ctx.clock() + sessionMs })
      return sign(call, session)
    },
  }
}

const sessionMs = 10 * 60_000

/** The digest challenge with the best algorithm; throws when there are digest challenges and none of them can be answered. */
function strongest(challenges: readonly Challenge[]): Challenge['params'] | undefined {
  const digests = challenges.filter(({ scheme, params }) => scheme === 'digest' && params['nonce'] !== undefined)
  const [best] = digests.filter(({ params }) => isSupported(params)).toSorted((a, b) => strengthOf(b.params) - strengthOf(a.params))
  if (best === undefined && digests.length > 0) {
    const asked = digests.map(({ params }) => `${params['algorithm'] ?? 'MD5'} with qop ${params['qop'] ?? 'none'}`).join(', ')
    throw new HttpCallError('authentication', `The server asks for a digest that is not supported: ${asked}.`)
  }
  return best?.params
}
