import { setTimeout } from 'node:timers/promises'
import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'
import { type HandledJob, isScheduled } from './job.ts'
import { JOB_QUEUE, prepareJobQueue } from './job-queue.ts'
import { deliveryOf, type JobData } from './jobs.ts'

/** An attempt that failed. */
export interface JobFailure {
  readonly name: string
  readonly id: string
  readonly attempt: number
  /** Whether another attempt follows. */
  readonly retried: boolean
  readonly scheduled: boolean
  readonly error: unknown
}

export interface JobWorkerDeps {
  readonly boss: PgBoss
  readonly db: Kysely<Rows>
  readonly jobs: readonly HandledJob[]
  /** Whether this process enters the schedules of the jobs; one of an installation suffices. */
  readonly schedules: boolean
  /** Time after the start at which schedules are entered for the first time, so that a start has the database for itself. */
  readonly schedulesAfterMs: number
  /** How long a job waits at most to be seen by a process that has nothing to do; 2 unless given. */
  readonly pollingIntervalSeconds?: number
  readonly onFailure: (failure: JobFailure) => void
  /** The queue could not be prepared; it is tried again. */
  readonly onError: (error: unknown) => void
}

export interface JobWorker {
  /** Aborts what is under way, and resolves when it has ended. */
  stop(): Promise<void>
}

const concurrency = 2
const prepareAgainMs = 5_000
/** Ended jobs of a schedule are of no interest: the next one is due soon. */
const scheduledKeepSeconds = 60

/** Handles background jobs in this process until it is stopped. The queue is prepared in the background, so that a start does not wait for it. */
export function startJobWorker(deps: JobWorkerDeps): JobWorker {
  const { boss, schedules, schedulesAfterMs, pollingIntervalSeconds = 2 } = deps
  const stopping = new AbortController()
  const byName = new Map(deps.jobs.map((one) => [one.job.name, one]))

  /** Does one attempt; a rejection fails it. */
  async function attempt(row: JobWithMetadata<JobData>): Promise<object> {
    const { id, data, retryCount, retryLimit } = row
    let reported: JsonValue | undefined
    const one = byName.get(data.name)
    try {
      if (one === undefined) throw new Error(`no job of the name ${data.name} is known to this version`)
      await one.handle(data.payload, {
        id,
        attempt: retryCount + 1,
        signal: AbortSignal.any([row.signal, stopping.signal]),
        async report(progress) {
          reported = progress
          await writeProgress(deps.db, id, progress)
        },
      })
      return outputOf(reported)
    } catch (error) {
      const scheduled = one !== undefined && isScheduled(one.job)
      deps.onFailure({ name: data.name, id, attempt: retryCount + 1, retried: retryCount < retryLimit, scheduled, error })
      // oxlint-disable-next-line eslint/preserve-caught-error -- The queue writes the error down whole, and it may contain secrets.
      throw new Error(`the job ${data.name} failed`)
    }
  }

  async function prepare(): Promise<void> {
    await prepareJobQueue(boss, deps.db)
    // One job runs at a time of each group: of each key of a singleton.
    const options = { includeMetadata: true, localConcurrency: concurrency, groupConcurrency: 1, pollingIntervalSeconds } as const
    await boss.work<JobData, object, typeof options>(JOB_QUEUE, options, async ([row]) => (row === undefined ? {} : attempt(row)))
  }

  async function run(): Promise<void> {
    await untilDone(prepare, prepareAgainMs)
    if (!schedules) return
    await setTimeout(schedulesAfterMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    await untilDone(() => enterSchedules(boss, deps.jobs), prepareAgainMs)
  }

  /** The database may be away for a while. */
  async function untilDone(step: () => Promise<void>, againMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await step()
      } catch (error) {
        deps.onError(error)
        await setTimeout(againMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      }
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      await boss.offWork(JOB_QUEUE, { wait: true })
    },
  }
}

/** Makes the schedules of an installation those of these jobs. */
async function enterSchedules(boss: PgBoss, jobs: readonly HandledJob[]): Promise<void> {
  const scheduled = jobs.map(({ job }) => job).filter(isScheduled)
  for (const job of scheduled) {
    const { name, schedule } = job
    const data: JobData = { name, payload: job.payload.parse(schedule.payload) }
    await boss.schedule(JOB_QUEUE, schedule.cron, data, {
      ...deliveryOf(job, schedule.payload, name),
      deleteAfterSeconds: scheduledKeepSeconds,
      key: name,
    })
  }
  const names = new Set(scheduled.map(({ name }) => name))
  for (const { key } of await boss.getSchedules(JOB_QUEUE)) if (!names.has(key)) await boss.unschedule(JOB_QUEUE, key)
}

/** The column in which pg-boss keeps the result of a job serves for its progress until it has one. */
async function writeProgress(db: Kysely<Rows>, id: string, progress: JsonValue): Promise<void> {
  await sql`update pgboss.job set output = ${JSON.stringify(outputOf(progress))}::jsonb
    where name = ${JOB_QUEUE} and id = ${id} and state = 'active'`.execute(db)
}

function outputOf(progress: JsonValue | undefined): object {
  return progress === undefined ? {} : { progress }
}
