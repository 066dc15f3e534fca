import { type authPhone, Fault, type Reply } from '@millrace/contract'
import { clientOf, deliveryOf, respondSignIn } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import { callerOf } from '#modules/identity/factors/caller.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { SentCode } from './phone-codes.ts'
import type { Phones } from './phone-service.ts'

/** Handlers of codes by text message. */
export function phoneHandlers(phones: Phones, cookie: SessionCookie): HandlersFor<typeof authPhone> {
  return {
    async phoneEnroll(ctx, { body }) {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return sentView(await phones.enroll(callerOf(ctx), body))
    },
    async phoneEnrollVerify(ctx, { body }) {
      const { number, secondFactor, recoveryCodes, sessionsEnded } = await phones.finishEnrolment(callerOf(ctx), body)
      ctx.audit({ target: toTypeId('usr', ctx.userId), details: { secondFactor } })
      return {
        phone: { hint: number.slice(-2), secondFactor },
        recoveryCodes: recoveryCodes === undefined ? null : [...recoveryCodes],
        sessionsEnded,
      }
    },
    async phoneDelete(ctx) {
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return { removed: true, sessionsEnded: await phones.remove(callerOf(ctx)) }
    },
    async phoneSend(ctx, { body: { number, challenge } }) {
      if (challenge !== undefined && number === undefined) return sentView(await phones.sendFactorCode(challenge, clientOf(ctx)))
      if (number !== undefined && challenge === undefined) return sentView(await phones.sendSignInCode(number, clientOf(ctx)))
      throw new Fault('request_invalid', { errors: [{ pointer: '/number', detail: 'Send either `number` or `challenge`.' }] })
    },
    async phoneVerify(ctx, { body }) {
      const { challenge, request, code } = body
      const given = { request, code }
      const result =
        challenge === undefined
          ? await phones.signIn(given, deliveryOf(body), clientOf(ctx))
          : await phones.finishSignIn(challenge, given, clientOf(ctx))
      return respondSignIn(ctx, result, cookie)
    },
  }
}

function sentView({ request, expiresAt }: SentCode): Reply<typeof authPhone.phoneSend> {
  return { sent: true, request, expiresAt: expiresAt.toISOString() }
}
