import { Socket } from 'node:net'
import { Client, type Pool, type PoolClient } from 'pg'
import { pause } from '#durable/process/pause.ts'

const CHANNEL = 'millrace_work'
/** A notification holds less than 8,000 bytes, an id 36. */
const IDS_MAX = 200
const RECONNECT_MS = { first: 1_000, max: 30_000 } as const

/** Tells all processes, with the commit of this transaction, that there is work on the queue, or that something came to executions that they run. */
export async function ring(client: Pick<PoolClient, 'query'>, executionIds: readonly string[]): Promise<void> {
  // Who does not hear of the rest finds it with its next look.
  await client.query({ name: 'ring', text: `select pg_notify('${CHANNEL}', $1)`, values: [executionIds.slice(0, IDS_MAX).join(' ')] })
}

export interface BellDeps {
  readonly pool: Pool
  /** Given executions that something came to, whoever runs them; none where there is work on the queue. */
  readonly onRing: (executionIds: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Hears other processes. It only saves time: everything is looked for now and then as well, so what is missed while it is deaf comes later. */
export interface Bell {
  start(): void
  stop(): Promise<void>
}

/** Keeps a connection of its own, since one of the pool's would be taken from those who write. */
export function createBell({ pool, onRing, onError }: BellDeps): Bell {
  const stopping = new AbortController()
  const { signal } = stopping
  let loop: Promise<void> = Promise.resolve()

  async function hear(): Promise<void> {
    // Nothing may come for hours: its silence means nothing.
    const client = new Client({ ...pool.options, stream: () => new Socket() })
    const over = Promise.withResolvers<void>()
    client.on('error', over.reject)
    client.on('end', () => over.resolve())
    client.on('notification', ({ payload = '' }) => onRing(payload === '' ? [] : payload.split(' ')))
    const leave = () => over.resolve()
    signal.addEventListener('abort', leave)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // What was rung for while nobody heard.
      onRing([])
      await over.promise
    } finally {
      signal.removeEventListener('abort', leave)
      over.promise.catch(() => undefined)
      await client.end().catch(() => undefined)
    }
  }

  async function listen(): Promise<void> {
    for (let delayMs: number = RECONNECT_MS.first; !signal.aborted; delayMs = Math.min(2 * delayMs, RECONNECT_MS.max)) {
      const since = performance.now()
      await hear().catch(onError)
      if (performance.now() - since > RECONNECT_MS.max) delayMs = RECONNECT_MS.first
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
