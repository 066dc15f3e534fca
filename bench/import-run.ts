import { randomUUID } from 'node:crypto'
import { compileWorkflow, type FunctionManifest, type Json, type JsonObject, runLocally, type CompiledWorkflow } from '@millrace/engine'
import { createHttpFunctions, createScriptFunction, createScriptPool, type HttpPort } from '@millrace/engine/effects'
import { validateDefinition } from '@millrace/dsl'

/** How a run ended: `not-converted` where it stopped at a step without counterpart. */
export interface RunResult {
  readonly state: 'completed' | 'not-converted' | 'stopped' | 'faulted' | 'stuck'
  readonly problem: string
}

/** The names that the report of an import asks for. */
interface Given {
  readonly secrets: readonly string[]
  readonly variables: readonly string[]
}

const secret = 'a-secret-of-the-measurement'
const person = {
  id: '1',
  name: 'Ada',
  email: 'ada@example.com',
  title: 'A title',
  text: 'A text',
  status: 'active',
  url: 'https://a.example/1',
}
/** What the stand-in of every service replies: an object with the members that APIs commonly have. */
const reply = { ...person, ok: true, success: true, data: [person], results: [person], items: [person], records: [person], message: 'Done' }
const modelReply = { text: 'Fine.', data: {}, finish: 'stop', model: 'stand-in', usage: { inputTokens: 1, outputTokens: 1 } }
const agentReply = { outcome: 'answered', answer: 'Fine.', turns: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, cost: 0 }
const input = {
  items: [
    { ...person, body: person, query: person, params: {}, headers: {}, chatInput: 'Hello', message: { chat: { id: 1 }, text: 'Hello' } },
  ],
}

/** Runs imported definitions in this process. Services, models and mail are stood in, waiting takes no time; scripts, jq and requests are real. */
export function createImportRunner(catalog: readonly FunctionManifest[], timeoutMs = 20_000) {
  const pool = createScriptPool()
  const body = Buffer.from(JSON.stringify(reply))
  const http: HttpPort = {
    request: ({ url }) => Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body, url }),
  }
  const limits = { timeoutMs: 60_000, timeoutMsMax: 900_000, maxResponseBytes: 1_000_000 }
  const constant = (value: Json) => () => Promise.resolve(value)
  const functions = new Map([
    ...createHttpFunctions({ http, clock: Date.now, randomId: randomUUID, limits, version: '0.0.0' }),
    ['script', createScriptFunction({ pool })] as const,
    ['model', constant(modelReply)] as const,
    ['agent', constant(agentReply)] as const,
    ['pdf.text', constant({ pageCount: 1, pages: ['A text'] })] as const,
    ['csv.parse', constant({ rows: [person] })] as const,
    ['spreadsheet.read', constant({ sheets: ['Sheet'], rows: [person] })] as const,
    ['spreadsheet.write', constant({ contentBase64: 'QQ==' })] as const,
    ['rss.read', constant({ format: 'rss', title: 'A feed', link: null, items: [{ id: '1', title: 'A title', link: null }] })] as const,
    ['xml.parse', constant({ document: { root: person } })] as const,
    ['xml.write', constant({ text: '<root/>' })] as const,
    ['email', constant({ messageId: '<1@a.example>', accepted: ['ada@example.com'], rejected: [] })] as const,
  ])
  const child = compileWorkflow(
    definitionOf({
      document: { dsl: '1.0.3', namespace: 'imported', name: 'child', version: '1.0.0' },
      do: [{ answer: { set: { items: [person] } } }],
    }),
  )

  async function run(source: JsonObject, given: Given): Promise<RunResult> {
    const workflow: CompiledWorkflow = compileWorkflow(definitionOf(hurried(source), catalog), { functions: catalog })
    const variables = Object.fromEntries(given.variables.map((name) => [name, 'https://stand-in.example']))
    const local = runLocally(workflow, input, {
      functions: new Map([...functions, ['variables', () => Promise.resolve(variables)]]),
      definitions: { load: () => Promise.resolve(child), resolve: () => Promise.resolve({ workflowId: 'child', versionId: 'child' }) },
      reporter: { warn: () => undefined },
      secrets: Object.fromEntries(given.secrets.map((name) => [name, secret])),
      now: Date.now,
      newId: randomUUID,
      version: '0.0.0',
    })
    const events = setInterval(() => {
      local.publish({ specversion: '1.0', id: randomUUID(), source: '/measure', type: 'n8n.resume', data: person })
      for (const { position } of local.waits()) local.answer(position, { approved: true })
    }, 50)
    const late = setTimeout(() => local.cancel(), timeoutMs)
    const end = await local.end
    clearInterval(events)
    clearTimeout(late)
    if (end.kind !== 'ended') return { state: 'stuck', problem: end.kind }
    if (end.state === 'completed') return { state: 'completed', problem: '' }
    if (end.error === undefined) return { state: 'stuck', problem: `it took more than ${timeoutMs} ms` }
    const { type, detail = '', instance = '' } = end.error
    const state = type.endsWith('/not-converted') ? 'not-converted' : type.endsWith('/import/stopped') ? 'stopped' : 'faulted'
    return { state, problem: `${type.split('/').at(-1) ?? ''} at ${instance}: ${detail}` }
  }

  return { run, close: () => pool.close() }
}

function definitionOf(source: object, functions: readonly FunctionManifest[] = []) {
  const { definition, diagnostics } = validateDefinition(JSON.stringify(source), { functions })
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '))
  return definition
}

/** The definition with waits and delays of no time. */
function hurried(source: JsonObject): JsonObject {
  const entries = Object.entries(source).map(([key, value]): [string, Json] => {
    if ((key === 'wait' && typeof value === 'string') || key === 'delay') return [key, { milliseconds: 1 }]
    if (Array.isArray(value)) return [key, value.map((one) => (isObject(one) ? hurried(one) : one))]
    return [key, isObject(value) ? hurried(value) : value]
  })
  return Object.fromEntries(entries)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
