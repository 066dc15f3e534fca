import type { PoolClient } from 'pg'
import { readKeptEvents } from './read-bus.ts'
import type { StoredEvent } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

/** Events read at a time. */
const PAGE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** What an account keeps of some types, oldest first; `types` undefined for all of them. Each type is read by its own index, page by page. */
export async function* keptEvents(client: Client, accountId: string, types: readonly string[] | undefined): AsyncGenerator<StoredEvent> {
  const streams = (types ?? [undefined]).map((type) => keptOfType(client, accountId, type))
  const heads: { event: StoredEvent; readonly stream: AsyncGenerator<StoredEvent> }[] = []
  for (const stream of streams) {
    const first = await stream.next()
    if (first.done !== true) heads.push({ event: first.value, stream })
  }
  while (heads.length > 0) {
    const head = heads.reduce((one, other) => (other.event.id < one.event.id ? other : one))
    yield head.event
    const next = await head.stream.next()
    if (next.done === true) heads.splice(heads.indexOf(head), 1)
    else head.event = next.value
  }
}

async function* keptOfType(client: Client, accountId: string, type: string | undefined): AsyncGenerator<StoredEvent> {
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const page: readonly StoredEvent[] = await readKeptEvents(client, { accountId, type }, after, PAGE)
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)?.id
  }
}
