import type { PreparedCall } from '#effects/http/arguments.ts'
import type { HttpReply } from '#effects/http/port.ts'
import type { Authenticator } from './authenticator.ts'

/** A call as it was sent last, and the reply to it. */
export interface Sent {
  readonly sent: PreparedCall
  readonly reply: HttpReply
}

/** Sends a call with its authentication, and once more after a 401 if the authenticator then has better credentials. */
export async function sendAuthorised(
  call: PreparedCall,
  authenticator: Authenticator | undefined,
  send: (call: PreparedCall) => Promise<HttpReply>,
): Promise<Sent> {
  if (authenticator === undefined) return { sent: call, reply: await send(call) }
  const first = withHeaders(call, await authenticator.authorize(call))
  const reply = await send(first)
  const headers = reply.status === 401 ? await authenticator.reauthorize(call, reply) : undefined
  if (headers === undefined) return { sent: first, reply }
  const second = withHeaders(call, headers)
  return { sent: second, reply: await send(second) }
}

function withHeaders(call: PreparedCall, headers: Readonly<Record<string, string>>): PreparedCall {
  return { ...call, headers: { ...call.headers, ...headers } }
}
