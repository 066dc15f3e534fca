import { Fault } from '@millrace/contract'
import type { ExecutionCount } from '@millrace/engine/storage'
import { countedUntil, countHours } from './count-executions.ts'
import { createReservations } from './reserve.ts'
import { countUsers, deleteOldRecords, type Executor, insertNotice, listDays, sumHours, sumUsage } from './usage-store.ts'

export const meters = ['executions', 'tasks', 'users', 'storage_bytes', 'ai_tokens'] as const
export type Meter = (typeof meters)[number]

/** The limits of an account in its present period. */
export interface Entitlement {
  readonly tier: string
  readonly limits: { readonly [M in Meter]?: { readonly soft: number | null; readonly hard: number | null } | undefined }
  readonly period: { readonly start: Date; readonly end: Date }
}

/** A limit that an account has reached in part or whole. */
export interface LimitNotice {
  readonly accountId: string
  readonly meter: Meter
  readonly percent: 80 | 100
  readonly used: number
  readonly limit: number
  readonly resetAt: Date
}

export interface UsageDeps {
  readonly db: Executor
  readonly now: () => number
  readonly entitlement: (accountId: string) => Promise<Entitlement>
  readonly countExecutions: (from: Date, to: Date) => Promise<readonly ExecutionCount[]>
  readonly countExecutionsOf: (accountId: string, from: Date) => Promise<number>
  /** Bytes that an account stores now. */
  readonly storedBytes: (executor: Executor, accountId: string) => Promise<number>
  /** Called once for each limit, threshold and period, in the transaction that notes it. */
  readonly notify: (tx: Executor, notice: LimitNotice) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly pause: (ms: number) => Promise<unknown>
}

/** Fault `quota_exceeded` if `more` bytes exceed the limit of an account. @returns how many bytes would still be free after them. */
type StorageCheck = (executor: Executor, more: number) => Promise<number>

interface Cached {
  readonly entitlement: Entitlement
  readonly used: Map<string, number>
  readonly readAtMs: number
}

/** Counters that are far from their limit are read this often, near it at every check. */
const freshMs = 5_000
const nearShare = 0.95
const accountsMax = 10_000
const noticesMax = 50_000
/** Executions below their hard limit from which on each start is reserved: all processes together start fewer while a counter is fresh. */
const reservedRoom = 50_000
const recordsKeepMs = 45 * 24 * 60 * 60 * 1000

export type Usage = ReturnType<typeof createUsage>

/** Counts what accounts use, and compares it with the limits of their plans. */
export function createUsage(deps: UsageDeps) {
  const { db, now } = deps
  const cache = new Map<string, Cached>()
  const reading = new Map<string, Promise<Cached>>()
  /** Notices that are given or being given, as far as this process knows. Otherwise each further start would begin a transaction to find out. */
  const given = new Set<string>()

  /** All counters of an account. */
  async function read(accountId: string): Promise<Cached> {
    const counters = await readLimited(accountId)
    if (!isLimited(counters, 'executions')) counters.used.set('executions', await countExecutions(accountId, counters.entitlement))
    if (!isLimited(counters, 'storage_bytes')) counters.used.set('storage_bytes', await deps.storedBytes(db, accountId))
    return counters
  }

  /** The counters that a check needs. The executions of the last hours are counted only where the plan limits them, since there may be millions. */
  async function readLimited(accountId: string): Promise<Cached> {
    const readAtMs = now()
    const entitlement = await deps.entitlement(accountId)
    const { start, end } = entitlement.period
    const counters = { entitlement, used: new Map(await sumUsage(db, accountId, start, end)), readAtMs }
    if (isLimited(counters, 'executions')) counters.used.set('executions', await countExecutions(accountId, counters.entitlement))
    if (isLimited(counters, 'storage_bytes')) counters.used.set('storage_bytes', await deps.storedBytes(db, accountId))
    counters.used.set('users', await countUsers(db, accountId))
    return counters
  }

  /** The committed executions of a period. The hours are summed up to the one from which on rows are counted, also if one is counted meanwhile. */
  async function countExecutions(accountId: string, { period: { start } }: Entitlement): Promise<number> {
    const until = await countedUntil(db, now())
    const stored = until > start ? await sumHours(db, accountId, 'executions', start, until) : 0
    return stored + (await deps.countExecutionsOf(accountId, until > start ? until : start))
  }

  async function recall(accountId: string, meter: Meter): Promise<Cached> {
    const known = cache.get(accountId)
    if (known !== undefined && now() - known.readAtMs < freshMs && now() < known.entitlement.period.end.getTime() && !isNear(known, meter))
      return known
    // Near its limit a meter is read for each check. Far from it, checks that find the counters out of date share one reading.
    if (known !== undefined && isNear(known, meter)) return readAnew(accountId)
    return readOnce(accountId)
  }

  async function readAnew(accountId: string): Promise<Cached> {
    const fresh = await readLimited(accountId)
    // The oldest entry makes room.
    if (cache.size >= accountsMax) cache.delete(cache.keys().next().value ?? '')
    cache.set(accountId, fresh)
    return fresh
  }

  /** The limits of an account and its counters, which may be some seconds old. */
  async function recent(accountId: string): Promise<Cached> {
    const known = cache.get(accountId)
    const isFresh = known !== undefined && now() - known.readAtMs < freshMs && now() < known.entitlement.period.end.getTime()
    return isFresh ? known : readOnce(accountId)
  }

  /** Checks that find the counters out of date share one reading. */
  function readOnce(accountId: string): Promise<Cached> {
    const running = reading.get(accountId) ?? readAnew(accountId).finally(() => reading.delete(accountId))
    reading.set(accountId, running)
    return running
  }

  const reservations = createReservations({
    db,
    used: async (accountId) => countExecutions(accountId, (await recent(accountId)).entitlement),
    pause: deps.pause,
  })

  async function notice(accountId: string, meter: Meter, { entitlement, used }: Cached): Promise<void> {
    const limit = entitlement.limits[meter]?.soft ?? entitlement.limits[meter]?.hard ?? null
    const amount = used.get(meter) ?? 0
    const { start, end } = entitlement.period
    for (const percent of [80, 100] as const) {
      const key = `${accountId} ${meter} ${start.getTime()} ${percent}`
      if (limit === null || limit === 0 || amount * 100 < limit * percent || given.has(key)) continue
      if (given.size >= noticesMax) given.clear()
      given.add(key)
      try {
        await giveNotice({ accountId, meter, percent, used: amount, limit, resetAt: end }, start)
      } catch (error) {
        given.delete(key)
        throw error
      }
    }
  }

  function giveNotice(limitNotice: LimitNotice, periodStart: Date): Promise<void> {
    const { accountId, meter, percent } = limitNotice
    return db.transaction().execute(async (tx) => {
      if (await insertNotice(tx, accountId, { meter, periodStart, percent, at: new Date(now()) })) await deps.notify(tx, limitNotice)
    })
  }

  return {
    /** Fault `quota_exceeded` when `amount` more would exceed the hard limit. For work that is not accepted yet; running work is never ended. */
    async assertWithin(accountId: string, meter: Meter, amount = 1): Promise<void> {
      const state = await recall(accountId, meter)
      const { tier, limits, period } = state.entitlement
      const hard = limits[meter]?.hard ?? null
      const used = state.used.get(meter) ?? 0
      if (hard !== null && used + amount > hard) throw exceeded({ tier, meter, used, hard, resetAt: period.end }, now())
      state.used.set(meter, used + amount)
      if (limits[meter] !== undefined) await notice(accountId, meter, state).catch(deps.onError)
    },

    /**
     * Starts an execution within the hard limit of executions, which no number of parallel starts in any number of processes exceeds. Fault
     * `quota_exceeded`. `start` resolves when the execution is committed.
     */
    async withinExecutions<T>(accountId: string, start: () => Promise<T>): Promise<T> {
      const state = await recent(accountId)
      const { tier, limits, period } = state.entitlement
      const hard = limits.executions?.hard ?? null
      const used = state.used.get('executions') ?? 0
      if (limits.executions === undefined) return start()
      const isReserved = hard !== null && hard - used <= reservedRoom
      const excess = (amount: number) => exceeded({ tier, meter: 'executions', used: amount, hard: hard ?? 0, resetAt: period.end }, now())
      const started = await (isReserved ? reservations.run(accountId, { hard, exceeded: excess }, start) : start())
      state.used.set('executions', (state.used.get('executions') ?? 0) + 1)
      await notice(accountId, 'executions', state).catch(deps.onError)
      return started
    },

    /** Reads the limit of users; the function that it returns counts them in a transaction, with the Fault `quota_exceeded`. */
    async seatOf(accountId: string): Promise<(tx: Executor) => Promise<void>> {
      const state = await read(accountId)
      const { tier, limits, period } = state.entitlement
      const hard = limits.users?.hard ?? null
      state.used.set('users', (state.used.get('users') ?? 0) + 1)
      if (limits.users !== undefined) await notice(accountId, 'users', state).catch(deps.onError)
      return async (tx) => {
        const used = await countUsers(tx, accountId)
        if (hard !== null && used >= hard) throw exceeded({ tier, meter: 'users', used, hard, resetAt: period.end }, now())
      }
    },

    /** Reads the limit of storage; the function that it returns counts what is stored, with the Fault `quota_exceeded` if `more` bytes exceed the limit. */
    async storageOf(accountId: string): Promise<StorageCheck> {
      const state = await recent(accountId)
      const { tier, limits, period } = state.entitlement
      const hard = limits.storage_bytes?.hard ?? null
      if (limits.storage_bytes !== undefined) await notice(accountId, 'storage_bytes', state).catch(deps.onError)
      return async (executor, more) => {
        if (hard === null) return Infinity
        const used = await deps.storedBytes(executor, accountId)
        if (more > 0 && used + more > hard) throw storageExceeded({ tier, meter: 'storage_bytes', used, hard, resetAt: period.end }, more)
        return Math.max(0, hard - used - more)
      }
    },

    /** Whether a hard limit was reached when the counters were read last: for work of which only a part uses the meter. */
    async isUsedUp(accountId: string, meter: Meter): Promise<boolean> {
      const { entitlement, used } = cache.get(accountId) ?? (await recall(accountId, meter))
      const hard = entitlement.limits[meter]?.hard ?? null
      return hard !== null && (used.get(meter) ?? 0) >= hard
    },

    /** After a change of the plan, the next check reads the limits anew. */
    forget(accountId: string): void {
      cache.delete(accountId)
      reading.delete(accountId)
    },

    async current(accountId: string) {
      const { entitlement, used } = await read(accountId)
      const { tier, limits, period } = entitlement
      return {
        periodStart: period.start.toISOString(),
        periodEnd: period.end.toISOString(),
        tier,
        meters: meters.map((meter) => {
          const { soft = null, hard = null } = limits[meter] ?? {}
          const amount = used.get(meter) ?? 0
          const limit = soft ?? hard
          return {
            meter,
            used: amount,
            soft,
            hard,
            percent: limit === null || limit === 0 ? null : Math.round((amount * 1000) / limit) / 10,
          }
        }),
      }
    },

    /** Usage by day of UTC, newest first; today's executions live. */
    async history(accountId: string, days: number, wanted: Meter | undefined) {
      const nowMs = now()
      const today = new Date(nowMs).toISOString().slice(0, 10)
      const from = new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * 24 * 60 * 60 * 1000)
      const found = (await listDays(db, accountId, from, new Date(nowMs))).map((row) => ({ ...row }))
      for (const { day, amount } of await uncounted(deps, accountId, from, nowMs)) {
        const row = found.find((each) => each.day === day && each.meter === 'executions')
        if (row !== undefined) row.amount += amount
        else if (amount > 0) found.push({ day, meter: 'executions', amount })
      }
      const known = found.flatMap(({ day, meter: name, amount }) => {
        const meter = meters.find((each) => each === name)
        return meter === undefined || (wanted !== undefined && meter !== wanted) ? [] : [{ day, meter, amount }]
      })
      return known.toSorted((one, other) => other.day.localeCompare(one.day) || one.meter.localeCompare(other.meter))
    },

    count: () => countHours(deps),
    async sweep(): Promise<void> {
      await deleteOldRecords(db, new Date(now() - recordsKeepMs), 1000)
      await reservations.sweep()
    },
  }
}

/** Executions by day of the hours that are not counted yet, at most two days. */
async function uncounted(deps: UsageDeps, accountId: string, from: Date, nowMs: number) {
  const until = await countedUntil(deps.db, nowMs)
  const start = until > from ? until : from
  const midnight = new Date(`${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00Z`)
  const today = midnight > start ? midnight : start
  const ofToday = await deps.countExecutionsOf(accountId, today)
  const rows = [{ day: midnight.toISOString().slice(0, 10), amount: ofToday }]
  if (start < midnight) {
    const yesterday = new Date(midnight.getTime() - 1).toISOString().slice(0, 10)
    rows.push({ day: yesterday, amount: (await deps.countExecutionsOf(accountId, start)) - ofToday })
  }
  return rows
}

function isLimited({ entitlement }: Cached, meter: Meter): boolean {
  return entitlement.limits[meter] !== undefined
}

function isNear({ entitlement, used }: Cached, meter: Meter): boolean {
  const hard = entitlement.limits[meter]?.hard ?? null
  const amount = used.get(meter) ?? 0
  return hard !== null && (amount >= hard * nearShare || hard - amount < 100)
}

interface Excess {
  readonly tier: string
  readonly meter: Meter
  readonly used: number
  readonly hard: number
  readonly resetAt: Date
}

/** The count of storage does not begin again: something has to be deleted. */
function storageExceeded({ tier, meter, used, hard, resetAt }: Excess, more: number): Fault {
  return new Fault('quota_exceeded', {
    detail: `The plan ${tier} allows ${hard} bytes of storage, ${used} are used, and this needs ${more} more. Delete files (DELETE /api/v1/files/{id}, or files.delete in a workflow), or upgrade the plan.`,
    extensions: { plan: tier, meter, limit: hard, used, resetAt: resetAt.toISOString() },
  })
}

function exceeded({ tier, meter, used, hard, resetAt }: Excess, nowMs: number): Fault {
  const name = meter.replace('_', ' ')
  return new Fault('quota_exceeded', {
    detail: `The plan ${tier} allows ${hard} ${name} in this period, and ${used} are used. The count begins again at ${resetAt.toISOString()}. Upgrade the plan for more.`,
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - nowMs) / 1000)),
    extensions: { plan: tier, meter, limit: hard, used, resetAt: resetAt.toISOString() },
  })
}
