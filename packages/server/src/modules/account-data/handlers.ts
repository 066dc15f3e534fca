import type { account as accountOperations } from '@millrace/contract'
import { consentView, type Consents, preferencesDefault, stateAt } from '#modules/consents/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, respondDownload } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { dataOverview } from './data-overview.ts'
import type { Exports } from './export-service.ts'
import { exportLifeMs } from './make-export.ts'
import type { Settings } from './settings-service.ts'

export interface AccountHandlerDeps {
  readonly settings: Settings
  readonly consents: Consents
  readonly exports: Exports
  readonly overview: (accountId: string) => ReturnType<typeof dataOverview>
  /** After the commit of changed privacy preferences. */
  readonly onPreferences: (accountId: string) => void
  readonly now: () => number
}

/** Handlers of the group `account`. */
export function accountHandlers({
  settings,
  consents,
  exports,
  overview,
  onPreferences,
  now,
}: AccountHandlerDeps): HandlersFor<typeof accountOperations> {
  return {
    async settings(ctx) {
      const found = await settings.read(ctx.tx, ctx.accountId)
      return respond(settingsView(ctx.accountId, found), { headers: { etag: etag(found.revision) } })
    },
    async update(ctx, { body }) {
      const { name, locale, timeZone, requiresMfa, publishers, retentionDays } = body
      const change = { name, locale, timeZone, requiresMfa, publishers, retentionDays }
      const caller = { userId: ctx.principal?.userId ?? '', ifMatch: ctx.ifMatch }
      const updated = await settings.update(ctx.tx, ctx.accountId, change, caller)
      const id = toTypeId('acct', ctx.accountId)
      const [before, after] = [updated.before, updated].map((state) => {
        const { revision: _revision, ...members } = settingsView(ctx.accountId, state)
        return members
      })
      const details = { changed: updated.changed, revision: updated.revision }
      ctx.audit({ target: id, details, ...(before === undefined || after === undefined ? {} : { change: { before, after } }) })
      return respond(settingsView(ctx.accountId, updated), { headers: { etag: etag(updated.revision) } })
    },
    async consents(ctx) {
      const { history, latest, preferences, revision } = await consents.overview(ctx.tx, ctx.accountId)
      const view = (consent: (typeof history)[number]) => consentView(consent, ctx.accountId, now())
      const isGiven = latest !== undefined && stateAt(latest, now()) === 'given'
      return {
        crossBorder: { isGiven, consent: latest === undefined ? null : view(latest) },
        preferences: { ...preferencesDefault, ...preferences, refusedKinds: [...preferences.refusedKinds], revision },
        history: history.map(view),
      }
    },
    async giveCrossBorder(ctx, { body: { expiresAt, ...terms } }) {
      const by = actorOf(ctx.principal)
      const consent = await consents.give(ctx.tx, ctx.accountId, terms, {
        by,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      })
      ctx.audit({ target: toTypeId('cns', consent.id), details: { purposes: [...terms.purposes], regions: [...terms.regions] } })
      return consentView(consent, ctx.accountId, now())
    },
    async withdrawCrossBorder(ctx) {
      const consent = await consents.withdraw(ctx.tx, ctx.accountId, actorOf(ctx.principal))
      ctx.audit({ target: toTypeId('cns', consent.id) })
      return consentView(consent, ctx.accountId, now())
    },
    async putPrivacyPreferences(ctx, { body }) {
      const { revision, before } = await consents.setPreferences(ctx.tx, ctx.accountId, body, {
        by: actorOf(ctx.principal),
        ifMatch: ctx.ifMatch,
      })
      ctx.afterCommit(() => onPreferences(ctx.accountId))
      ctx.audit({
        target: toTypeId('acct', ctx.accountId),
        details: { revision },
        change: { before: { ...before, refusedKinds: [...before.refusedKinds] }, after: body },
      })
      return respond({ ...body, revision }, { headers: { etag: etag(revision) } })
    },
    data: (ctx) => overview(ctx.accountId),
    async export(ctx, { body }) {
      const { of, file, link } = await exports.request(ctx.tx, ctx.accountId, body?.fresh === true)
      const id = toTypeId('exp', of.id)
      ctx.audit({ target: id })
      return {
        id,
        state: of.state,
        failure: of.failure ?? null,
        progress: { done: of.done, total: of.total },
        bytes: file?.bytes ?? null,
        sha256: file?.sha256 ?? null,
        download:
          link === undefined ? null : { url: `/api/v1/account/export/${link.token}/content`, expiresAt: link.expiresAt.toISOString() },
        createdAt: of.createdAt.toISOString(),
        expiresAt: new Date(of.createdAt.getTime() + exportLifeMs).toISOString(),
      }
    },
    async exportContent(ctx, { params }) {
      const file = await exports.download(params.token)
      const response = respondDownload(ctx.askedRange, { ...file, open: (range) => exports.open(file, range) })
      const range = response.headers['content-range']
      const target = file.name.replace(/\.zip$/, '')
      ctx.audit({ accountId: file.accountId, target, ...(range === undefined ? {} : { details: { range } }) })
      return response
    },
  }
}

function settingsView(accountId: string, settings: Awaited<ReturnType<Settings['read']>>) {
  const { name, locale = null, timeZone = null, retentionDays = null, requiresMfa, publishers, revision } = settings
  return { id: toTypeId('acct', accountId), name, locale, timeZone, retentionDays, requiresMfa, publishers, revision }
}
