// Makes and changes workflows for all requests of bench/generation by the configured model, runs them, and prints how many do what they must.
// node packages/server/bench/generation.ts [part of a name], with MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME, or MILLRACE_MODELS_FILE.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  performEdit,
  performRequest,
  type PerformedRequest,
  readEdits,
  readRequests,
  startShop,
} from '#modules/generation/testing/perform-request.ts'
import { startServerProcess } from '#testing/server-process.ts'

const settings = Object.entries(process.env).flatMap(([name, value]) =>
  value !== undefined && /^(?:MILLRACE_|DATABASE_URL$|PATH$)/.test(name) ? [[name, value] as const] : [],
)
if (!settings.some(([name]) => name === 'MILLRACE_MODEL_URL' || name === 'MILLRACE_MODELS_FILE'))
  throw new Error('No model is configured. Set MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME, or MILLRACE_MODELS_FILE (docs/ai.md).')

const [, , part = ''] = process.argv
const home = await mkdtemp(join(tmpdir(), 'millrace-generation-'))
const free = '100000000/60'
const limits = { MILLRACE_RATE_LIMIT_GLOBAL: free, MILLRACE_RATE_LIMIT_AUTH: free, MILLRACE_RATE_LIMIT_EXECUTION: free }
const server = await startServerProcess({ MILLRACE_HOME: home, ...limits, ...Object.fromEntries(settings) })
const shop = await startShop()
try {
  const send = sender(server.url)
  const email = `bench-${Date.now()}@example.com`
  const { body } = await send('/api/v1/auth/register', { email, password: 'nothing-but-a-bench-1' })
  const asUser = sender(server.url, String(Object(body).accessToken))
  const isMeant = ({ name }: { readonly name: string }) => name.includes(part)
  const requests = readRequests().filter(isMeant)
  const edits = readEdits().filter(isMeant)
  await performAll('requests', requests, (request) => performRequest(asUser, shop, request))
  await performAll('edits', edits, (edit) => performEdit(asUser, shop, edit))
} finally {
  await server.end('SIGTERM')
  await shop[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
}

async function performAll<T>(what: string, items: readonly T[], perform: (item: T) => Promise<PerformedRequest>): Promise<void> {
  let [passed, corrections, tokens] = [0, 0, 0]
  for (const item of items) {
    const begun = Date.now()
    const { name, failure, repairs, outputTokens } = await perform(item)
    if (failure === undefined) passed += 1
    corrections += repairs ?? 0
    tokens += outputTokens
    const seconds = ((Date.now() - begun) / 1000).toFixed(1)
    console.log(
      `${failure === undefined ? 'pass' : 'FAIL'}  ${name}  ${seconds} s, ${repairs ?? '-'} repairs, ${outputTokens} tokens  ${failure ?? ''}`,
    )
  }
  const rate = ((100 * passed) / Math.max(1, items.length)).toFixed(1)
  console.log(`${passed} of ${items.length} ${what} pass (${rate} %), with ${corrections} repairs and ${tokens} tokens of output`)
}

function sender(url: string, token?: string) {
  return async (path: string, body: object) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', ...authorization }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const parsed: unknown = await response.json()
    return { status: response.status, body: parsed }
  }
}
