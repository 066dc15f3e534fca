import { type scim, Fault } from '@millrace/contract'
import { lockAccount } from '#modules/identity/providers/provider-store.ts'
import { digestOf } from '#platform/auth/link-token.ts'
import { randomBase62 } from '#platform/auth/base62.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { applyRoles, createScimGroups } from './scim-groups.ts'
import { type ScimServerDeps, servedScim } from './scim-server.ts'
import { deleteScim, findScimSettings, putScimSettings, putScimToken, type ScimSettings } from './scim-settings-store.ts'
import { createScimUsers, type ScimUserDeps } from './scim-users.ts'

export interface ScimParts extends ScimUserDeps, Omit<ScimServerDeps, 'users' | 'groups'> {
  readonly randomBytes: (size: number) => Uint8Array
}

const tokenLength = 43

/** Provisioning by directories: what they call, and its settings. */
export function composeScim(parts: ScimParts) {
  const { origin, now, randomBytes } = parts
  const settingsView = (settings: ScimSettings | undefined) => ({
    enabled: settings !== undefined,
    baseUrl: `${origin}/scim/v2`,
    defaultRole: settings?.defaultRole ?? ('member' as const),
    roles: { ...settings?.roles },
    tokenCreatedAt: settings?.tokenCreatedAt?.toISOString() ?? null,
    tokenUsedAt: settings?.tokenUsedAt?.toISOString() ?? null,
  })
  const handlers: HandlersFor<typeof scim> = {
    async get(ctx) {
      return settingsView(await findScimSettings(ctx.tx, ctx.accountId))
    },
    async put(ctx, { body }) {
      // A group that is changed meanwhile would give its members roles by the former settings.
      await lockAccount(ctx.tx, ctx.accountId)
      const settings = await putScimSettings(ctx.tx, ctx.accountId, body, now())
      await applyRoles(ctx.tx, ctx.accountId)
      ctx.audit({ details: { defaultRole: body.defaultRole, groups: Object.keys(body.roles).length } })
      return settingsView(settings)
    },
    async issueToken(ctx) {
      const token = `msc_${randomBase62(tokenLength, randomBytes)}`
      if (!(await putScimToken(ctx.tx, ctx.accountId, digestOf(token), now())))
        throw new Fault('conflict', { detail: 'Provisioning is off. Turn it on by PUT /api/v1/account/scim.' })
      return { token, baseUrl: `${origin}/scim/v2` }
    },
    async delete(ctx) {
      await lockAccount(ctx.tx, ctx.accountId)
      if (!(await deleteScim(ctx.tx, ctx.accountId))) throw new Fault('conflict', { detail: 'Provisioning is off.' })
      return { deleted: true }
    },
  }
  return { handlers, server: servedScim({ ...parts, users: createScimUsers(parts), groups: createScimGroups(parts) }) }
}
