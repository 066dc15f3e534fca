import { sqlStateOf } from '#postgres/sql/pg-errors.ts'
import type { SqlDatabase } from '#postgres/storage/sql-database.ts'
import { leastIdAt } from '#postgres/storage/time-of-id.ts'
import { compactPartition, isWorthCompacting } from './compact-partition.ts'
import {
  deleteExecutionKeys,
  deleteExecutions,
  deleteForgottenRetries,
  deleteLabelsIn,
  findExpiredEarly,
  findExpiredIn,
} from './delete-executions.ts'
import { dropPartition, findSurvivors } from './drop-partition.ts'
import { makePartitions, type Partition, readPartitions } from './partitions.ts'
import { type RetentionPeriods, type RetentionRules, rulesAt } from './retention-rules.ts'

export interface RetentionDeps {
  /** With the rights of the tables' owner. */
  readonly db: SqlDatabase
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** How long executions are kept after their end, unless their workflow has a rule of its own; undefined for ever. */
  readonly retentionMs: number | undefined
  /** The rules of workflows, read in every pass. */
  readonly readPeriods: () => Promise<RetentionPeriods>
}

/** Keeps the tables of executions and journals within bounds. */
export interface Retention {
  /** Makes the partitions that are needed next. */
  prepare(): Promise<void>
  /** Deletes what has expired; the next pass continues where this one stops. */
  pass(): Promise<void>
}

const rowsMax = 500
/** Batches of `rowsMax` executions that one deletion of a pass makes at most, so that other maintenance tasks get their turn. */
const batchesMax = 200
const keysMax = 10_000
/** Keys of 3,000 starts a second that one pass, once a minute, deletes at most. */
const keyBatchesMax = 18
const keyMs = 24 * 60 * 60 * 1000
/** Partitions that are scanned without an index are scanned this often. */
const scanEveryMs = 60 * 60 * 1000

export function createRetention({ db, now, retentionMs, readPeriods }: RetentionDeps): Retention {
  let nextScanMs = 0

  async function prepare(): Promise<void> {
    await unlessLocked(makePartitions(db, now(), retentionMs))
  }

  /** Deletes the ids that `find` returns until it finds no more; @returns whether it got to the end. */
  async function deleteBatches(find: (limit: number) => Promise<readonly string[]>): Promise<boolean> {
    for (let batch = 0; batch < batchesMax; batch++) {
      const ids = await find(rowsMax)
      await deleteExecutions(db, ids)
      if (ids.length < rowsMax) return true
    }
    return false
  }

  /** Each start may have a key, so there may be many of one minute. */
  async function deleteKeys(): Promise<void> {
    for (let batch = 0; batch < keyBatchesMax; batch++) if ((await deleteExecutionKeys(db, now() - keyMs, keysMax)) < keysMax) return
  }

  /**
   * Drops past partitions, oldest first, up to the first one with too many survivors.
   * @returns the past partitions that are left.
   */
  async function dropPast(rules: RetentionRules): Promise<readonly Partition[]> {
    if (rules.before === undefined) return []
    const bound = leastIdAt(rules.before.getTime())
    const past = (await readPartitions(db)).dated.filter(({ to }) => to <= bound)
    for (const [index, partition] of past.entries()) {
      const survivors = await findSurvivors(db, partition, rules)
      if (survivors === undefined) return past.slice(index)
      await deleteLabelsIn(db, partition, rules, rowsMax)
      if ((await unlessLocked(dropPartition(db, partition, survivors))) !== true) return []
    }
    return []
  }

  return {
    prepare,

    async pass() {
      await prepare()
      await deleteKeys()
      const rules = rulesAt(now(), retentionMs, await readPeriods())
      await deleteBatches((limit) => findExpiredEarly(db, rules, limit))
      if (now() < nextScanMs) return
      const left = await dropPast(rules)
      for (const partition of left) {
        if (!(await isWorthCompacting(db, partition, rules))) continue
        await deleteLabelsIn(db, partition, rules, rowsMax)
        await unlessLocked(compactPartition(db, partition, rules))
      }
      if (rules.before !== undefined) await deleteForgottenRetries(db, rules.before, rowsMax * 20)
      const completed = []
      for (const partition of [{ name: 'kept' }, { name: 'default' }, ...left])
        completed.push(await deleteBatches((limit) => findExpiredIn(db, partition, rules, limit)))
      if (completed.every((done) => done)) nextScanMs = now() + scanEveryMs
    },
  }
}

const lockNotAvailable = '55P03'

/** @returns undefined when a lock timed out; the next pass tries again. */
async function unlessLocked<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (sqlStateOf(error) === lockNotAvailable) return undefined
    throw error
  }
}
