import type { archivist as archivistOperations, Reply } from '@millrace/contract'
import { isTerminal } from '@millrace/engine'
import { actorOf } from '#platform/auth/principal.ts'
import { type AuditPort, type HandlersFor, respondDownload } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { AuditReading } from '#modules/audit/index.ts'
import { type DecisionCount, figuresOf } from './analytics.ts'
import type { Archivist } from './archivist-service.ts'
import { type createPacks, periodOf } from './pack/pack-service.ts'
import type { piiSummary } from './pii-summary.ts'
import { createSharedWork } from './shared-work.ts'
import { listedPackView, packView, replayView, selectedOf, selectionView } from './views.ts'

export interface ArchivistHandlerDeps {
  readonly archivist: Archivist
  readonly packs: ReturnType<typeof createPacks>
  readonly audit: Pick<AuditReading, 'counts' | 'verify'>
  readonly record: AuditPort
  readonly now: () => number
  readonly piiSummary: (accountId: string, days: number) => ReturnType<typeof piiSummary>
  /** Decisions about personal data in a period. */
  readonly decisions: (accountId: string, from: Date, to: Date) => Promise<readonly DecisionCount[]>
}

const analyticsDaysMax = 92

/** Handlers of evidence. */
export function archivistHandlers(deps: ArchivistHandlerDeps): HandlersFor<typeof archivistOperations> {
  const { archivist, packs, audit, record, now } = deps
  const replays = createSharedWork<ReturnType<typeof replayView>>({ now })
  const receipts = createSharedWork<Reply<typeof archivistOperations.receipt> & { readonly isProven: boolean }>({ now })
  return {
    async replay({ accountId }, { params }) {
      const id = idOf('exec', params.id)
      return await replays({
        accountId,
        name: id,
        // Requests that are waiting for the same replay may stay when this one disconnects.
        compute: async () => replayView(await archivist.replay(accountId, id)),
        isFinal: ({ state }) => isTerminal(state),
      })
    },
    async receipt({ accountId }, { params }) {
      const id = idOf('exec', params.id)
      const { isProven: _isProven, ...receipt } = await receipts({
        accountId,
        name: id,
        async compute() {
          const { envelope, statement, publicKey, proof } = await archivist.receipt(accountId, id)
          return { executionId: params.id, envelope, statement, publicKey, isProven: proof !== undefined }
        },
        // The end of an execution is in the audit log a moment after it.
        isFinal: ({ isProven }) => isProven,
      })
      return receipt
    },
    packSelection: async (ctx, { query: { from, to, executions } }) =>
      selectionView(await packs.count(ctx.accountId, { from, to, executions })),
    packs: async (ctx) => ({ data: (await packs.list(ctx.accountId)).map(listedPackView) }),
    async pack(ctx, { query: { from, to, executions } }) {
      const requested = await packs.request(ctx.accountId, { from, to, executions }, async (tx, pack) => {
        await record.record(tx, ctx, 'archivist.pack_requested', {
          target: toTypeId('pack', pack.id),
          details: { by: actorOf(ctx.principal), ...selectedOf(pack) },
        })
      })
      return packView(requested)
    },
    async packContent(ctx, { params }) {
      const file = await packs.download(params.token)
      const response = respondDownload(ctx.askedRange, { ...file, open: (range) => packs.open(file, range) })
      const range = response.headers['content-range']
      const target = file.name.replace(/\.zip$/, '')
      ctx.audit({ accountId: file.accountId, target, ...(range === undefined ? {} : { details: { range } }) })
      return response
    },
    piiSummary: (ctx, { query }) => deps.piiSummary(ctx.accountId, query.days),
    async analytics(ctx, { query }) {
      const { from, to } = periodOf({ from: query.from, to: query.to ?? new Date(now()).toISOString() }, now(), analyticsDaysMax)
      const counts = await audit.counts(ctx.accountId, from, to)
      const verification = await audit.verify(ctx.accountId, from.toISOString().slice(0, 10))
      const decisions = await deps.decisions(ctx.accountId, from, to)
      return { from: from.toISOString(), to: to.toISOString(), ...figuresOf(counts, verification, decisions) }
    },
  }
}
