import type { JsonValue } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'
import type { Job } from './job.ts'
import { bossDatabase, JOB_QUEUE, prepareJobQueue } from './job-queue.ts'
import { type JobLanes, priorities } from './lane.ts'

export interface JobsDeps {
  readonly boss: PgBoss
  /** An executor with access to the rows of every account. */
  readonly db: Kysely<Rows>
  readonly newId: () => string
  readonly lanes?: JobLanes
}

/** The state of a job. */
export interface JobProgress {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'completed' | 'failed'
  /** Attempts that have begun. */
  readonly attempts: number
  /** The last progress that the handler reported in the current or last attempt. */
  readonly progress: JsonValue | undefined
}

/** Sends background jobs and reads their state. */
export interface Jobs {
  /** Prepares the queue. Call it before a transaction in which `send` may be the first: inside, preparing would wait for a second connection. */
  ready(): Promise<void>
  /**
   * Sends a job in the transaction of the caller: it runs after the commit, and never after a rollback. Throws when the payload does not match
   * the schema of the job.
   * @returns the id, or undefined when a singleton with the same key waits already.
   */
  send<P extends JsonValue>(
    executor: Kysely<Rows>,
    job: Job<P>,
    payload: P,
    options?: { readonly startAfter?: Date },
  ): Promise<string | undefined>
  /** @returns undefined for an unknown id, and for a job that ended more than a day ago. */
  find(id: string): Promise<JobProgress | undefined>
}

/** The data of one row of the queue. */
export interface JobData {
  readonly name: string
  readonly payload: JsonValue
}

/** Creates the sender. It prepares the queue on first use, so that the server start does not wait for it. */
export function createJobs({ boss, db, newId, lanes = {} }: JobsDeps): Jobs {
  let preparation: Promise<void> | undefined

  function ready(): Promise<void> {
    preparation ??= prepareJobQueue(boss, db).catch((error: unknown) => {
      preparation = undefined
      throw error
    })
    return preparation
  }

  return {
    ready,
    async send(executor, job, payload, { startAfter } = {}) {
      const parsed = job.payload.parse(payload)
      await ready()
      const id = newId()
      const data: JobData = { name: job.name, payload: parsed }
      const priority = priorities[lanes[job.name] ?? 'ordinary']
      const row = { id, data, priority, ...queueOptionsOf(job, parsed, id), ...(startAfter === undefined ? {} : { startAfter }) }
      const sent = await boss.insert(JOB_QUEUE, [row], { db: bossDatabase(executor), returnId: true })
      return sent?.length === 1 ? id : undefined
    },

    async find(id) {
      await ready()
      const row = await boss.getJobById<JobData>(JOB_QUEUE, id)
      return row === null ? undefined : progressOf(row)
    },
  }
}

/** The options of pg-boss for one job: `group` bounds how many run at a time, `singletonKey` how many wait. */
export function queueOptionsOf<P extends JsonValue>({ name, retry, singleton }: Job<P>, payload: P, id: string) {
  const key = singleton === undefined ? undefined : `${name}/${singleton(payload)}`
  return {
    retryLimit: retry.limit,
    retryDelay: retry.delaySeconds,
    retryDelayMax: retry.delaySecondsMax,
    retryBackoff: true,
    singletonKey: key ?? id,
    ...(key === undefined ? {} : { group: { id: key } }),
  }
}

const stateNames = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
} as const

function progressOf({ state, data, retryCount, startedOn, output }: JobWithMetadata<JobData>): JobProgress {
  const attempts = startedOn === null ? 0 : retryCount + 1
  const reported: unknown = output === null ? undefined : Reflect.get(output, 'progress')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `report` writes only JSON to this column.
  return { name: data.name, state: stateNames[state], attempts, progress: reported as JsonValue | undefined }
}
