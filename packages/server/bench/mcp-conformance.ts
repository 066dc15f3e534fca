// Runs the conformance tests of the Model Context Protocol against /mcp and against `call: mcp`, and prints which scenarios pass.
// npm run conformance:mcp, which fetches @modelcontextprotocol/conformance from the package registry.
import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '#testing/server-process.ts'

const suite = '@modelcontextprotocol/conformance@0.1.16'
/** The other scenarios of servers need contents, resources and prompts of the example server of the suite. */
const ofServer = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'json-schema-2020-12',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]
/** The others need answers to questions of the server, or OAuth, which connections do. */
const ofClient = ['initialize', 'tools_call', 'sse-retry']

/** The tools that the suite expects, as workflows. */
const workflows: Readonly<Record<string, string>> = {
  greet: 'do:\n  - greet: { set: { greeting: hello } }\n',
  test_simple_text: 'do:\n  - say: { set: { text: This is a simple text response for testing. } }\n',
  json_schema_2020_12_tool: `input:
  schema:
    document:
      $schema: https://json-schema.org/draft/2020-12/schema
      type: object
      $defs: { address: { type: object, properties: { street: { type: string }, city: { type: string } } } }
      properties: { name: { type: string }, address: { $ref: '#/$defs/address' } }
      additionalProperties: false
do:
  - note: { set: { noted: true } }
`,
}

const home = await mkdtemp(join(tmpdir(), 'millrace-mcp-'))
const server = await startServerProcess({ MILLRACE_HOME: home })
try {
  await using door = await startDoor(server.url, await keyOf(server.url))
  const results: boolean[] = []
  for (const scenario of ofServer) results.push(await run('server', scenario, ['--url', `${door.url}/mcp`]))
  const client = `${process.execPath} ${join(import.meta.dirname, 'mcp-conformance-client.ts')}`
  for (const scenario of ofClient) results.push(await run('client', scenario, ['--command', client]))
  console.log(`${results.filter(Boolean).length} of ${results.length} scenarios of ${suite} pass`)
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await server.end('SIGTERM')
  await rm(home, { recursive: true, force: true })
}

function run(side: 'server' | 'client', scenario: string, args: readonly string[]): Promise<boolean> {
  const given = ['--yes', suite, side, '--scenario', scenario, ...args]
  return new Promise((resolve) => {
    execFile('npx', given, { cwd: home, timeout: 120_000 }, (error, output, errors) => {
      console.log(`${error === null ? 'pass' : 'FAIL'}  ${side} ${scenario}`)
      if (error !== null) console.log(`${output}${errors}`.slice(-3_000))
      resolve(error === null)
    })
  })
}

/** Registers a user with the workflows, and returns a key that may run and read them. */
async function keyOf(url: string): Promise<string> {
  const email = `mcp-${Date.now()}@example.com`
  const { accessToken } = await send(`${url}/api/v1/auth/register`, { email, password: 'nothing-but-a-test-1' })
  for (const [name, body] of Object.entries(workflows)) {
    const document = `document: { dsl: 1.0.3, namespace: test, name: ${name.replaceAll('_', '-')}, version: 1.0.0 }\n`
    await send(`${url}/api/v1/workflows`, { definition: document + body, name, publish: true }, String(accessToken))
  }
  const scopes = ['executions:run', 'executions:read', 'workflows:read']
  const key = await send(`${url}/api/v1/api-keys`, { name: 'MCP', scopes }, String(accessToken))
  return String(key['secret'] ?? key['key'])
}

async function send(url: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  })
  const parsed: Record<string, unknown> = Object(await response.json())
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${JSON.stringify(parsed)}`)
  return parsed
}

/** Adds the key to each request, which the suite cannot, and changes nothing else. */
async function startDoor(url: string, key: string) {
  const { hostname, port } = new URL(url)
  const door = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has such an address.
  const { port: own } = door.address() as AddressInfo
  return {
    url: `http://localhost:${own}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        door.close(() => resolve())
        door.closeAllConnections()
      }),
  }
}
