import type { AdmittedTexts, Completion, CompletionPart, CompletionRequest, EgressPort, ModelEndpoint, ModelMessage } from './model.ts'

type Sent = Promise<{ readonly request: CompletionRequest; readonly back: AdmittedTexts | undefined }>

/** Sends a request as it may leave the installation, and restores what the model returns. */
export async function sendAdmitted(
  egress: EgressPort | undefined,
  endpoint: ModelEndpoint,
  request: CompletionRequest,
  send: (request: CompletionRequest) => Promise<Completion>,
): Promise<Completion> {
  const sent = await admit(egress, endpoint, request)
  return restored(await send(sent.request), sent.back)
}

/** As `sendAdmitted`, piece by piece. */
export async function streamAdmitted(
  egress: EgressPort | undefined,
  endpoint: ModelEndpoint,
  request: CompletionRequest,
  send: (request: CompletionRequest) => AsyncGenerator<CompletionPart>,
): Promise<AsyncGenerator<CompletionPart>> {
  const { request: sent, back } = await admit(egress, endpoint, request)
  return back === undefined ? send(sent) : restoredParts(send(sent), back)
}

async function admit(egress: EgressPort | undefined, { url, region }: ModelEndpoint, request: CompletionRequest): Sent {
  const { accountId, workflowId, messages } = request
  const texts = messages.map(textsOf)
  const back = await egress?.admit({ accountId, workflowId, host: new URL(url).hostname, region, texts: texts.flat() })
  if (back === undefined) return { request, back }
  const left = [...back.texts]
  return {
    request: { ...request, messages: messages.map((message, index) => withTexts(message, left.splice(0, texts[index]?.length))) },
    back,
  }
}

/** The texts of a message: its own, then the arguments of its calls. */
function textsOf(message: ModelMessage): readonly string[] {
  if (message.role === 'tool') return [message.content]
  return message.role === 'assistant' ? [message.text, ...(message.toolCalls ?? []).map((call) => call.arguments)] : [message.text]
}

function withTexts(message: ModelMessage, [text = '', ...rest]: readonly string[]): ModelMessage {
  if (message.role === 'tool') return { ...message, content: text }
  // What a picture shows cannot be redacted: it is left out where the text beside it has to be.
  if (message.role === 'user' && message.images !== undefined && text !== message.text) return { role: 'user', text }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, text }
  return { ...message, text, toolCalls: message.toolCalls.map((call, index) => ({ ...call, arguments: rest[index] ?? call.arguments })) }
}

function restored(completion: Completion, back: AdmittedTexts | undefined): Completion {
  if (back === undefined) return completion
  const { text, data, toolCalls } = completion
  return {
    ...completion,
    text: data === undefined ? back.restore(text) : back.restoreJson(text),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The JSON of a JSON value, with texts changed.
    data: data === undefined ? undefined : (JSON.parse(back.restoreJson(JSON.stringify(data))) as Completion['data']),
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: back.restoreJson(call.arguments) })),
  }
}

/** What may be the beginning of a placeholder, at the end of a piece. */
const beginning = /<[A-Z_\d]{0,40}$/

async function* restoredParts(parts: AsyncGenerator<CompletionPart>, back: AdmittedTexts): AsyncGenerator<CompletionPart> {
  let kept = ''
  for await (const part of parts) {
    if (part.kind === 'end') {
      if (kept !== '') yield { kind: 'text', text: back.restore(kept) }
      yield { kind: 'end', completion: restored(part.completion, back) }
      return
    }
    const text = kept + part.text
    kept = beginning.exec(text)?.[0] ?? ''
    const whole = text.slice(0, text.length - kept.length)
    if (whole !== '') yield { kind: 'text', text: back.restore(whole) }
  }
}
