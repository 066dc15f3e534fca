import { setTimeout } from 'node:timers/promises'
import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'
import { type HandledJob, isScheduled } from './job.ts'
import { JOB_QUEUE, prepareJobQueue } from './job-queue.ts'
import { queueOptionsOf, type JobData } from './jobs.ts'
import { slots } from './lane.ts'

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
  /** Whether this process writes the schedules of the jobs to the queue; one process of an installation suffices. */
  readonly registersSchedules: boolean
  /** Delay after the start before the schedules are written, so that they do not slow down the start. */
  readonly schedulesDelayMs: number
  /** The interval at which an idle process looks for jobs. Default 2. */
  readonly pollingIntervalSeconds?: number
  readonly onFailure: (failure: JobFailure) => void
  /** Called when the queue could not be prepared or the schedules could not be written; the step is retried. */
  readonly onError: (error: unknown) => void
}

export interface JobWorker {
  /** Aborts the running attempts and resolves when they have ended. */
  stop(): Promise<void>
}

const retryPauseMs = 5_000
/** Ended scheduled jobs are deleted early, since many of them end and none is looked up. */
const scheduledKeepSeconds = 60

/** Runs background jobs in this process until it is stopped. The queue is prepared in the background, so that the server start does not wait for it. */
export function startJobWorker(deps: JobWorkerDeps): JobWorker {
  const { boss, registersSchedules, schedulesDelayMs, pollingIntervalSeconds = 2 } = deps
  const stopping = new AbortController()
  const byName = new Map(deps.jobs.map((handled) => [handled.job.name, handled]))

  /** Runs one attempt; it fails when the promise rejects. */
  async function attempt(row: JobWithMetadata<JobData>): Promise<object> {
    const { id, data, retryCount, retryLimit } = row
    let reported: JsonValue | undefined
    const handled = byName.get(data.name)
    try {
      if (handled === undefined) throw new Error(`no job of the name ${data.name} is known to this version`)
      await handled.handle(data.payload, {
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
      const scheduled = handled !== undefined && isScheduled(handled.job)
      deps.onFailure({ name: data.name, id, attempt: retryCount + 1, retried: retryCount < retryLimit, scheduled, error })
      // oxlint-disable-next-line eslint/preserve-caught-error -- The queue stores the whole error, which may contain secrets.
      throw new Error(`the job ${data.name} failed`)
    }
  }

  async function prepare(): Promise<void> {
    await prepareJobQueue(boss, deps.db)
    // One job of each group runs at a time; the group is the key of a singleton.
    const common = { includeMetadata: true, groupConcurrency: 1, pollingIntervalSeconds } as const
    for (const slot of slots) {
      const options = { ...common, ...slot }
      let id: string | undefined
      id = await boss.work<JobData, object, typeof options>(JOB_QUEUE, options, async ([row]) => {
        try {
          return row === undefined ? {} : await attempt(row)
        } finally {
          // The next job is fetched at once; only a queue without jobs is asked at the interval.
          if (id !== undefined) boss.notifyWorker(id)
        }
      })
    }
  }

  async function run(): Promise<void> {
    await retryUntilDone(prepare)
    if (!registersSchedules) return
    await pause(schedulesDelayMs)
    await retryUntilDone(() => replaceSchedules(boss, deps.jobs))
  }

  /** Repeats a step until it succeeds, since the database may be unreachable for a while. */
  async function retryUntilDone(step: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await step()
      } catch (error) {
        deps.onError(error)
        await pause(retryPauseMs)
      }
    }
  }

  /** Resolves after `ms`, or as soon as the worker is stopped. */
  async function pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
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

/** Writes the schedules of these jobs to the queue and removes all others. */
async function replaceSchedules(boss: PgBoss, jobs: readonly HandledJob[]): Promise<void> {
  const scheduled = jobs.map(({ job }) => job).filter(isScheduled)
  for (const job of scheduled) {
    const { name, schedule } = job
    const data: JobData = { name, payload: job.payload.parse(schedule.payload) }
    await boss.schedule(JOB_QUEUE, schedule.cron, data, {
      ...queueOptionsOf(job, schedule.payload, name),
      deleteAfterSeconds: scheduledKeepSeconds,
      key: name,
    })
  }
  const names = new Set(scheduled.map(({ name }) => name))
  for (const { key } of await boss.getSchedules(JOB_QUEUE)) if (!names.has(key)) await boss.unschedule(JOB_QUEUE, key)
}

/** Stores progress in the column for the result of a job, which is unused while the job runs. */
async function writeProgress(db: Kysely<Rows>, id: string, progress: JsonValue): Promise<void> {
  await sql`update pgboss.job set output = ${JSON.stringify(outputOf(progress))}::jsonb
    where name = ${JOB_QUEUE} and id = ${id} and state = 'active'`.execute(db)
}

function outputOf(progress: JsonValue | undefined): object {
  return progress === undefined ? {} : { progress }
}
