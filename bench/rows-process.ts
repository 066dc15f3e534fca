import { coldStart } from './cold-start.ts'
import { serveHelper } from './neighbours/helper.ts'
import { openRows, type Rows, warmUpMs } from './rows.ts'

export interface Figure {
  readonly failures: number
  /** Requests per second, or the median of their times in milliseconds. */
  readonly value: number
}

const coldStartId = 'cold start'
let opened: Rows | undefined

// The rows of `npm run bench`, each measured on request of another process.
const handlers = {
  open: async (): Promise<readonly { readonly id: string; readonly show: 'rate' | 'latency' }[]> => {
    opened = await openRows()
    for (const row of opened.rows) await row.measure(warmUpMs)
    return [...opened.rows.map(({ id, show }) => ({ id, show })), { id: coldStartId, show: 'latency' }]
  },
  measure: async ({ id, ms }: { readonly id: string; readonly ms: number }): Promise<Figure> => {
    if (id === coldStartId) return { failures: 0, value: (await coldStart(1)).median }
    const row = opened?.rows.find((one) => one.id === id)
    if (row === undefined) throw new Error(`there is no row ${id}`)
    const { perSecond, p50, failures } = await row.measure(ms)
    return { failures, value: row.show === 'rate' ? perSecond : p50 }
  },
  close: async (): Promise<void> => await opened?.[Symbol.asyncDispose](),
}

export type RowsHandlers = typeof handlers

serveHelper(handlers)
