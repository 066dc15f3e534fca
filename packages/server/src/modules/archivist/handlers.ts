import type { archivist as archivistOperations } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { type AuditPort, type HandlersFor, respondStream } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { AuditReading } from '#modules/audit/index.ts'
import { figuresOf } from './analytics.ts'
import type { Archivist } from './archivist-service.ts'
import { type createPacks, periodOf } from './pack/pack-service.ts'
import type { piiSummary } from './pii-summary.ts'
import { packView, replayView } from './views.ts'

export interface ArchivistHandlerDeps {
  readonly archivist: Archivist
  readonly packs: ReturnType<typeof createPacks>
  readonly audit: Pick<AuditReading, 'counts' | 'verify'>
  readonly record: AuditPort
  readonly now: () => number
  readonly piiSummary: (accountId: string, days: number) => ReturnType<typeof piiSummary>
}

const analyticsDaysMax = 92

/** Handlers of evidence. */
export function archivistHandlers(deps: ArchivistHandlerDeps): HandlersFor<typeof archivistOperations> {
  const { archivist, packs, audit, record, now } = deps
  return {
    replay: (ctx, { params }) =>
      ctx.whileConnected(async (signal) => replayView(await archivist.replay(ctx.accountId, idOf('exec', params.id), signal))),
    async receipt(ctx, { params }) {
      const { envelope, statement, publicKey } = await archivist.receipt(ctx.accountId, idOf('exec', params.id))
      return { executionId: params.id, envelope, statement, publicKey }
    },
    async pack(ctx, { query: { from, to, executions } }) {
      const requested = await packs.request(ctx.accountId, { from, to, executions }, async (tx, pack) => {
        await record.record(tx, ctx, 'archivist.pack_requested', {
          target: toTypeId('pack', pack.id),
          details: { by: actorOf(ctx.principal) },
        })
      })
      return packView(requested)
    },
    async packContent(ctx, { params }) {
      const { pack, content } = await packs.download(params.token)
      const name = toTypeId('pack', pack.id)
      ctx.audit({ accountId: pack.accountId, target: name })
      return respondStream(content, {
        headers: {
          'content-type': 'application/zip',
          'content-length': String(pack.bytes),
          'content-disposition': `attachment; filename="${name}.zip"`,
          'cache-control': 'no-store',
        },
      })
    },
    piiSummary: (ctx, { query }) => deps.piiSummary(ctx.accountId, query.days),
    async analytics(ctx, { query }) {
      const { from, to } = periodOf({ from: query.from, to: query.to ?? new Date(now()).toISOString() }, now(), analyticsDaysMax)
      const [counts, verification] = [
        await audit.counts(ctx.accountId, from, to),
        await audit.verify(ctx.accountId, from.toISOString().slice(0, 10)),
      ]
      return { from: from.toISOString(), to: to.toISOString(), ...figuresOf(counts, verification) }
    },
  }
}
