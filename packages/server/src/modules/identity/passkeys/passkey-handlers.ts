import type { authPasskeys, Reply } from '@millrace/contract'
import { clientOf, deliveryOf, respondSignIn } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import { callerOf } from '#modules/identity/factors/caller.ts'
import { type HandlersFor, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { PasskeyRequest, Passkeys } from './passkey-service.ts'
import type { Passkey } from './passkey-store.ts'

export function passkeyHandlers(passkeys: Passkeys, cookie: SessionCookie): HandlersFor<typeof authPasskeys> {
  // Before the transaction, since preparing the queue takes a second connection.
  const prepare = () => passkeys.prepare()
  return {
    async passkeys(ctx) {
      return { data: (await passkeys.list(ctx.tx, ctx.accountId, ctx.userId)).map(passkeyView) }
    },
    async passkeyOptions(ctx) {
      return requestView(await passkeys.begin(ctx.tx, callerOf(ctx)))
    },
    passkeyAdd: withPreparation(prepare, async (ctx, { body }) => {
      const passkey = await passkeys.finish(ctx.tx, callerOf(ctx), body)
      ctx.audit({ target: toTypeId('pky', passkey.id) })
      return passkeyView(passkey)
    }),
    passkeyDelete: withPreparation(prepare, async (ctx, { params: { id } }) => {
      ctx.audit({ target: id })
      return { id, deleted: true, sessionsEnded: await passkeys.remove(ctx.tx, callerOf(ctx), idOf('pky', id)) }
    }),
    async passkeySignInOptions() {
      return requestView(await passkeys.ask())
    },
    async passkeySignIn(ctx, { body }) {
      return respondSignIn(ctx, await passkeys.signIn(body.passkey, deliveryOf(body), clientOf(ctx)), cookie)
    },
  }
}

function passkeyView({ id, name, synced, createdAt, lastUsedAt }: Passkey): Reply<typeof authPasskeys.passkeyAdd> {
  return {
    id: toTypeId('pky', id),
    name,
    synced,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

function requestView({ request, expiresAt, options }: PasskeyRequest): Reply<typeof authPasskeys.passkeyOptions> {
  return { request, expiresAt: expiresAt.toISOString(), options: { ...options } }
}
