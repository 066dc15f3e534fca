import { ClientError } from '@millrace/client'
import type { groups, Problem, Reply } from '@millrace/contract'
import { createParser } from 'eventsource-parser'
import { noticeSilence } from '#src/api/silence.ts'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

export type ChatReply = Reply<(typeof groups)['assistant']['chat']>

interface Chat {
  readonly message: string
  readonly conversationId?: string
}

interface Listener {
  /** The server has taken the message. */
  readonly onTaken: () => void
  readonly onText: (piece: string) => void
  /** The assistant reads something with the tool of this name. */
  readonly onTool: (name: string) => void
}

/**
 * Asks the assistant and reports its answer piece by piece. Ends with the whole answer, or with the problem that the stream reports; a stream
 * that falls silent rejects.
 */
export async function streamChat(body: Chat, listener: Listener, signal: AbortSignal): Promise<ChatReply> {
  const silence = noticeSilence()
  silence.heard()
  try {
    return await read(body, listener, AbortSignal.any([signal, silence.signal]), silence.heard)
  } finally {
    silence.end()
  }
}

async function read(body: Chat, { onTaken, onText, onTool }: Listener, signal: AbortSignal, heard: () => void): Promise<ChatReply> {
  const token = await accessToken()
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` }
  const response = await sessionFetch('/api/v1/assistant/chat', { method: 'POST', headers, body: JSON.stringify(body), signal })
  if (!response.ok || response.body === null) throw failed(await response.json(), Number(response.headers.get('retry-after') ?? Number.NaN))
  onTaken()
  let reply: ChatReply | undefined
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const content: unknown = JSON.parse(data)
      if (event === 'text') onText(String(Object(content).text))
      else if (event === 'tool') onTool(String(Object(content).name))
      else if (event === 'error') throw failed(content, Number.NaN)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types the last event of this stream.
      else if (event === 'message') reply = content as ChatReply
    },
  })
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    heard()
    parser.feed(text)
  }
  if (reply === undefined) throw new TypeError('the stream ended before the answer')
  return reply
}

function failed(problem: unknown, retryAfter: number): ClientError {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Refusals and the event "error" are problems.
  const known = { instance: '', requestId: '', ...Object(problem) } as Problem
  return new ClientError('assistant.chat', known, Number.isFinite(retryAfter) ? retryAfter : undefined)
}
