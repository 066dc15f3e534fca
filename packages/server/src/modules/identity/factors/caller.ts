import { clientOf } from '#modules/identity/completion/respond-sign-in.ts'
import type { RequestContext } from '#platform/http/index.ts'
import type { Caller } from './factor-service.ts'

/** The caller of an operation that changes how they sign in. */
export function callerOf(ctx: RequestContext): Caller {
  return { accountId: ctx.accountId, userId: ctx.userId, sessionId: ctx.jti, client: clientOf(ctx) }
}
