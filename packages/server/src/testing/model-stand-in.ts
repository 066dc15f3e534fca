import { createServer } from 'node:http'
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock'
import { waveOf } from '#platform/media/wave.ts'

/** A model endpoint made by others, which speaks the protocols of OpenAI and Anthropic. */
export interface ModelStandIn {
  /** Base URL with `/v1`. */
  readonly url: string
  readonly mock: LLMock
  /** The bodies of the requests for texts, in order. */
  requests(): readonly ChatCompletionRequest[]
  stop(): Promise<void>
}

/** @param respond makes the response to each request; `undefined` leaves it to the fixtures of the mock. */
export async function startModelStandIn(
  respond: (request: ChatCompletionRequest) => FixtureResponse | Promise<FixtureResponse>,
): Promise<ModelStandIn> {
  const mock = new LLMock({ port: 0 })
  mock.on({ predicate: (request) => request._endpointType === undefined || request._endpointType === 'chat' }, respond)
  await mock.start()
  const requests = () =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only requests of this kind have messages.
    mock.getRequests().flatMap(({ body }) => (isChat(body) ? [body as ChatCompletionRequest] : []))
  return { url: `${mock.url}/v1`, mock, requests, stop: () => mock.stop() }
}

const isChat = (body: object | null) => body !== null && 'messages' in body && !('embeddingInput' in body)

/** Silence as WAV: 16 kHz, mono, 16 bits. */
export function silence(seconds: number): Buffer {
  const rate = 16_000
  return waveOf(Buffer.alloc(Math.round(seconds * rate) * 2), rate)
}

/** A result of a generation in the form of its schema. */
export function generatedBy(definition: string, more: object = {}): FixtureResponse {
  const result = { questions: [], definition, explanation: 'It sets a value.', assumptions: [], requirements: [], ...more }
  return { content: JSON.stringify(result) }
}

/** A runtime with the reading part of the API of Ollama. */
export async function startLocalRuntime() {
  const replies: Readonly<Record<string, object>> = {
    '/api/version': { version: '0.12.6' },
    '/api/tags': {
      models: [
        { name: 'llama3.2:3b', size: 2_019_393_189, details: { parameter_size: '3.2B', quantization_level: 'Q4_K_M' } },
        { name: 'other:latest', size: 1 },
      ],
    },
    '/api/ps': { models: [{ name: 'llama3.2:3b' }] },
  }
  const server = createServer((request, response) => {
    const reply = replies[request.url ?? '']
    response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the runtime has no port')
  return { url: `http://127.0.0.1:${address.port}`, stop: () => server.close() }
}
