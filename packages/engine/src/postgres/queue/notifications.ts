import { Socket } from 'node:net'
import { Client, type Pool, type PoolClient } from 'pg'
import { pause } from '#durable/process/pause.ts'

const CHANNEL = 'millrace_work'
/** A notification may have less than 8,000 bytes, an id has 36. */
const IDS_MAX = 200
const RECONNECT_MS = { first: 1_000, max: 30_000 } as const

/** Notifies all processes when this transaction commits: of new jobs on the queue (no ids), or of signalled executions that they may run. */
export async function notifyWorkers(client: Pick<PoolClient, 'query'>, executionIds: readonly string[]): Promise<void> {
  // Signals of the rest are found by the next regular poll.
  await client.query({ name: 'notify', text: `select pg_notify('${CHANNEL}', $1)`, values: [executionIds.slice(0, IDS_MAX).join(' ')] })
}

export interface NotificationListenerDeps {
  readonly pool: Pool
  /** Gets the ids of signalled executions, whichever process runs them; none where there are new jobs on the queue. */
  readonly onNotification: (executionIds: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Listens to the notifications of other processes. They only save time: processes poll as well, so nothing is lost while disconnected. */
export interface NotificationListener {
  start(): void
  stop(): Promise<void>
}

/** Uses a connection outside the pool, since it would occupy one of the pool permanently. */
export function createNotificationListener({ pool, onNotification, onError }: NotificationListenerDeps): NotificationListener {
  const stopping = new AbortController()
  const { signal } = stopping
  let loop: Promise<void> = Promise.resolve()

  async function listenOnce(): Promise<void> {
    // A socket without a timeout: hours may pass between notifications.
    const client = new Client({ ...pool.options, stream: () => new Socket() })
    const disconnected = Promise.withResolvers<void>()
    client.on('error', disconnected.reject)
    client.on('end', () => disconnected.resolve())
    client.on('notification', ({ payload = '' }) => onNotification(payload === '' ? [] : payload.split(' ')))
    const leave = () => disconnected.resolve()
    signal.addEventListener('abort', leave)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // Makes up for notifications that were sent while no connection listened.
      onNotification([])
      await disconnected.promise
    } finally {
      signal.removeEventListener('abort', leave)
      disconnected.promise.catch(() => undefined)
      await client.end().catch(() => undefined)
    }
  }

  async function listen(): Promise<void> {
    for (let delayMs: number = RECONNECT_MS.first; !signal.aborted; delayMs = Math.min(2 * delayMs, RECONNECT_MS.max)) {
      const sinceMs = performance.now()
      await listenOnce().catch(onError)
      if (performance.now() - sinceMs > RECONNECT_MS.max) delayMs = RECONNECT_MS.first
      if (!signal.aborted) await pause(delayMs, signal)
    }
  }

  return {
    start() {
      loop = listen()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
