import { afterEach, expect, test, vi } from 'vitest'
import { useLostStreams } from '#src/api/lost-streams.ts'
import { watch } from '#src/api/sse.ts'
import { useSession } from '#src/session/session.ts'

// A session of which only the state is known: its tokens are not what this is about.
vi.mock('#src/session/session.ts', async () => {
  const { create } = await import('zustand')
  return { accessToken: () => Promise.resolve(undefined), useSession: create(() => ({ state: 'in' })) }
})
vi.mock('#src/session/session-fetch.ts', () => ({ sessionFetch: (path: string, init: RequestInit) => fetch(path, init) }))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A page that can be hidden, and a server that sends one event for each connection and keeps it open, by heartbeats unless it falls silent. */
function stage({ isSilent = false } = {}) {
  const page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  const connections: { readonly after: string | null; readonly signal: AbortSignal }[] = []
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    const { signal } = init
    if (!(signal instanceof AbortSignal)) throw new Error('a connection without a signal')
    connections.push({ after: new Headers(init.headers).get('last-event-id'), signal })
    const number = connections.length
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`id: ${number}\nevent: task\ndata: {}\n\n`))
        const beat = () => controller.enqueue(new TextEncoder().encode(': still there\n\n'))
        const beating = isSilent ? undefined : setInterval(beat, 15_000)
        signal.addEventListener('abort', () => {
          clearInterval(beating)
          controller.error(signal.reason)
        })
      },
    })
    return Promise.resolve(new Response(body))
  })
  const show = (hidden: boolean) => {
    page.hidden = hidden
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { connections, show }
}

test('a stream rests while the page is hidden, and continues after its last event', async () => {
  vi.useFakeTimers()
  const { connections, show } = stage()
  const stop = new AbortController()
  const events: (string | undefined)[] = []
  const watching = watch({ path: '/stream', signal: stop.signal, onEvent: ({ id }) => events.push(id), restsUnseen: true })
  await vi.waitFor(() => expect(events).toEqual(['1']))
  show(true)
  await vi.advanceTimersByTimeAsync(5_000)
  show(false)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connections.map(({ signal }) => signal.aborted)).toEqual([false])
  show(true)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connections.map(({ signal }) => signal.aborted)).toEqual([true])
  show(false)
  await vi.waitFor(() => expect(events).toEqual(['1', '2']))
  expect(connections.map(({ after }) => after)).toEqual([null, '1'])
  show(true)
  stop.abort()
  await watching
  expect(connections.at(-1)?.signal.aborted).toBe(true)
})

test('a stream that does not reach the server counts as lost until it does; one that the server refuses does not', async () => {
  vi.useFakeTimers()
  const { connections } = stage()
  const serve = fetch
  const refusal = () => new Response('{}', { status: 503, headers: { 'content-type': 'application/problem+json' } })
  let answer: () => Promise<Response> = () => Promise.reject(new TypeError('refused'))
  vi.stubGlobal('fetch', () => answer())
  const stop = new AbortController()
  const events: (string | undefined)[] = []
  const watching = watch({ path: '/stream', signal: stop.signal, onEvent: ({ id }) => events.push(id) })
  const lost = () => useLostStreams.getState().lost
  const minute = () => vi.advanceTimersByTimeAsync(60_000)
  await minute()
  expect(lost()).toBe(1)
  answer = () => Promise.resolve(refusal())
  await minute()
  expect(lost()).toBe(0)
  answer = () => Promise.reject(new TypeError('refused'))
  await minute()
  expect(lost()).toBe(1)
  vi.stubGlobal('fetch', serve)
  await minute()
  expect([events, lost()]).toEqual([['1'], 0])
  expect(connections).toHaveLength(1)
  stop.abort()
  await watching
  expect(lost()).toBe(0)
})

test('a stream that falls silent without being closed counts as lost, and is opened again', async () => {
  vi.useFakeTimers()
  const { connections } = stage({ isSilent: true })
  const serve = fetch
  const stop = new AbortController()
  const events: (string | undefined)[] = []
  const watching = watch({ path: '/stream', signal: stop.signal, onEvent: ({ id }) => events.push(id) })
  const lost = () => useLostStreams.getState().lost
  await vi.advanceTimersByTimeAsync(37_000)
  expect([connections[0]?.signal.aborted, lost()]).toEqual([false, 0])
  // The second connection does not get as far as a response.
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers()
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  await vi.advanceTimersByTimeAsync(20_000)
  expect([connections[0]?.signal.aborted, lost()]).toEqual([true, 1])
  vi.stubGlobal('fetch', serve)
  await vi.advanceTimersByTimeAsync(25_000)
  expect([events, connections.map(({ after }) => after), lost()]).toEqual([['1', '2'], [null, '1'], 0])
  stop.abort()
  await watching
})

test('a stream continues after its last event when the person has signed in again, without attempts in between', async () => {
  vi.useFakeTimers()
  const { connections } = stage()
  const stop = new AbortController()
  const events: (string | undefined)[] = []
  let refusals = 0
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (refusals > 0) return answer(path, init)
    refusals += 1
    useSession.setState({ state: 'expired' })
    return Promise.resolve(new Response(null, { status: 401 }))
  })
  const watching = watch({ path: '/stream', signal: stop.signal, onEvent: ({ id }) => events.push(id) })
  await vi.waitFor(() => expect(refusals).toBe(1))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(connections).toEqual([])
  useSession.setState({ state: 'in' })
  await vi.waitFor(() => expect(events).toEqual(['1']))
  stop.abort()
  await watching
})

test('a stream that is refused ends, and one that waits for a sign-in ends with its page', async () => {
  stage()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 401 })))
  const stop = new AbortController()
  await watch({ path: '/stream', signal: stop.signal, onEvent: () => undefined })
  useSession.setState({ state: 'expired' })
  const watching = watch({ path: '/stream', signal: stop.signal, onEvent: () => undefined })
  stop.abort()
  expect(await watching).toBeUndefined()
  useSession.setState({ state: 'in' })
})
