import { createHmac } from 'node:crypto'
import type { AuthenticationContext } from './authenticator.ts'
import type { TokenSettings } from './token-settings.ts'

export interface ClientProof {
  readonly headers: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
}

/** How the client proves to the token endpoint who it is. Sources: RFC 6749, section 2.3.1; RFC 7523, section 2.2. */
export function proveClient({ client }: TokenSettings, audience: string, ctx: AuthenticationContext): ClientProof {
  const id: Readonly<Record<string, string>> = client.id === undefined ? {} : { client_id: client.id }
  if (client.authentication === 'client_secret_basic') {
    const credentials = `${formEncoded(client.id ?? '')}:${formEncoded(client.secret ?? '')}`
    ctx.mask.add(credentials)
    return { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }, params: {} }
  }
  if (client.authentication === 'client_secret_post') {
    return { headers: {}, params: client.secret === undefined ? id : { ...id, client_secret: client.secret } }
  }
  if (client.authentication === 'none') return { headers: {}, params: id }
  // An assertion that the policy brings is signed already.
  const assertion = client.assertion ?? secretJwt(client.id ?? '', client.secret ?? '', audience, ctx)
  ctx.mask.add(assertion)
  return {
    headers: {},
    params: { ...id, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion: assertion },
  }
}

/** An assertion signed with the client's secret, good for a minute. Source: OpenID Connect Core, section 9. */
function secretJwt(id: string, secret: string, audience: string, ctx: AuthenticationContext): string {
  const issuedAt = Math.floor(ctx.clock() / 1000)
  const claims = { iss: id, sub: id, aud: audience, jti: ctx.randomId(), iat: issuedAt, exp: issuedAt + 60 }
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
