import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { watch } from '#src/api/sse.ts'
import { useLive } from '#src/app/live-changes.ts'

type Word = { readonly kind: string } | { readonly live: boolean } | 'hello'

/** First parts of the keys of queries that a kind of change concerns; a key that ends in a full stop is followed by an id. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  execution: ['runs', 'runs.', 'home.runs', 'home.letters', 'chains'],
  approval: ['approvals', 'run.approvals'],
  trigger: ['starts', 'workflows', 'home.workflows'],
  notification: ['notifications'],
  workflow: ['workflows', 'home.workflows'],
}

/** The first change is shown at once, those that follow together: an account with many runs must not spend its rate limit on a list. */
const restMs = 4000
const gatherMs = 250

/**
 * Reads lists again when the stream of the account reports a change. One tab of the browser has the stream, since a browser opens six connections to a server at most; the
 * others get its words by a channel, and one of them takes over when the tab is closed.
 */
export function followChanges(queries: QueryClient): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel('millrace.changes')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target: it reaches pages of this origin alone.
  const send = (word: Word) => channel.postMessage(word)
  const refresh = refreshing(queries)
  let leads = false
  const take = (word: Word) => {
    if (word === 'hello') {
      if (leads) send({ live: useLive.getState().live })
    } else if ('kind' in word) refresh.note(word.kind)
    else useLive.setState({ live: word.live })
  }
  const say = (word: Word) => {
    take(word)
    send(word)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => take(data))
  send('hello')
  void navigator.locks
    .request('millrace.changes', { signal: stop.signal }, async () => {
      leads = true
      await watch({
        path: '/api/v1/stream',
        signal: stop.signal,
        onLive: (live) => say({ live }),
        onEvent: ({ event = '', data }) => {
          if (event !== 'ready') say({ kind: event.split('.')[0] ?? '' })
          else if (!/"resumed":\s*true/.test(data)) say({ kind: 'all' })
        },
      })
    })
    // A page that leaves while it waits for the lock.
    .catch(() => undefined)
  return () => {
    stop.abort()
    refresh.stop()
    channel.close()
    useLive.setState({ live: false })
  }
}

function refreshing(queries: QueryClient) {
  const noted = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let lastAt = 0
  const read = () => {
    dueAt = Number.POSITIVE_INFINITY
    lastAt = Date.now()
    const prefixes = [...noted].flatMap((kind) => (kind === 'all' ? Object.values(concerned).flat() : (concerned[kind] ?? [])))
    noted.clear()
    void queries.invalidateQueries({ predicate: ({ queryKey }) => prefixes.some((prefix) => isOf(prefix, queryKey)) })
  }
  return {
    note(kind: string) {
      noted.add(kind)
      // When the stream begins, the page has just read its lists.
      const waitMs = kind === 'all' ? restMs : Math.max(gatherMs, lastAt + restMs - Date.now())
      if (Date.now() + waitMs >= dueAt) return
      clearTimeout(timer)
      dueAt = Date.now() + waitMs
      timer = setTimeout(read, waitMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function isOf(prefix: string, [first]: QueryKey): boolean {
  return typeof first === 'string' && (prefix.endsWith('.') ? first.startsWith(prefix) : first === prefix)
}
