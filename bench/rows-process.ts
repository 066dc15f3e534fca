import { coldStart } from './cold-start.ts'
import { serveHelper } from './neighbours/helper.ts'
import { openRows, type Rows, warmUpMs } from './rows.ts'

export interface Figure {
  readonly failures: number
  /** Requests per second, or the median of their times in milliseconds. */
  readonly value: number
}

/** Of one execution: microseconds of the server and of PostgreSQL, and bytes of WAL. */
export interface Cost {
  readonly server: number
  readonly database: number
  readonly wal: number
}

interface ShownRow {
  readonly id: string
  readonly show: 'rate' | 'latency'
  readonly hasCost: boolean
}

const coldStartId = 'cold start'
let opened: Rows | undefined

// The rows of `npm run bench`, each measured on request of another process.
const handlers = {
  open: async (): Promise<readonly ShownRow[]> => {
    opened = await openRows()
    for (const row of opened.rows) await row.measure(warmUpMs)
    const rows = opened.rows.map(({ id, show, processors }): ShownRow => ({ id, show, hasCost: processors !== undefined }))
    return [...rows, { id: coldStartId, show: 'latency', hasCost: false }]
  },
  measure: async ({ id, ms }: { readonly id: string; readonly ms: number }): Promise<Figure> => {
    if (id === coldStartId) return { failures: 0, value: (await coldStart(1)).median }
    const row = opened?.rows.find((one) => one.id === id)
    if (row === undefined) throw new Error(`there is no row ${id}`)
    const { perSecond, p50, failures } = await row.measure(ms)
    return { failures, value: row.show === 'rate' ? perSecond : p50 }
  },
  /** Requests for this long, with what they cost until the background work of them has ended as well. */
  cost: async ({ id, ms }: { readonly id: string; readonly ms: number }): Promise<Cost> => {
    const row = opened?.rows.find((one) => one.id === id)
    if (row?.processors === undefined) throw new Error(`there is no meter for ${id}`)
    let answers = 0
    const used = await row.processors.during(async () => {
      ;({ answers } = await row.measure(ms))
    })
    return { server: (used.serverMs * 1000) / answers, database: (used.databaseMs * 1000) / answers, wal: used.walBytes / answers }
  },
  close: async (): Promise<void> => await opened?.[Symbol.asyncDispose](),
}

export type RowsHandlers = typeof handlers

serveHelper(handlers)
