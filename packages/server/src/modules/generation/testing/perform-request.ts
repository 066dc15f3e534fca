import { readFileSync } from 'node:fs'
import { startHttpStandIn, type StandInAnswer, type StandInRequest } from '#testing/http-stand-in.ts'

/** What a workflow does when it runs. */
interface Expected {
  readonly input: object
  /** What the output has, at least; undefined where any will do. */
  readonly output?: unknown
  /** What the shop receives by POST, in order; undefined where the workflow only reads. */
  readonly posts?: readonly { readonly path: string; readonly body: unknown }[]
}

/** A request in words, and what the workflow that is made of it must do when it runs. */
export interface WordedRequest extends Expected {
  readonly name: string
  /** `{shop}` stands for the address of the shop. */
  readonly words: string
}

/** A change of a workflow of the folder, and what the changed workflow must do when it runs. */
export interface EditRequest extends Expected {
  readonly name: string
  readonly action: 'edit' | 'fix' | 'document' | 'generate'
  readonly workflow: string
  readonly instruction?: string
}

export interface PerformedRequest {
  readonly name: string
  /** Undefined if the workflow does what it must. */
  readonly failure: string | undefined
  /** How often the model had to correct its result; undefined without a usable one. */
  readonly repairs: number | undefined
  /** As the model wrote it; undefined without a usable one. */
  readonly definition?: string
  readonly outputTokens: number
}

type Send = (path: string, body: object) => Promise<{ readonly status: number; readonly body: unknown }>
type Shop = Awaited<ReturnType<typeof startShop>>

const folder = new URL('../../../../../../bench/generation/', import.meta.url)

export function readRequests(): readonly WordedRequest[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this repository.
  return JSON.parse(readFileSync(new URL('requests.json', folder), 'utf8')) as readonly WordedRequest[]
}

export function readEdits(): readonly EditRequest[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this repository.
  return JSON.parse(readFileSync(new URL('edits.json', folder), 'utf8')) as readonly EditRequest[]
}

/** The workflow that a request changes. */
export function workflowOf({ workflow }: EditRequest, shop: Pick<Shop, 'url'>): string {
  return readFileSync(new URL(`workflows/${workflow}.yaml`, folder), 'utf8').replaceAll('{shop}', shop.url)
}

/** What a model answers: a text, which is a definition where it begins like one, or the members of a result. */
export type RecordedAnswer =
  | string
  | { readonly definition?: string; readonly edits?: readonly { readonly search: string; readonly replace: string }[] }

/** Answers of models of varying quality to one of the requests. */
export interface RecordedAnswers {
  readonly name: string
  readonly quality: string
  readonly repairs: number | null
  readonly passes: boolean
  readonly attempts: readonly RecordedAnswer[]
}

export function readRecorded(file: 'recorded.json' | 'recorded-edits.json'): readonly RecordedAnswers[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this repository.
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly RecordedAnswers[]
}

const orders = [
  { id: 17, customer: 'Ada', customerId: 'c1', total: 50, status: 'open' },
  { id: 18, customer: 'Bob', customerId: 'c2', total: 60, status: 'closed' },
  { id: 19, customer: 'Ada', customerId: 'c1', total: 70, status: 'open' },
]

/** The shop that the requests name. */
export const startShop = () => startHttpStandIn(shopAnswer)

function shopAnswer({ method, path }: StandInRequest): StandInAnswer {
  if (method === 'POST') return { body: { id: 1, ok: true } }
  const order = orders.find(({ id }) => path === `/orders/${id}`)
  if (order !== undefined) return { body: order }
  const pages: Readonly<Record<string, StandInAnswer>> = {
    '/orders': { body: orders },
    '/stock/chair': { body: { item: 'chair', left: 4 } },
    '/customers/c1': { body: { id: 'c1', email: 'ada@example.com' } },
    '/search?q=chair': { body: { hits: 2 } },
    '/broken': { status: 500, body: { error: 'broken' } },
  }
  return pages[path] ?? { status: 404, body: { error: 'There is no such page.' } }
}

/** Makes a workflow of the words by the configured model, runs it, and checks what it did. */
export function performRequest(send: Send, shop: Shop, request: WordedRequest): Promise<PerformedRequest> {
  const body = { description: request.words.replaceAll('{shop}', shop.url) }
  return perform(send, shop, request, { path: '/api/v1/ai/generate-workflow', body })
}

/** Changes a workflow by the configured model, runs it, and checks what it did. */
export function performEdit(send: Send, shop: Shop, request: EditRequest): Promise<PerformedRequest> {
  const { action } = request
  const definition = workflowOf(request, shop)
  const instruction = request.instruction?.replaceAll('{shop}', shop.url)
  if (action === 'generate')
    return perform(send, shop, request, { path: '/api/v1/ai/generate-workflow', body: { description: instruction, definition } })
  return perform(send, shop, request, { path: '/api/v1/ai-assist', body: { action, definition, instruction } })
}

async function perform(
  send: Send,
  shop: Shop,
  { name, input, output, posts }: Expected & { readonly name: string },
  asked: { readonly path: string; readonly body: object },
): Promise<PerformedRequest> {
  shop.requests.splice(0)
  const { status, body } = await send(asked.path, asked.body)
  const made = Object(body)
  const outputTokens = Number(Object(made.usage).outputTokens ?? 0)
  if (status !== 200 || typeof made.definition !== 'string')
    return { name, failure: `generation: ${brief(body)}`, repairs: undefined, outputTokens }
  const result = { name, repairs: Number(made.repairs), definition: made.definition, outputTokens }
  const failed = (failure: string) => ({ ...result, failure })
  // Models choose the same name for several workflows.
  const definition = made.definition.replace(/(document:[\s\S]*?\bname:\s*['"]?)[a-z0-9-]+/, `$1made-${name}-${Date.now()}`)
  const created = await send('/api/v1/workflows', { definition })
  if (created.status >= 300) return failed(`creation: ${brief(created.body)}`)
  const ran = await send(`/api/v1/execute/${String(Object(created.body).id)}/run`, { input })
  if (ran.status !== 200) return failed(`execution: ${brief(ran.body)}`)
  if (output !== undefined && !has(ran.body, output)) return failed(`output: ${brief(ran.body)} instead of ${brief(output)}`)
  const sent = shop.requests.filter(({ method }) => method !== 'GET')
  const isAsked = posts === undefined || (sent.length === posts.length && posts.every((post, index) => has(sent[index], post)))
  return isAsked ? { ...result, failure: undefined } : failed(`effects: ${brief(sent)} instead of ${brief(posts)}`)
}

const brief = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 400)

/** Whether a value has everything that another one has. */
function has(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(actual) && actual.length === expected.length && expected.every((item, index) => has(actual[index], item))
  if (typeof expected !== 'object' || expected === null) return actual === expected
  return Object.entries(expected).every(([member, value]) => has(Object(actual)[member], value))
}
