import { Fault } from '@millrace/contract'
import { wholeWeb } from '#modules/models/bounded-web.ts'
import { embedAt } from '#modules/models/embedding/embed-at.ts'
import { EndpointError, failureOf, statusOf } from '#modules/models/failure.ts'
import { maskedWeb } from '#modules/models/masked-web.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'
import { headersOf } from '#modules/models/model-parts.ts'
import { completeAt } from '#modules/models/provider.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { AccountModelTest } from './account-model.ts'
import { isListed, listModels, nearIds } from './listed-models.ts'

type Web = Pick<WebFetch, 'fetch'>

const listTimeoutMs = 15_000
/** A local runtime may load the model first. */
const trialTimeoutMs = 60_000
const trialTokens = 5
const trialText = 'Say OK.'

/**
 * Tests an endpoint and its model: by its list of models, which costs no tokens, or where the list does not have the model or does not exist, by a
 * request for a few tokens. The problem that it reports has neither the key nor a text of the endpoint, except for names of models.
 */
export async function testEndpoint(endpoint: ModelEndpoint, web: Web): Promise<AccountModelTest> {
  try {
    const masked = endpoint.key === undefined ? web : maskedWeb(web, endpoint.key.reveal())
    const listed = await listModels(endpoint, masked, AbortSignal.timeout(listTimeoutMs))
    if (listed !== undefined && isListed(endpoint.model, listed)) return { state: 'ready', problem: undefined }
    return await testByTrial(endpoint, masked, listed)
  } catch (error) {
    return failed(error)
  }
}

async function testByTrial(endpoint: ModelEndpoint, web: Web, listed: readonly string[] | undefined): Promise<AccountModelTest> {
  const { model } = endpoint
  const missing = listed === undefined ? undefined : `Its list of models does not have "${model}"${namesOf(model, listed)}.`
  try {
    await tryModel(endpoint, web, AbortSignal.timeout(trialTimeoutMs))
    return { state: 'ready', problem: missing === undefined ? undefined : `The endpoint answers. ${missing}` }
  } catch (error) {
    const found = failed(error)
    if (found.state === 'unauthorized') return found
    if (missing !== undefined) return { state: 'failed', problem: `${missing} A request for it failed: ${textOf(error)}.` }
    return statusOf(error) === 404 ? { state: 'failed', problem: unknownText(endpoint, error) } : found
  }
}

/** Does the least that the model is for. */
async function tryModel(endpoint: ModelEndpoint, web: Web, signal: AbortSignal): Promise<void> {
  const { roles } = endpoint
  const bounded = { ...endpoint, timeoutMs: trialTimeoutMs, maxOutputTokens: trialTokens }
  if (roles.some((role) => role !== 'speech' && role !== 'embedding')) {
    const messages = [{ role: 'user', text: trialText }] as const
    await completeAt(bounded, { accountId: '', role: 'fast', messages, signal }, web)
  } else if (roles.includes('embedding')) await embedAt(bounded, [trialText], web, signal)
  else await askWithoutAudio(endpoint, web, signal)
}

/** A request without audio, which an endpoint for speech refuses as invalid; one at another path is not found. */
async function askWithoutAudio(endpoint: ModelEndpoint, web: Web, signal: AbortSignal): Promise<void> {
  const form = new FormData()
  form.set('model', endpoint.model)
  const encoded = new Response(form)
  const response = await wholeWeb(web).fetch(`${endpoint.url}/audio/transcriptions`, {
    method: 'POST',
    headers: { ...headersOf(endpoint), 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    signal,
  })
  await response.body?.cancel()
  if (!response.ok && response.status !== 400 && response.status !== 422) throw new EndpointError(response)
}

function failed(error: unknown): AccountModelTest {
  if (error instanceof Fault) return { state: 'failed', problem: error.message }
  const status = statusOf(error)
  const text = textOf(error)
  return {
    state: status === 401 || status === 403 ? 'unauthorized' : 'failed',
    problem: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  }
}

const textOf = (error: unknown) => (error instanceof Fault ? error.message : failureOf(error).message)

function namesOf(model: string, listed: readonly string[]): string {
  const near = nearIds(model, listed)
  return near.length === 0 ? '' : `, but ${near.map((id) => `"${id}"`).join(', ')}`
}

/** A response about the model names it; that of a web server about a path does not. */
function unknownText({ model, url }: ModelEndpoint, error: unknown): string {
  const body: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'responseBody') : undefined
  if (typeof body === 'string' && body.includes(model)) return `The endpoint does not know the model "${model}".`
  const path = /\/v\d+\w*$/.test(url) ? '' : ' Most addresses end in /v1.'
  return `Nothing of this protocol is at ${url}: the endpoint responded with 404, so the address or the model "${model}" is wrong.${path}`
}
