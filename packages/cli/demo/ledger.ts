import { paymentFailures, type ShopCall } from './shop.ts'

/** The requests for one effect, and the expected number. */
export interface LedgerRow {
  readonly effect: string
  readonly calls: number
  readonly done: number
  readonly right: boolean
}

const effects = ['orders/1001', 'reservations tea', 'reservations cup', 'reservations kettle', 'payments', 'parcels', 'invoices', 'mails']

/** Counts what was done: right when every effect was done once, and nothing was asked for more often than its failures explain. */
export function readLedger(calls: readonly ShopCall[]): readonly LedgerRow[] {
  const named = [...new Set([...effects, ...calls.map(({ effect }) => effect)])]
  return named.map((effect) => {
    const mine = calls.filter((call) => call.effect === effect)
    const done = mine.filter(({ status }) => status < 300).length
    const failuresMeant = effect === 'payments' ? paymentFailures : 0
    return { effect, calls: mine.length, done, right: effects.includes(effect) && done === 1 && mine.length === 1 + failuresMeant }
  })
}

/** Calls that carried a key that another call had carried before. */
export function repetitions(calls: readonly ShopCall[]): number {
  return calls.length - new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size
}
