import { statfs } from 'node:fs/promises'
import { countExecutions, listLiveProcesses, readQueueState } from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { EventLoopWatch } from './event-loop.ts'
import {
  type DatabaseHealth,
  type DiskSpace,
  type Part,
  type PartHealth,
  missingRolesOf,
  type PoolUse,
  type ProcessRole,
  type TestedMail,
  statusOfParts,
  statusOfStrain,
  worst,
} from './model.ts'
import type { MailTrouble } from './mail-trouble-store.ts'
import { readAppliedMigrations } from './store.ts'

/** Properties of this process. */
export interface Installation {
  readonly version: string
  /** The origin of links in mails and webhooks. */
  readonly address: string
  readonly startedAt: Date
  readonly roles: readonly ProcessRole[]
  /** Directory on the disk that is checked. */
  readonly home: string
  /** Numbers of the migrations of this build. */
  readonly migrations: readonly number[]
  readonly models: readonly Part[]
  readonly providers: readonly Part[]
}

export interface HealthDeps {
  readonly db: Kysely<Rows>
  /** Whether this process has met an outage of the database that has not ended: it answers, and cannot write, if its disk is full. */
  readonly isOut: () => boolean
  readonly pool: () => PoolUse
  readonly eventLoop: Pick<EventLoopWatch, 'read'>
  readonly memory: () => { readonly rss: number; readonly heapUsed: number }
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
  /** The models that an account connected. */
  readonly modelsOf: (accountId: string) => Promise<readonly Part[]>
  readonly mailTrouble: () => Promise<MailTrouble | undefined>
  /** Sends a mail to a user at once. */
  readonly testMail: (user: { readonly accountId: string; readonly userId: string }) => Promise<TestedMail>
  readonly installation: Installation
}

/** Live processes that are listed. */
const processesMax = 100
/** Timeout of each check. */
const checkTimeoutMs = 2_000
/** For how long what a provider said counts: a page that is read again and again must not sign in to the mail server each time. */
const providersRestMs = 30_000

export type Health = ReturnType<typeof createHealth>

/** Reads the health of the installation and its parts. */
export function createHealth(deps: HealthDeps) {
  const { db, isOut, pool, eventLoop, memory: memoryUse, clock, modelsOf, installation } = deps

  /** The last known state, for while the database does not respond. */
  let migrations = { applied: installation.migrations.length, pending: 0 }

  async function database(): Promise<DatabaseHealth> {
    const startedAt = clock()
    try {
      await within(checkTimeoutMs, sql`select 1`.execute(db))
      const latencyMs = Math.round((clock() - startedAt) * 100) / 100
      const applied = new Set(await within(checkTimeoutMs, readAppliedMigrations(db)))
      const pending = installation.migrations.filter((number) => !applied.has(number)).length
      migrations = { applied: applied.size, pending }
      return { status: pending === 0 && !isOut() ? 'ok' : 'degraded', latencyMs, migrations, pool: pool() }
    } catch {
      return { status: 'down', latencyMs: null, migrations, pool: pool() }
    }
  }

  let providersSeen: { readonly at: number; readonly found: Promise<readonly PartHealth[]> } | undefined
  function providers(): Promise<readonly PartHealth[]> {
    if (providersSeen === undefined || clock() - providersSeen.at >= providersRestMs)
      providersSeen = { at: clock(), found: partsOf(installation.providers) }
    return providersSeen.found
  }

  const partsOf = (parts: readonly Part[]) => Promise.all(parts.map((part) => probe(part, clock)))

  async function health(parts: Promise<readonly PartHealth[]>) {
    const data = [...(await parts)]
    return { status: statusOfParts(data), data }
  }

  return {
    database,

    /** Whether the database responds, can write, and has every migration. */
    async ready(): Promise<boolean> {
      return (await database()).status === 'ok'
    },

    /** Figures for a monitor; those of the database are undefined while it does not respond. */
    async measure() {
      const memory = memoryUse()
      const shared = within(checkTimeoutMs, Promise.all([readQueueState(db), countExecutions(db), listLiveProcesses(db, processesMax)]))
      const [queue, executions, processes] = await shared.catch(() => [undefined, undefined, undefined] as const)
      return { version: installation.version, pool: pool(), eventLoopDelayMs: eventLoop.read(), memory, queue, executions, processes }
    },

    /** The models of the installation, and those of the account. */
    models: async (accountId: string) => health(partsOf([...installation.models, ...(await modelsOf(accountId))])),
    providers: () => health(providers()),

    testMail: deps.testMail,

    async system() {
      const [base, queue, executions, disk, models, outside, processes, mailTrouble] = await Promise.all([
        database(),
        readQueueState(db),
        countExecutions(db),
        diskOf(installation.home),
        partsOf(installation.models),
        providers(),
        listLiveProcesses(db, processesMax),
        deps.mailTrouble(),
      ])
      const eventLoopDelayMs = eventLoop.read()
      const memory = memoryUse()
      const missingRoles = missingRolesOf(processes)
      return {
        status: worst([
          base.status,
          missingRoles.length === 0 ? 'ok' : 'degraded',
          mailTrouble === undefined ? 'ok' : 'degraded',
          statusOfStrain({ queue, disk, eventLoopDelayMs }),
          statusOfParts([...models, ...outside]),
        ]),
        version: installation.version,
        address: installation.address,
        startedAt: installation.startedAt,
        roles: installation.roles,
        database: base,
        queue,
        executions,
        processes,
        missingRoles,
        process: { eventLoopDelayMs, memoryBytes: { resident: memory.rss, heap: memory.heapUsed } },
        disk,
        models,
        providers: [...outside],
        mailTrouble,
      }
    },
  }
}

async function probe({ name, configured, probe: ask }: Part, clock: () => number): Promise<PartHealth> {
  if (!configured) return { name, configured, reachable: null, latencyMs: null, detail: null }
  const startedAt = clock()
  try {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    await within(checkTimeoutMs, ask(signal))
    return { name, configured, reachable: true, latencyMs: clock() - startedAt, detail: null }
  } catch (error) {
    return { name, configured, reachable: false, latencyMs: null, detail: error instanceof Error ? error.message : 'It does not respond.' }
  }
}

async function diskOf(directory: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

/** The promise; rejects after the timeout. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It does not answer within ${ms} ms.`)), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
