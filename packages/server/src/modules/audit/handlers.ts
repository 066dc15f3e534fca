import type { audit } from '@millrace/contract'
import { Fault } from '@millrace/contract'
import * as z from 'zod'
import { actorOf } from '#platform/auth/principal.ts'
import type { EventStreams, HandlersFor } from '#platform/http/index.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { AuditReading } from './audit-service.ts'
import { createEventExports } from './exporting/event-exports.ts'
import { destinationHandlers } from './streaming/destination-handlers.ts'
import type { Destinations } from './streaming/destination-service.ts'
import { dayView, earlierView, eventView, keyView } from './views.ts'

const positionShape = z.tuple([z.iso.datetime({ precision: 6 }), z.uuid()])
/** With a time, the position before all events of the time. */
const beforeAllIds = '00000000-0000-0000-0000-000000000000'
const partShape = z.tuple([z.int().min(1)])

interface AskedEvents {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly event?: string | undefined
  readonly target?: string | undefined
  readonly requestId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly q?: string | undefined
}

export interface AuditHandlersDeps {
  readonly service: AuditReading
  readonly destinations: Destinations
  readonly streams: Pick<EventStreams, 'open'>
  readonly now: () => number
}

/** Handlers of the audit log. */
export function auditHandlers({ service, destinations, streams, now }: AuditHandlersDeps): HandlersFor<typeof audit> {
  const exports = createEventExports({ service, streams, now })

  async function list(ctx: Parameters<HandlersFor<typeof audit>['query']>[0], actor: string | undefined, query: AskedEvents) {
    const { limit, cursor, event, target, requestId, from, to, q: text } = query
    const position = cursor === undefined ? undefined : decodeCursor(cursor, positionShape)
    const before = position === undefined ? undefined : { at: position[0], id: position[1] }
    const filter = { actor, event, target, requestId, from: timeOf(from), to: timeOf(to), text }
    const { events, searchedTo, names, former, earlier } = await service.events(ctx.tx, ctx.accountId, filter, { before, limit: limit + 1 })
    const { data, nextCursor } = pageOf(events, limit, (last) => encodeCursor([last.at, last.id]))
    const rest = searchedTo === undefined ? null : encodeCursor([searchedTo, beforeAllIds])
    return {
      data: data.map((row) => ({ ...eventView(row), ...earlierView(earlier, row) })),
      nextCursor: nextCursor ?? rest,
      searchedTo: searchedTo ?? null,
      names: { ...names },
      former: [...former],
    }
  }

  return {
    query: (ctx, { query: { actor, ...rest } }) => list(ctx, actor, rest),
    exportEvents: (ctx, { query }) => exports(ctx, query),
    me: (ctx, { query }) => list(ctx, actorOf(ctx.principal), query),
    async verify(ctx, { query }) {
      const { verified, days, continueFrom } = await service.verify(ctx.accountId, query.from)
      return { verified, days: days.map(dayView), continueFrom: continueFrom ?? null, keys: await checkpointKeys() }
    },
    async verifyDay(ctx, { params }) {
      const { report, checkpoint } = await service.verifyDay(ctx.accountId, dateOf(params.date))
      return { verified: report.findings.length === 0, day: dayView(report), checkpoint: checkpoint ?? null, keys: await checkpointKeys() }
    },
    async export(ctx, { params, query }) {
      const from = query.cursor === undefined ? 0 : decodeCursor(query.cursor, partShape)[0]
      const { lines, next } = await service.exportDay(ctx.accountId, dateOf(params.date), { from, reveal: query.reveal ?? [] })
      ctx.audit({ details: { date: params.date, from, ...(query.reveal === undefined ? {} : { revealed: query.reveal }) } })
      return { lines: [...lines], nextCursor: next === undefined ? null : encodeCursor([next]) }
    },
    keys: async () => ({ keys: (await service.keys()).map(keyView) }),
    ...destinationHandlers(destinations),
  }

  async function checkpointKeys() {
    return (await service.keys()).filter(({ purpose }) => purpose === 'checkpoint').map(keyView)
  }
}

/** A date that exists; anything else is no day of a log. */
function dateOf(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new Fault('not_found', { detail: 'The log has no such day. Name it as YYYY-MM-DD.' })
  return text
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
