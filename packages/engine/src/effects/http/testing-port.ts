import type { BodyEnd, HttpPort } from './port.ts'

/** A port over the runtime's own fetch, for tests of the effect: real HTTP, no guard, failures named roughly. */
export const fetchPort: HttpPort = {
  request: async (request, signal) => {
    const timeout = AbortSignal.timeout(request.timeoutMs)
    try {
      const reply = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        redirect: request.followRedirects ? 'follow' : 'manual',
        signal: AbortSignal.any([signal, timeout]),
        ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
      })
      const body = await bodyOf(reply, request.untilWhole)
      if (body.length > request.maxResponseBytes) throw failure('too-large', `the reply is larger than ${request.maxResponseBytes} bytes`)
      return { status: reply.status, headers: Object.fromEntries(reply.headers), body, url: reply.url }
    } catch (error) {
      if (timeout.aborted) throw failure('timeout', `no reply within ${request.timeoutMs} ms`)
      if (error instanceof TypeError) throw failure('connect', 'the connection failed')
      throw error
    }
  },
}

async function bodyOf(reply: Response, untilWhole: BodyEnd | undefined): Promise<Uint8Array> {
  const isWhole = untilWhole?.(Object.fromEntries(reply.headers))
  if (isWhole === undefined || reply.body === null) return new Uint8Array(await reply.arrayBuffer())
  const pieces: Uint8Array[] = []
  for await (const piece of reply.body) {
    pieces.push(piece)
    if (isWhole(piece)) break
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function failure(reason: string, message: string): Error {
  return Object.assign(new Error(message), { reason })
}
