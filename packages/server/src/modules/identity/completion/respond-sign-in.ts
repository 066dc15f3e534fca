import type { auth, Reply } from '@millrace/contract'
import type { Client, TokenPair } from '#modules/identity/model.ts'
import { challengeView, signedInView, tokensView } from '#modules/identity/views.ts'
import { type RequestContext, respond, type ResponseWithHeaders } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Delivery } from './challenge-store.ts'
import type { SignInResult } from './complete-sign-in.ts'
import type { SessionCookie } from './session-cookie.ts'

type SignedIn = Extract<SignInResult, { readonly status: 'signed_in' }>

/** Responds with the result of a sign-in, and records it for the audit log. */
export function respondSignIn(
  ctx: RequestContext,
  result: SignInResult,
  cookie: SessionCookie,
): ResponseWithHeaders<Reply<typeof auth.login>> {
  if (result.status === 'signed_in') return respondSignedIn(ctx, result, cookie, {})
  const { accountId, id } = result.user
  ctx.audit({ target: toTypeId('usr', id), accountId, userId: id, details: { status: result.status } })
  return respond<Reply<typeof auth.login>>(challengeView(result), { headers: {} })
}

/** Responds with a new session; its refresh token goes where the caller wants it. @param more further members of the reply. */
export function respondSignedIn<M extends object>(ctx: RequestContext, result: SignedIn, cookie: SessionCookie, more: M) {
  const { user, tokens, delivery } = result
  ctx.audit({ target: toTypeId('ses', tokens.sessionId), accountId: user.accountId, userId: user.id })
  const view: Reply<typeof auth.register> & M = { ...signedInView(result), ...more }
  return delivered(view, tokens, delivery, cookie)
}

/** Responds with the tokens of a session that continues. @param more further members of the reply. */
export function respondTokens<M extends object>(tokens: TokenPair, delivery: Delivery, cookie: SessionCookie, more: M) {
  const view: Reply<typeof auth.refresh> & M = { ...tokensView(tokens), ...more }
  return delivered(view, tokens, delivery, cookie)
}

function delivered<V extends object>(view: V, { refreshToken, refreshExpiresAt }: TokenPair, delivery: Delivery, cookie: SessionCookie) {
  if (delivery === 'body') return respond(view, { headers: {} })
  return respond({ ...view, refreshToken: null }, { headers: { 'set-cookie': cookie.write(refreshToken, refreshExpiresAt) } })
}

export function deliveryOf({ session }: { readonly session?: 'cookie' | 'token' | undefined }): Delivery {
  return session === 'cookie' ? 'cookie' : 'body'
}

export function clientOf({ ip, userAgent }: RequestContext): Client {
  return { ip, userAgent }
}
