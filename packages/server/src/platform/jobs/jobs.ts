import type { JsonValue } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'
import type { Job } from './job.ts'
import { bossDatabase, JOB_QUEUE, prepareJobQueue } from './job-queue.ts'

export interface JobsDeps {
  readonly boss: PgBoss
  /** Sees every account. */
  readonly db: Kysely<Rows>
  readonly newId: () => string
}

/** How far a job has come. */
export interface JobProgress {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'completed' | 'failed'
  /** Attempts begun so far. */
  readonly attempts: number
  /** What the handler reported last, in this attempt or, once the job has completed, at all. */
  readonly progress: JsonValue | undefined
}

/** Sends background jobs, and reads how far they have come. */
export interface Jobs {
  /**
   * Sends a job in the transaction of the caller: it runs once that has committed, and never if it rolls back. Throws for a payload that the
   * job's schema does not take.
   * @returns the id, or undefined for a singleton of which one waits already.
   */
  send<P extends JsonValue>(
    executor: Kysely<Rows>,
    job: Job<P>,
    payload: P,
    options?: { readonly startAfter?: Date },
  ): Promise<string | undefined>
  /** Undefined for an id that is unknown, or of a job that ended more than a day ago. */
  find(id: string): Promise<JobProgress | undefined>
}

/** What a row of the queue carries. */
export interface JobData {
  readonly name: string
  readonly payload: JsonValue
}

/** Makes the sender. The queue is made on the first use, so that a start of the server does not wait for it. */
export function createJobs({ boss, db, newId }: JobsDeps): Jobs {
  let made: Promise<void> | undefined

  function ready(): Promise<void> {
    made ??= prepareJobQueue(boss, db).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }

  return {
    async send(executor, job, payload, { startAfter } = {}) {
      const parsed = job.payload.parse(payload)
      await ready()
      const id = newId()
      const data: JobData = { name: job.name, payload: parsed }
      const row = { id, data, ...deliveryOf(job, parsed, id), ...(startAfter === undefined ? {} : { startAfter }) }
      const sent = await boss.insert(JOB_QUEUE, [row], { db: bossDatabase(executor), returnId: true })
      return sent?.length === 1 ? id : undefined
    },

    async find(id) {
      await ready()
      const found = await boss.getJobById<JobData>(JOB_QUEUE, id)
      return found === null ? undefined : progressOf(found)
    },
  }
}

/** The options of pg-boss for one job. The group bounds what runs at a time, the key what waits. */
export function deliveryOf<P extends JsonValue>({ name, retry, singleton }: Job<P>, payload: P, id: string) {
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Out of a column of JSON, written by `report`.
  return { name: data.name, state: stateNames[state], attempts, progress: reported as JsonValue | undefined }
}
