import type { PoolClient } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Queue } from '#durable/ports/queue.ts'
import { notifyWorkers } from './notifications.ts'

/** The queue of executions to be claimed. */
export const RUN_QUEUE = 'run'

export interface Job {
  readonly executionId: string
  /** The group by which pg-boss shares the processes among accounts. */
  readonly accountId: string
  /** Milliseconds since the epoch; undefined: at once. */
  readonly notBeforeMs: number | undefined
}

type Client = Pick<PoolClient, 'query'>

/** Sends jobs in the transaction of the caller. */
export interface JobSender {
  send(client: Client, jobs: readonly Job[]): Promise<void>
}

export interface JobClaimer {
  /** @param workers processes that run executions. */
  fetch(client: Client, count: number, workers: number): Promise<readonly { readonly jobId: string; readonly executionId: string }[]>
  /** Ends jobs. */
  end(client: Client, jobIds: readonly string[]): Promise<void>
  /** Ends active jobs of executions that no process runs: those of dead processes, which would count against their account until they expire. */
  endAbandoned(client: Client): Promise<void>
}

export interface JobQueueOptions {
  /** Concurrent executions of one account from the queue, for each process that runs executions; the limit is their sum over all processes. */
  readonly perAccountMax: number
}

interface JobData {
  readonly executionId: string
}

/** A job without a heartbeat for this long can be fetched by another process; heartbeats are far more frequent. */
const HEARTBEAT_SECONDS = 60
/** After this time a job is sent again; if the execution is still claimed, the new job is ended. */
const EXPIRE_SECONDS = 23 * 60 * 60

/** The job queue on pg-boss. A job has only an execution's id: a superfluous job ends without effect, and recovery replaces a lost one. */
export async function openJobQueue(boss: PgBoss, options: JobQueueOptions): Promise<Queue & JobSender & JobClaimer> {
  await boss.createQueue(RUN_QUEUE, {
    policy: 'standard',
    retryLimit: 1_000_000,
    retryDelay: 0,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: 60,
    retentionSeconds: 365 * 24 * 60 * 60,
  })
  async function end(client: Client, jobIds: readonly string[]): Promise<void> {
    await boss.complete(RUN_QUEUE, [...jobIds], undefined, { db: on(client) })
  }
  return {
    async send(client, jobs) {
      const rows = jobs.map(({ executionId, accountId, notBeforeMs }) => ({
        data: { executionId } satisfies JobData,
        group: { id: accountId },
        ...(notBeforeMs === undefined ? {} : { startAfter: new Date(notBeforeMs) }),
      }))
      await boss.insert(RUN_QUEUE, rows, { db: on(client) })
      if (jobs.some(({ notBeforeMs }) => notBeforeMs === undefined)) await notifyWorkers(client, [])
    },
    async fetch(client, count, workers) {
      const groupConcurrency = options.perAccountMax * Math.max(1, workers)
      const jobs = await boss.fetch<JobData>(RUN_QUEUE, { batchSize: count, groupConcurrency, db: on(client) })
      return jobs.map(({ id, data }) => ({ jobId: id, executionId: data.executionId }))
    },
    end,
    async endAbandoned(client) {
      // Uses the index of active jobs. A job that a process ends at this moment is locked, and can be skipped.
      const { rows } = await client.query<{ id: string }>(
        `select j.id from pgboss.job j
         where j.name = $1 and j.state = 'active' and j.group_id is not null
           and not exists (select from executions e join processes p on p.id = e.claimed_by where e.id = (j.data ->> 'executionId')::uuid)
         for update of j skip locked`,
        [RUN_QUEUE],
      )
      if (rows.length > 0)
        await end(
          client,
          rows.map(({ id }) => id),
        )
    },
    async done(jobIds) {
      await boss.complete(RUN_QUEUE, [...jobIds])
    },
    async touch(jobIds) {
      await boss.touch(RUN_QUEUE, [...jobIds])
    },
  }
}

/** The connection of the transaction, as pg-boss expects it. */
function on(client: Client) {
  return { executeSql: async (text: string, values?: unknown[]) => client.query(text, values) }
}
