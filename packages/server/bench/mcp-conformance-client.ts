// The client that the conformance tests start: `call: mcp` of the engine, with the address of a server as its argument.
import { createHttpFunctions, type JsonObject } from '@millrace/engine'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'

/** The tools that the scenarios expect a client to call, with arguments. */
const tools: Readonly<Record<string, JsonObject>> = { add_numbers: { a: 5, b: 3 }, test_reconnection: {} }

const endpoint = process.argv.at(-1) ?? ''
const http = createGuardedFetch({ allow: ['127.0.0.0/8', '::1/128'] })
const limits = { timeoutMs: 20_000, timeoutMsMax: 20_000, maxResponseBytes: 1_000_000 }
const functions = new Map(createHttpFunctions({ http, clock: Date.now, randomId: () => crypto.randomUUID(), limits, version: '1.0.0' }))
const perform = functions.get('mcp')
if (perform === undefined) throw new Error('The engine has no function mcp.')

const call = (method: string, parameters: JsonObject) =>
  perform({
    accountId: 'account',
    executionId: 'execution',
    arguments: { method, parameters, transport: { http: { endpoint } } },
    input: {},
    secrets: {},
    idempotencyKey: crypto.randomUUID(),
    signal: AbortSignal.timeout(25_000),
  })

const listed = Object(await call('tools/list', {}))
const names: ReadonlySet<string> = new Set((listed.tools ?? []).map(({ name }: { readonly name: string }) => name))
for (const [name, given] of Object.entries(tools)) if (names.has(name)) await call('tools/call', { name, arguments: given })
await http.close()
