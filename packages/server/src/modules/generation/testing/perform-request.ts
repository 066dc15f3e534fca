import { readFileSync } from 'node:fs'
import { startHttpStandIn, type StandInAnswer, type StandInRequest } from '#testing/http-stand-in.ts'

/** A request in words, and what the workflow that is made of it must do when it runs. */
export interface WordedRequest {
  readonly name: string
  /** `{shop}` stands for the address of the shop. */
  readonly words: string
  readonly input: object
  /** What the output has, at least; undefined where any will do. */
  readonly output?: unknown
  /** What the shop receives by POST, in order; undefined where the workflow only reads. */
  readonly posts?: readonly { readonly path: string; readonly body: unknown }[]
}

export interface PerformedRequest {
  readonly name: string
  /** Undefined if the workflow does what it must. */
  readonly failure: string | undefined
  /** How often the model had to correct its result; undefined without a usable one. */
  readonly repairs: number | undefined
}

type Send = (path: string, body: object) => Promise<{ readonly status: number; readonly body: unknown }>

const folder = new URL('../../../../../../bench/generation/', import.meta.url)

export function readRequests(): readonly WordedRequest[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this repository.
  return JSON.parse(readFileSync(new URL('requests.json', folder), 'utf8')) as readonly WordedRequest[]
}

/** Answers of models of varying quality to some of the requests. */
export interface RecordedAnswers {
  readonly name: string
  readonly quality: string
  readonly repairs: number | null
  readonly passes: boolean
  readonly attempts: readonly string[]
}

export function readRecorded(): readonly RecordedAnswers[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this repository.
  return JSON.parse(readFileSync(new URL('recorded.json', folder), 'utf8')) as readonly RecordedAnswers[]
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
export async function performRequest(
  send: Send,
  shop: Awaited<ReturnType<typeof startShop>>,
  { name, words, input, output, posts }: WordedRequest,
): Promise<PerformedRequest> {
  shop.requests.splice(0)
  const generated = await send('/api/v1/ai/generate-workflow', { description: words.replaceAll('{shop}', shop.url) })
  const made = Object(generated.body)
  if (generated.status !== 200 || made.status !== 'generated')
    return { name, failure: `generation: ${brief(generated.body)}`, repairs: undefined }
  const repairs = Number(made.repairs)
  const failed = (failure: string) => ({ name, failure, repairs })
  // Models choose the same name for several workflows.
  const definition = String(made.definition).replace(/(document:[\s\S]*?\bname:\s*['"]?)[a-z0-9-]+/, `$1made-${name}-${Date.now()}`)
  const created = await send('/api/v1/workflows', { definition })
  if (created.status >= 300) return failed(`creation: ${brief(created.body)}`)
  const ran = await send(`/api/v1/execute/${String(Object(created.body).id)}/run`, { input })
  if (ran.status !== 200) return failed(`execution: ${brief(ran.body)}`)
  if (output !== undefined && !has(ran.body, output)) return failed(`output: ${brief(ran.body)} instead of ${brief(output)}`)
  const sent = shop.requests.filter(({ method }) => method !== 'GET')
  const isAsked = posts === undefined || (sent.length === posts.length && posts.every((post, index) => has(sent[index], post)))
  return isAsked ? { name, failure: undefined, repairs } : failed(`effects: ${brief(sent)} instead of ${brief(posts)}`)
}

const brief = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 400)

/** Whether a value has everything that another one has. */
function has(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(actual) && actual.length === expected.length && expected.every((item, index) => has(actual[index], item))
  if (typeof expected !== 'object' || expected === null) return actual === expected
  return Object.entries(expected).every(([member, value]) => has(Object(actual)[member], value))
}
