import type { PoolClient } from 'pg'
import { type KeptLookup, readKeptEvents, readKeptFirst, readKeptOfKey } from './read-kept.ts'
import type { FoundListener } from './read-bus.ts'
import type { StoredEvent } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

/** Events read at a time. */
const PAGE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

interface Stream {
  head: StoredEvent
  readonly listeners: readonly FoundListener[]
  readonly rest: AsyncGenerator<StoredEvent>
}

/**
 * What is kept that listeners of one account might take, each event once, oldest first: by the index of what their filters correlate by, and for those whose values are not
 * known before by the type. No more is read for listeners that wait no more.
 */
export async function* keptEvents(
  client: Client,
  accountId: string,
  listeners: readonly FoundListener[],
  waits: (listener: FoundListener) => boolean,
): AsyncGenerator<StoredEvent> {
  const [keyed, others] = [listeners.filter(isKeyed), listeners.filter((one) => !isKeyed(one))]
  const streams = [...(await keyedStreams(client, accountId, keyed)), ...(await typedStreams(client, accountId, others))]
  while (streams.length > 0) {
    const { head } = streams.reduce((one, other) => (other.head.id < one.head.id ? other : one))
    yield head
    for (const stream of streams.filter((one) => one.head.id === head.id)) {
      const next = stream.listeners.some(waits) ? await stream.rest.next() : undefined
      if (next?.done === false) stream.head = next.value
      else streams.splice(streams.indexOf(stream), 1)
    }
  }
}

/** Whether what it wants is found by the index of what is kept. */
export function isKeyed({ key, filter }: FoundListener): boolean {
  return key !== undefined && !filter.readsScope
}

async function keyedStreams(client: Client, accountId: string, listeners: readonly FoundListener[]): Promise<readonly Stream[]> {
  const asked = [...Map.groupBy(listeners, ({ filterId, key }) => `${filterId} ${key}`).values()].flatMap((all) => {
    const [{ filterId, key } = {}] = all
    return filterId === undefined || key === undefined ? [] : [{ all, lookup: { accountId, filterId, key } }]
  })
  const firsts = await readKeptFirst(
    client,
    accountId,
    asked.map(({ lookup }) => lookup),
  )
  return asked.flatMap(({ all, lookup }, place) => {
    const head = firsts.get(place)
    return head === undefined ? [] : [{ head, listeners: all, rest: keptOfKey(client, lookup, head.id) }]
  })
}

async function typedStreams(client: Client, accountId: string, listeners: readonly FoundListener[]): Promise<readonly Stream[]> {
  const streams: Stream[] = []
  for (const [type, all] of Map.groupBy(listeners, ({ filter }) => filter.type)) {
    const rest = keptOfType(client, accountId, type)
    const first = await rest.next()
    if (first.done !== true) streams.push({ head: first.value, listeners: all, rest })
  }
  return streams
}

/** What an account keeps of a type, or of all where it is undefined, page by page. */
export function keptOfType(client: Client, accountId: string, type: string | undefined, first = FIRST_ID): AsyncGenerator<StoredEvent> {
  return paged(first, (after) => readKeptEvents(client, { accountId, type }, after, PAGE))
}

function keptOfKey(client: Client, lookup: KeptLookup, first: string): AsyncGenerator<StoredEvent> {
  return paged(first, (after) => readKeptOfKey(client, lookup, after, PAGE))
}

async function* paged(first: string, read: (after: string) => Promise<readonly StoredEvent[]>): AsyncGenerator<StoredEvent> {
  for (let after: string | undefined = first; after !== undefined; ) {
    const page: readonly StoredEvent[] = await read(after)
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)?.id
  }
}
