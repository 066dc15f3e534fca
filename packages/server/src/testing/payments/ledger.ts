import { randomUUID } from 'node:crypto'

/** A payment in the books of a provider. */
export interface Entry {
  readonly id: string
  readonly kind: 'checkout' | 'charge'
  readonly ourId: string
  readonly amount: number
  readonly currency: string
  status: 'open' | 'succeeded' | 'failed' | 'expired'
  refunded: number
  customer: string | undefined
}

/** Something that happened to a payment, which the provider reports at some time, or never. */
export interface Happening {
  readonly id: string
  readonly entry: Entry
  readonly what: 'succeeded' | 'failed' | 'expired' | 'refunded'
}

export type Ledger = ReturnType<typeof createLedger>

/** The books of a provider: what it did, by idempotency key at most once. */
export function createLedger() {
  const entries = new Map<string, Entry>()
  const byKey = new Map<string, Entry>()
  const happenings: Happening[] = []
  const happen = (entry: Entry, what: Happening['what']) =>
    void happenings.push({ id: `evt_${randomUUID().replaceAll('-', '')}`, entry, what })
  let declines = 0
  let delays = 0

  function once(key: string, make: () => Entry): Entry {
    const known = byKey.get(key)
    if (known !== undefined) return known
    const made = make()
    byKey.set(key, made)
    entries.set(made.id, made)
    return made
  }

  return {
    entries,
    happenings,
    /** The next charges stay open until they are paid. */
    delay: (count: number) => void (delays = count),
    /** The next charges are declined. */
    decline: (count: number) => void (declines = count),
    checkout: (key: string, wanted: Pick<Entry, 'id' | 'ourId' | 'amount' | 'currency'>) =>
      once(key, () => ({ ...wanted, kind: 'checkout', status: 'open', refunded: 0, customer: undefined })),
    charge: (key: string, wanted: Pick<Entry, 'id' | 'ourId' | 'amount' | 'currency'> & { readonly customer: string }) =>
      once(key, () => {
        const declined = declines > 0
        if (declined) declines -= 1
        const delayed = !declined && delays > 0
        if (delayed) delays -= 1
        const status = declined ? 'failed' : delayed ? 'open' : 'succeeded'
        const entry: Entry = { ...wanted, kind: 'charge', status, refunded: 0 }
        if (status !== 'open') happen(entry, status)
        return entry
      }),
    /** The customer pays at the hosted page; false when the checkout is not open any more. */
    pay(id: string): boolean {
      const entry = entries.get(id)
      if (entry?.status !== 'open') return false
      entry.status = 'succeeded'
      if (entry.kind === 'checkout') entry.customer = `cus_${entry.ourId}`
      happen(entry, 'succeeded')
      return true
    },
    /** The customer has ordered a delayed payment at the hosted page, and it fails. */
    fail(id: string): boolean {
      const entry = entries.get(id)
      if (entry?.status !== 'open') return false
      entry.status = 'failed'
      happen(entry, 'failed')
      return true
    },
    expire(id: string): boolean {
      const entry = entries.get(id)
      if (entry?.status !== 'open') return false
      entry.status = 'expired'
      happen(entry, 'expired')
      return true
    },
    refund(key: string, id: string): Entry | undefined {
      const entry = entries.get(id)
      if (entry?.status !== 'succeeded') return undefined
      // Paid back by another request.
      if (entry.refunded > 0 && byKey.get(key) !== entry) return undefined
      if (entry.refunded === 0) {
        entry.refunded = entry.amount
        happen(entry, 'refunded')
      }
      byKey.set(key, entry)
      return entry
    },
  }
}
