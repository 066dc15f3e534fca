/** One server-sent event. */
export interface StreamEvent {
  readonly event: string
  readonly id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests reach into events and compare; a wrong member is undefined and fails there.
  readonly data: any
}

/** A stream that is being read. */
export interface EventStream extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** What came so far, comments and `retry` included. */
  readonly text: () => string
  /** The next event; undefined when the server has closed the stream. */
  next(): Promise<StreamEvent | undefined>
  /** The next events up to the one that fits, which is the last; all that are left when none does. */
  until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent[]>
  /** All events until the server closes the stream. */
  rest(): Promise<StreamEvent[]>
  /** Resolves when so much text has come that it fits. */
  textThat(fits: (text: string) => boolean): Promise<void>
  /** Hangs up. */
  close(): Promise<void>
}

/** Reads server-sent events as the HTML standard has them, as far as they are used here. */
export async function openEventStream(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
  const hangUp = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: hangUp.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let all = ''
  let rest = ''

  async function more(): Promise<boolean> {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) return false
    all += chunk.value
    rest += chunk.value
    return true
  }

  async function next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end === -1) {
        if (!(await more())) return undefined
        continue
      }
      const fields = new Map(
        rest
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
      )
      rest = rest.slice(end + 2)
      const data = fields.get('data')
      if (data !== undefined) return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) }
    }
  }

  async function until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent[]> {
    const events: StreamEvent[] = []
    for (let event = await next(); event !== undefined; event = await next()) {
      events.push(event)
      if (fits(event)) break
    }
    return events
  }

  async function close(): Promise<void> {
    hangUp.abort()
    await reader?.cancel().catch(() => undefined)
  }

  return {
    status: response.status,
    headers: response.headers,
    text: () => all,
    next,
    until,
    rest: () => until(() => false),
    async textThat(fits) {
      while (!fits(all)) if (!(await more())) throw new Error(`the stream ended before: ${all}`)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An event in few words: `state running`, `task pay completed`, `end completed`. */
export function brief({ event, data }: StreamEvent): string {
  return [event, ...(event === 'task' ? [data.name] : []), data.state].join(' ')
}
