import { createHash } from 'node:crypto'
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { digestOfJson } from '#modules/audit/index.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import { storableText } from '#platform/storable-text.ts'
import { streamedWeb, wholeWeb } from './bounded-web.ts'
import { createIdleLimit } from './idle-limit.ts'
import { createJsonRepair, readJsonText } from './json-text.ts'
import type { Completion, CompletionPart, CompletionRequest, ModelEndpoint, ModelMessage, ModelUsage } from './model.ts'

type ChatModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>
type CallOptions = Parameters<ChatModel['doGenerate']>[0]
type Generated = Awaited<ReturnType<ChatModel['doGenerate']>>
type Prompt = CallOptions['prompt']

/** Sends one request to one endpoint, once. */
export async function completeAt(endpoint: ModelEndpoint, request: CompletionRequest, web: Pick<WebFetch, 'fetch'>): Promise<Completion> {
  const chat = await chatModel(endpoint, wholeWeb(web))
  const { content, finishReason, usage } = await chat.doGenerate(optionsOf(endpoint, request, AbortSignal.timeout(endpoint.timeoutMs)))
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const toolCalls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }] : [],
  )
  return completion(endpoint, request, { text, toolCalls, finishReason, usage })
}

/**
 * As `completeAt`, with the text piece by piece. Rejects if the stream ends early. The time limit of the endpoint is that of its silence, so that
 * a long answer is not cut.
 */
export async function* streamAt(
  endpoint: ModelEndpoint,
  request: CompletionRequest,
  web: Pick<WebFetch, 'fetch'>,
): AsyncGenerator<CompletionPart> {
  const limit = createIdleLimit(endpoint.timeoutMs)
  try {
    const chat = await chatModel(endpoint, streamedWeb(web, limit.heard))
    const { stream } = await chat.doStream(optionsOf(endpoint, request, limit.signal))
    yield* partsOf(stream, endpoint, request)
  } finally {
    limit.end()
  }
}

type Streamed = Awaited<ReturnType<ChatModel['doStream']>>['stream']

async function* partsOf(stream: Streamed, endpoint: ModelEndpoint, request: CompletionRequest): AsyncGenerator<CompletionPart> {
  const toolCalls: { id: string; name: string; arguments: string }[] = []
  let text = ''
  let half = ''
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value
      if (part.type === 'error') throw part.error
      if (part.type === 'tool-call') toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input })
      if (part.type === 'text-delta') {
        text += part.delta
        // Half of a character may be in the next piece.
        const piece = half + part.delta
        half = /[\ud800-\udbff]$/.exec(piece)?.[0] ?? ''
        yield { kind: 'text', text: storableText(piece.slice(0, piece.length - half.length)) }
      }
      if (part.type === 'finish') {
        if (part.finishReason.raw === undefined && text === '' && toolCalls.length === 0) break
        yield { kind: 'end', completion: completion(endpoint, request, { text, toolCalls, ...part }) }
        return
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  throw new Error('the stream of the model ended early')
}

/** Calls of tools in one response; the others are left out. */
const toolCallsMax = 64

interface RawCompletion extends Pick<Completion, 'text' | 'toolCalls'> {
  readonly finishReason: Generated['finishReason']
  readonly usage: Generated['usage']
}

function completion({ name, model: modelId, prices }: ModelEndpoint, request: CompletionRequest, raw: RawCompletion): Completion {
  const { finishReason, usage } = raw
  const text = storableText(raw.text)
  const repaired = createJsonRepair()
  const prompt = promptTextOf(request)
  const toolCalls = raw.toolCalls.slice(0, toolCallsMax).map((call) => ({
    id: storableText(call.id),
    name: storableText(call.name),
    // Repaired once: the arguments are read again in each later turn.
    arguments: readJsonText(call.arguments) === undefined ? repairedText(call.arguments, repaired) : storableText(call.arguments),
  }))
  return {
    text,
    data: request.schema === undefined ? undefined : repaired(text),
    toolCalls,
    finish: finishOf(finishReason.unified),
    usage: usageOf(usage, request, text, prices),
    model: name,
    modelId,
    promptDigest: digestOfJson(prompt),
    exchange: { prompt, answer: JSON.stringify({ text, toolCalls }) },
  }
}

function repairedText(text: string, repaired: ReturnType<typeof createJsonRepair>): string {
  const value = repaired(text)
  return value === undefined ? storableText(text) : JSON.stringify(value)
}

/** What a model is sent as JSON; a picture counts by its digest. */
export function promptTextOf({ messages, tools = [], schema }: CompletionRequest): string {
  const sent = messages.map((message) => {
    if (message.role !== 'user' || message.images === undefined) return message
    const images = message.images.map(({ mediaType, bytes }) => ({ mediaType, sha256: createHash('sha256').update(bytes).digest('hex') }))
    return { ...message, images }
  })
  return JSON.stringify({ messages: sent, tools, schema: schema ?? null })
}

/** No request has more. */
const tokensMax = 100_000_000

/** A number of tokens that can be true. An endpoint could take back what others have counted by a negative one. */
function reported(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isInteger(tokens) && tokens >= 0 && tokens <= tokensMax ? tokens : undefined
}

/** What the endpoint reports; an estimate of four characters a token where it reports nothing. */
function usageOf(
  usage: Pick<Generated['usage'], 'inputTokens' | 'outputTokens'> | undefined,
  { messages }: CompletionRequest,
  text: string,
  prices: ModelEndpoint['prices'],
): ModelUsage {
  const inputTokens = reported(usage?.inputTokens.total) ?? estimate(JSON.stringify(messages.map(textOf)).length)
  const outputTokens = reported(usage?.outputTokens.total) ?? estimate(text.length)
  // A price of a million tokens in units is one of a token in millionths.
  const costMicros = prices === undefined ? 0 : Math.ceil(inputTokens * prices.input + outputTokens * prices.output)
  return { inputTokens, outputTokens, costMicros }
}

const estimate = (characters: number) => Math.ceil(characters / 4)

/** What a request has used whose response stopped in the middle, by estimate. */
export function partialUsage({ prices }: ModelEndpoint, request: CompletionRequest, text: string): ModelUsage {
  return usageOf(undefined, request, text, prices)
}

/** What a request has used whose response is no text. */
export function usageOfTexts({ prices }: ModelEndpoint, tokens: number | undefined, texts: readonly string[]): ModelUsage {
  // Some runtimes count nothing here.
  const inputTokens = reported(tokens === 0 ? undefined : tokens) ?? estimate(texts.join('').length)
  return { inputTokens, outputTokens: 0, costMicros: prices === undefined ? 0 : Math.ceil(inputTokens * prices.input) }
}

const textOf = (message: ModelMessage) => (message.role === 'tool' ? message.content : message.text)

function finishOf(unified: Generated['finishReason']['unified']): Completion['finish'] {
  if (unified === 'stop' || unified === 'length') return unified
  if (unified === 'tool-calls') return 'tools'
  return unified === 'content-filter' ? 'refused' : 'other'
}

async function chatModel(endpoint: ModelEndpoint, web: Pick<WebFetch, 'fetch'>): Promise<ChatModel> {
  const { kind, url, model, key } = endpoint
  if (kind === 'anthropic') {
    const anthropic = await import('@ai-sdk/anthropic')
    return anthropic.createAnthropic({ baseURL: url, apiKey: key?.reveal() ?? 'none', fetch: web.fetch })(model)
  }
  return (await openAiProvider(endpoint, web)).chatModel(model)
}

/** The provider of endpoints that speak the protocol of OpenAI. */
export async function openAiProvider({ name, url, key, structured }: ModelEndpoint, { fetch }: Pick<WebFetch, 'fetch'>) {
  const openAi = await import('@ai-sdk/openai-compatible')
  const apiKey = key === undefined ? {} : { apiKey: key.reveal() }
  return openAi.createOpenAICompatible({
    name,
    baseURL: url,
    ...apiKey,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: structured,
  })
}

function optionsOf(endpoint: ModelEndpoint, request: CompletionRequest, limit: AbortSignal): CallOptions {
  const { messages, tools = [], schema, temperature, signal } = request
  return {
    prompt: messages.map(promptMessage),
    maxOutputTokens: Math.min(request.maxOutputTokens ?? endpoint.maxOutputTokens, endpoint.maxOutputTokens),
    abortSignal: AbortSignal.any([signal, limit]),
    ...(temperature === undefined ? {} : { temperature }),
    ...(schema === undefined ? {} : { responseFormat: { type: 'json' as const, name: 'result', schema } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: parameters,
          })),
          toolChoice: { type: 'auto' as const },
        }),
  }
}

function promptMessage(message: ModelMessage): Prompt[number] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.text },
          ...(message.images ?? []).map(({ mediaType, bytes }) => ({
            type: 'file' as const,
            mediaType,
            data: { type: 'data' as const, data: bytes },
          })),
        ],
      }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...(message.toolCalls ?? []).map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.name,
            input: readJsonText(call.arguments) ?? {},
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: message.id, toolName: message.name, output: { type: 'text', value: message.content } },
        ],
      }
  }
}
