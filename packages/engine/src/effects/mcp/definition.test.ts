import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunResult, runDefinition, type RunOptions } from '#testing/run-definition.ts'
import { mcpFunction } from './testing-call.ts'
import { type EverythingServer, startEverything } from './testing-everything.ts'
import { startMcpServer } from './testing-server.ts'

let server: EverythingServer
beforeAll(async () => {
  server = await startEverything()
})
afterAll(() => server.close())

function running(yaml: string, options: RunOptions = {}): Promise<RunResult> {
  return runDefinition(yaml, { functions: { mcp: mcpFunction() }, ...options })
}

test('a definition calls a tool with expressions everywhere that the language allows them, and reads its structured content', async () => {
  const { output, error } = await running(
    `
do:
  - weather:
      call: mcp
      with:
        protocolVersion: '2025-06-18'
        method: tools/call
        parameters:
          name: get-structured-content
          arguments: { location: '\${ .city }' }
        timeout: { seconds: 5 }
        transport:
          http: { endpoint: '\${ .endpoint }' }
        client: { name: weather, version: '1.0.0' }
      output: { as: .structuredContent.humidity }`,
    { input: { city: 'Chicago', endpoint: server.endpoint } },
  )
  expect({ output, error }).toEqual({ output: 82, error: undefined })
})

test('parameters may be one expression, and the endpoint a template', async () => {
  const { output } = await running(
    `
do:
  - sum:
      call: mcp
      with:
        method: tools/call
        parameters: '\${ { name: "get-sum", arguments: .numbers } }'
        transport: { http: { endpoint: { uri: '${server.endpoint.replace(/mcp$/, '{path}')}' } } }
      output: { as: '\${ .content[0].text }' }`,
    { input: { path: 'mcp', numbers: { a: 20, b: 22 } } },
  )
  expect(output).toBe('The sum of 20 and 22 is 42.')
})

test('a failed tool is caught as the runtime error that it is', async () => {
  const { output } = await running(`
do:
  - attempt:
      try:
        - ask:
            call: mcp
            with:
              method: tools/call
              parameters: { name: nothing }
              transport: { http: { endpoint: '${server.endpoint}' } }
      catch:
        errors: { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime' } }
        do: [{ caught: { set: { instance: '\${ $error.instance }', status: '\${ $error.status }' } } }]`)
  expect(output).toEqual({ instance: '/do/0/attempt/try/0/ask', status: 500 })
})

test('a policy under use.authentications is the one of its name, with a secret of the workflow', async () => {
  const guarded = await startMcpServer((_, response, { headers }) => {
    if (headers.authorization === 'Bearer right-token') return false
    response.writeHead(401).end()
    return true
  })
  const ran = await running(
    `
use:
  secrets: [mcp]
  authentications: { tools: { bearer: { token: '\${ $secrets.mcp }' } } }
do:
  - list:
      call: mcp
      with:
        method: tools/list
        transport: { http: { endpoint: { uri: '${guarded.endpoint}', authentication: { use: tools } } } }`,
    { secrets: { mcp: 'right-token' } },
  )
  await guarded.close()
  expect(ran).toMatchObject({ state: 'completed', output: { tools: [] } })
})
