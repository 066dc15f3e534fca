import { type Json, type JsonObject, parseObject } from '#core/json.ts'
import { decodeText } from '#effects/http/content.ts'
import { describeRequest } from '#effects/http/exchange.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { parseRetryAfter } from '#effects/http/retry-after.ts'
import type { Token } from './credential-cache.ts'
import type { Expiring } from './expiring-cache.ts'

/**
 * Reads what a token endpoint answered.
 *
 * Throws an authentication error when it refuses, a communication error with its status when it is out of order, and an authentication
 * error for a token that is not of one of the `issuers`, when there are any. Source: RFC 6749, section 5.
 */
export function readTokenReply(reply: HttpReply, issuers: readonly string[], nowMs: number): Expiring<Token> {
  const subject = describeRequest('POST', reply.url)
  const fields = jsonObject(reply)
  if (reply.status !== 200) throw refusal(subject, reply, fields, nowMs)
  const accessToken = fields?.['access_token']
  if (fields === undefined || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new HttpCallError('communication', `${subject} answered without an access token.`, { status: 502, title: 'Invalid response' })
  }
  const type = fields['token_type']
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw new HttpCallError('authentication', `${subject} gave a token of type ${JSON.stringify(type)}; only bearer tokens are supported.`)
  }
  const claims = jwtClaims(accessToken)
  checkIssuer(subject, [claims, jwtClaims(fields['id_token'])], issuers)
  const refreshToken = typeof fields['refresh_token'] === 'string' ? fields['refresh_token'] : undefined
  return { value: { accessToken, refreshToken }, expiresAtMs: expiryOf(fields['expires_in'], claims, nowMs) }
}

function refusal(subject: string, reply: HttpReply, fields: JsonObject | undefined, nowMs: number): HttpCallError {
  const said = [textOf(fields?.['error']), textOf(fields?.['error_description'])].filter((part) => part !== '').join(': ')
  const detail = `${subject} answered ${reply.status}${said === '' ? '' : ` (${said.slice(0, 500)})`}, so there is no token for the call.`
  if (reply.status === 400 || reply.status === 401 || reply.status === 403) return new HttpCallError('authentication', detail)
  const retryAfterMs = parseRetryAfter(reply.headers['retry-after'], nowMs)
  return new HttpCallError('communication', detail, { status: reply.status, title: 'Token endpoint failed', retryAfterMs })
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function checkIssuer(subject: string, tokens: readonly (JsonObject | undefined)[], issuers: readonly string[]): void {
  if (issuers.length === 0) return
  const found = tokens.map((claims) => claims?.['iss']).find((issuer) => typeof issuer === 'string')
  if (typeof found === 'string' && issuers.includes(found)) return
  const what = typeof found === 'string' ? `of the issuer ${JSON.stringify(found)}` : 'without an issuer'
  throw new HttpCallError('authentication', `${subject} gave a token ${what}; the policy accepts ${issuers.join(', ')}.`)
}

/** The claims of a JWT, unverified: the token came from its server over the connection that was asked for. */
function jwtClaims(token: Json | undefined): JsonObject | undefined {
  const payload = typeof token === 'string' ? /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1] : undefined
  return payload === undefined ? undefined : parseObject(Buffer.from(payload, 'base64url').toString('utf8'))
}

function jsonObject(reply: HttpReply): JsonObject | undefined {
  return parseObject(decodeText(reply.body, undefined))
}

/** Thirty seconds before its end, or a tenth of a short life, a token is renewed, so that it does not die on the way. */
function expiryOf(expiresIn: Json | undefined, claims: JsonObject | undefined, nowMs: number): number {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn
  const expiresAt = claims?.['exp']
  const lifeMs =
    typeof seconds === 'number' && !Number.isNaN(seconds)
      ? seconds * 1000
      : typeof expiresAt === 'number'
        ? expiresAt * 1000 - nowMs
        : lifetimeMsDefault
  return nowMs + lifeMs - Math.min(30_000, lifeMs / 10)
}

/** The lifetime of a token whose response names none; a 401 ends it sooner. */
const lifetimeMsDefault = 5 * 60_000
