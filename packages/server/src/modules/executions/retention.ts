import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'
import { compactPartition, isWorthCompacting } from './retention-compact.ts'
import { deleteExecutions, findExpiredEarly, findExpiredIn, sweepExecutionKeys } from './retention-delete.ts'
import { dropPartition, findSurvivors } from './retention-drop.ts'
import { makePartitions, type Partition, readPartitions } from './retention-partitions.ts'
import { readRules, type RetentionRules } from './retention-rules.ts'

export interface RetentionDeps {
  readonly db: Kysely<Rows>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** How long executions are kept after their end unless something else is said; undefined for ever. */
  readonly retentionMs: number | undefined
}

/** Keeps the tables of executions within bounds. */
export interface Retention {
  /** Makes the partitions that are needed next. */
  prepare(): Promise<void>
  /** Does what is due; what it leaves the next pass takes. */
  pass(): Promise<void>
}

const rowsMax = 500
/** One pass deletes at most so many times `rowsMax` executions, so that other chores get their turn. */
const batchesMax = 200
const keyMs = 24 * 60 * 60 * 1000
/** Partitions that are looked through without an index are looked through this often. */
const scanEveryMs = 60 * 60 * 1000

export function createRetention({ db, now, retentionMs }: RetentionDeps): Retention {
  let scanDueMs = 0

  async function prepare(): Promise<void> {
    await unlessLocked(makePartitions(db, now(), retentionMs))
  }

  /** Deletes what is found until nothing is; @returns whether it came to the end. */
  async function deleteFound(find: (limit: number) => Promise<readonly string[]>): Promise<boolean> {
    for (let batch = 0; batch < batchesMax; batch++) {
      const ids = await find(rowsMax)
      await deleteExecutions(db, ids)
      if (ids.length < rowsMax) return true
    }
    return false
  }

  /**
   * Drops partitions that are past, oldest first, as far as what is still to be kept of them can be moved.
   * @returns those that are left.
   */
  async function dropPast(rules: RetentionRules): Promise<readonly Partition[]> {
    if (rules.before === undefined) return []
    const bound = leastId(rules.before.getTime())
    const past = (await readPartitions(db)).dated.filter(({ to }) => to <= bound)
    for (const [index, partition] of past.entries()) {
      const survivors = await findSurvivors(db, partition, rules)
      if (survivors === undefined) return past.slice(index)
      if ((await unlessLocked(dropPartition(db, partition, survivors))) !== true) return []
    }
    return []
  }

  return {
    prepare,

    async pass() {
      await prepare()
      await sweepExecutionKeys(db, now() - keyMs, rowsMax * 20)
      const rules = await readRules(db, now(), retentionMs)
      await deleteFound((limit) => findExpiredEarly(db, rules, limit))
      if (now() < scanDueMs) return
      const left = await dropPast(rules)
      for (const partition of left) {
        if (await isWorthCompacting(db, partition, rules)) await unlessLocked(compactPartition(db, partition, rules))
      }
      const scanned = [{ name: 'kept' }, { name: 'default' }, ...left]
      const ends = []
      for (const partition of scanned) ends.push(await deleteFound((limit) => findExpiredIn(db, partition, rules, limit)))
      if (ends.every((end) => end)) scanDueMs = now() + scanEveryMs
    },
  }
}

const lockNotAvailable = '55P03'

/** What somebody else holds is not waited for: the next pass comes soon, and until then nothing is lost. */
async function unlessLocked<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return undefined
    throw error
  }
}
