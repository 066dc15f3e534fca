import { type audit, Fault, type Received } from '@millrace/contract'
import type { AuditReading } from '#modules/audit/audit-service.ts'
import type { EventFilter } from '#modules/audit/query/query-store.ts'
import { type EventStreams, type RequestContext, respondStream } from '#platform/http/index.ts'
import { exportForms } from './export-forms.ts'

export interface EventExportsDeps {
  readonly service: Pick<AuditReading, 'pages'>
  readonly streams: Pick<EventStreams, 'open'>
  readonly now: () => number
}

type Asked = Received<typeof audit.exportEvents>['query']

/** Of an account, in this process: each reads pages of the log one after the other. */
const exportsMax = 2

/** Sends the events of a search as a file, page by page as the caller reads it. What breaks off ends the connection, so that no client takes it for complete. */
export function createEventExports({ service, streams, now }: EventExportsDeps) {
  const running = new Map<string, number>()

  function count(accountId: string, change: 1 | -1): void {
    const left = (running.get(accountId) ?? 0) + change
    if (left === 0) running.delete(accountId)
    else running.set(accountId, left)
  }

  return async (ctx: RequestContext, { format, ...asked }: Asked) => {
    const { accountId } = ctx
    if ((running.get(accountId) ?? 0) >= exportsMax)
      throw new Fault('overloaded', {
        detail: `${exportsMax} exports of the log of this account are being made. Wait until one of them has ended.`,
        retryAfterSeconds: 10,
      })
    const begun = new Date(now())
    const form = exportForms[format]
    const filter = filterOf(asked, begun)

    async function* make(signal: AbortSignal) {
      if (form.begin !== '') yield form.begin
      let events = 0
      for await (const page of service.pages(accountId, filter, signal)) {
        events += page.events.length
        // A search may find nothing in the part of the log that it reads at a time.
        if (page.events.length > 0) yield form.lines(page)
      }
      yield form.end(events, begun)
    }

    // Before anything waits, so that requests at the same time count as well.
    count(accountId, 1)
    const onClose = () => count(accountId, -1)
    const stream = await streams
      .open(ctx, () => ({ make, onClose }))
      .catch((error: unknown) => {
        onClose()
        throw error
      })
    ctx.audit({ details: { format, filter: given(asked) } })
    const name = `audit-${begun.toISOString().slice(0, 10)}.${format}`
    return respondStream(stream, {
      headers: {
        'content-type': form.media,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    })
  }
}

function given(filter: Omit<Asked, 'format'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** What happens after the begin, such as the export itself, is not in it. */
function filterOf({ actor, event, target, requestId, from, to, q: text }: Omit<Asked, 'format'>, begun: Date): EventFilter {
  const end = to === undefined ? begun : new Date(Math.min(Date.parse(to), begun.getTime()))
  return { actor, event, target, requestId, from: from === undefined ? undefined : new Date(from), to: end, text }
}
