import type { PoolClient } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Queue } from '#durable/ports/queue.ts'
import { notifyWorkers } from './notifications.ts'

/** The queue that carries executions to processes that have room. */
export const RUN_QUEUE = 'run'

export interface Job {
  readonly executionId: string
  /** Accounts share the processes by it. */
  readonly accountId: string
  readonly afterMs: number | undefined
}

type Client = Pick<PoolClient, 'query'>

/** The queue as part of somebody else's transaction. */
export interface JobSender {
  send(client: Client, jobs: readonly Job[]): Promise<void>
}

export interface JobClaimer {
  /** @param workers processes that run executions. */
  fetch(client: Client, count: number, workers: number): Promise<readonly { readonly jobId: string; readonly executionId: string }[]>
  /** Ends jobs. */
  end(client: Client, jobIds: readonly string[]): Promise<void>
  /** Ends jobs that are under way for executions that nobody runs: those of processes that are gone, which would count as their account's until they expire. */
  endAbandoned(client: Client): Promise<void>
}

export interface JobQueueOptions {
  /** Executions of one account that come from the queue and run at the same time, for each process that runs any; it counts over all of them. */
  readonly perAccountMax: number
}

interface JobData {
  readonly executionId: string
}

/** A job of a process that died is given to another after this; it is touched far more often. */
const HEARTBEAT_SECONDS = 60
/** An execution that runs longer than this in one process is looked at again: its claim says that it is in good hands. */
const EXPIRE_SECONDS = 23 * 60 * 60

/** pg-boss as the engine uses it: jobs carry an id and nothing else, so one too many does no harm and one that is lost is found by its row. */
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
      const rows = jobs.map(({ executionId, accountId, afterMs }) => ({
        data: { executionId } satisfies JobData,
        group: { id: accountId },
        ...(afterMs === undefined ? {} : { startAfter: new Date(afterMs) }),
      }))
      await boss.insert(RUN_QUEUE, rows, { db: on(client) })
      if (jobs.some(({ afterMs }) => afterMs === undefined)) await notifyWorkers(client, [])
    },
    async fetch(client, count, workers) {
      const groupConcurrency = options.perAccountMax * Math.max(1, workers)
      const jobs = await boss.fetch<JobData>(RUN_QUEUE, { batchSize: count, groupConcurrency, db: on(client) })
      return jobs.map(({ id, data }) => ({ jobId: id, executionId: data.executionId }))
    },
    end,
    async endAbandoned(client) {
      // By the index on what is active. What a process ends at this moment is locked, and needs nobody else.
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

/** pg-boss speaks to the database through this. */
function on(client: Client) {
  return { executeSql: async (text: string, values?: unknown[]) => client.query(text, values) }
}
