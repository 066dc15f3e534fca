import { type authFactors, Fault } from '@millrace/contract'
import { clientOf, deliveryOf, respondSignedIn, respondTokens } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import { type HandlersFor, type RequestContext, withPreparation } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { callerOf } from './caller.ts'
import type { Factors, NewAuthenticator } from './factor-service.ts'
import type { StepUp } from './step-up.ts'

export interface FactorHandlerDeps {
  readonly factors: Factors
  readonly stepUp: StepUp
  readonly cookie: SessionCookie
}

/** Handlers of second factors and the step-up. */
export function factorHandlers({ factors, stepUp, cookie }: FactorHandlerDeps): HandlersFor<typeof authFactors> {
  // Before the transaction, since preparing the queue takes a second connection.
  const prepare = () => factors.prepare()
  return {
    async mfaStatus(ctx) {
      const {
        factors: active,
        required,
        totpSince,
        phone,
        phoneIsFactor,
        recoveryCodes,
        passkeys,
      } = await factors.status(ctx.tx, ctx.accountId, ctx.userId)
      return {
        enabled: active.length > 0,
        required,
        totp: totpSince === undefined ? null : { since: totpSince.toISOString() },
        phone: phone === undefined ? null : { hint: phone.slice(-2), secondFactor: phoneIsFactor },
        recoveryCodes,
        passkeys,
      }
    },
    async mfaSetup(ctx) {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return await authenticatorView(await factors.begin(ctx.tx, ctx.accountId, ctx.userId))
    },
    mfaVerifySetup: withPreparation(prepare, async (ctx, { body }) => {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      const { recoveryCodes, sessionsEnded } = await factors.finish(ctx.tx, callerOf(ctx), body.code)
      return { enabled: true, recoveryCodes: [...recoveryCodes], sessionsEnded }
    }),
    mfaRecoveryCodes: withPreparation(prepare, async (ctx) => {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return { recoveryCodes: [...(await factors.renewRecoveryCodes(ctx.tx, callerOf(ctx)))] }
    }),
    mfaDelete: withPreparation(prepare, async (ctx) => {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return { disabled: true, sessionsEnded: await factors.remove(ctx.tx, callerOf(ctx)) }
    }),
    async mfaPolicy(ctx, { body }) {
      await factors.setPolicy(ctx.tx, ctx.accountId, ctx.userId, body.required)
      ctx.audit({ target: toTypeId('acct', ctx.accountId), details: { required: body.required } })
      return { required: body.required }
    },
    async mfaEnroll(ctx) {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return await authenticatorView(await factors.enroll(ctx.accountId, challengeOf(ctx)))
    },
    async mfaEnrollVerify(ctx, { body }) {
      await factors.prepare()
      const { recoveryCodes, ...signedIn } = await factors.finishEnrollment(ctx.accountId, challengeOf(ctx), body.code, clientOf(ctx))
      return respondSignedIn(ctx, signedIn, cookie, { recoveryCodes: [...recoveryCodes] })
    },
    async mfaVerify(ctx, { body: { code, recoveryCode, request, passkey } }) {
      const signedIn = await factors.answer(ctx.accountId, challengeOf(ctx), { code, recoveryCode, request, passkey }, clientOf(ctx))
      return respondSignedIn(ctx, signedIn, cookie, {})
    },
    async stepUp(ctx, { body: { password, code, recoveryCode, passkey, session } }) {
      const { jti } = ctx
      if (jti === undefined) throw new Error('an operation of account security was called without a session')
      const subject = { userId: ctx.userId, sessionId: jti }
      const given = { password, code, recoveryCode, passkey }
      const { authenticatedAt, method, tokens } = await stepUp(ctx.accountId, subject, given, clientOf(ctx))
      ctx.audit({ target: toTypeId('ses', tokens.sessionId), details: { replaces: toTypeId('ses', jti) } })
      return respondTokens(tokens, deliveryOf({ session }), cookie, { authenticatedAt: authenticatedAt.toISOString(), method })
    },
  }
}

async function authenticatorView({ secret, uri }: NewAuthenticator) {
  const { renderSVG } = await import('uqr')
  return { secret, uri, qr: renderSVG(uri) }
}

/** A session has nothing to finish: only the challenge of a sign-in is the credential of these operations. */
function challengeOf({ principal }: RequestContext): string {
  if (principal?.challengeId !== undefined) return principal.challengeId
  throw new Fault('forbidden', {
    detail: 'Send the `challenge` of a sign-in as the credential. When signed in, use `/api/v1/auth/mfa/setup`.',
  })
}
