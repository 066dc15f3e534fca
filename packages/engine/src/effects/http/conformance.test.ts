import { type ConformanceData, describeConformance } from '@millrace/jq/testing/conformance.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { callHttp } from './call-http.ts'
import type { HttpPort } from './port.ts'
import { testContext } from './testing-context.ts'
import { failureOf } from './testing-outcome.ts'
import { fetchPort } from './testing-port.ts'
import { type Received, sendJson, startServer, type TestServer } from './testing-server.ts'

// The HTTP calls of the specification's conformance kit and examples, against a stand-in for the services that they name. Their
// expressions are paths into the input, which the interpreter would have evaluated.

let standIn: TestServer

const pet = { id: 1, name: 'milou', status: 'available' }

beforeAll(async () => {
  standIn = await startServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://h')
    if (pathname === '/v2/pet/findByStatus') sendJson(response, 200, [pet])
    else if (pathname.startsWith('/v2/pet/getPetByName/')) sendJson(response, 404, { message: 'unknown' })
    else if (pathname.startsWith('/v2/pet/')) sendJson(response, 200, pet)
    else if (pathname.startsWith('/basic-auth/')) basicAuth(request, pathname, response)
    else if (pathname === '/api/people/') sendJson(response, 200, { count: 1, results: [{ name: 'Luke' }] })
    else if (pathname.endsWith('/token')) sendJson(response, 200, { access_token: 'issued', token_type: 'Bearer', expires_in: 60 })
    else if (pathname.endsWith('/.well-known/openid-configuration')) {
      const issuer = 'http://keycloak/realms/fake-authority'
      sendJson(response, 200, { issuer, token_endpoint: `${issuer}/protocol/openid-connect/token` })
    } else sendJson(response, 500, { message: `unexpected request ${request.url}` })
  })
})

afterAll(() => standIn.close())

function basicAuth(request: Received, pathname: string, response: Parameters<typeof sendJson>[0]): void {
  const [, , username = '', password = ''] = pathname.split('/')
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  sendJson(response, request.headers.authorization === expected ? 200 : 401, { authenticated: true })
}

/** Leads every host to the stand-in, as a hosts file would. */
const port: HttpPort = {
  request: async (request, signal) => {
    const { origin } = new URL(request.url)
    const reply = await fetchPort.request({ ...request, url: request.url.replace(origin, standIn.origin) }, signal)
    return { ...reply, url: reply.url.replace(standIn.origin, origin) }
  },
}

/** Replaces `${ .path }` by what the input has there. */
function evaluate(value: Json, input: Json): Json {
  if (typeof value === 'string') return evaluateText(value, input)
  if (isArray(value)) return value.map((item) => evaluate(item, input))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, evaluate(item, input)]))
  return value
}

function evaluateText(text: string, input: Json): Json {
  const path = /^\$\{\s*\.(\w+)\s*\}$/.exec(text)?.[1]
  if (path !== undefined) return isObject(input) ? (input[path] ?? null) : null
  const interpolated = /^\$\{\s*"(.*)\\\(\.(\w+)\)"\s*\}$/.exec(text)
  if (interpolated === null) return text
  return `${interpolated[1]}${isObject(input) ? JSON.stringify(input[interpolated[2] ?? '']) : ''}`
}

/** The arguments of every HTTP call in a definition, wherever it stands. */
function httpCalls(value: Json): JsonObject[] {
  if (isArray(value)) return value.flatMap(httpCalls)
  if (!isObject(value)) return []
  if (value['call'] === 'http' && isObject(value['with'])) return [value['with']]
  return Object.values(value).flatMap(httpCalls)
}

interface Scenario {
  readonly name: string
  readonly definition: JsonObject
  readonly input: Json
}

function definitionOf(yaml: string): JsonObject {
  const definition: Json = parse(yaml)
  if (!isObject(definition)) throw new Error('the definition is no object')
  return definition
}

function scenariosOf(data: ConformanceData, feature: string): Scenario[] {
  return data
    .read(`ows/${feature}`)
    .split(/^\s*Scenario: /m)
    .slice(1)
    .map((part) => {
      const [definition = '', input = '{}'] = [...part.matchAll(/"""yaml\n([\s\S]*?)\n\s*"""/g)].map(([, yaml = '']) => yaml)
      return { name: part.split('\n')[0] ?? '', definition: definitionOf(definition), input: parse(input) }
    })
}

const contextOf = (definition: JsonObject, input: Json): ReturnType<typeof testContext> => {
  const use = isObject(definition['use']) ? definition['use'] : {}
  const named = isObject(use['authentications']) ? evaluate(use['authentications'], input) : {}
  const client = { id: 'workflow-runtime-id', secret: 'workflow-runtime-secret' }
  return testContext({
    http: port,
    uriVariables: input,
    authentications: isObject(named) ? named : {},
    secrets: { mySecret: { authority: 'http://keycloak/realms/fake-authority', grant: 'client_credentials', client } },
  })
}

describeConformance('the conformance kit', (data) => {
  const run = ({ definition, input }: Scenario): Promise<Json>[] =>
    httpCalls(definition).map((args) => callHttp(evaluate(args, input), contextOf(definition, input)))

  test.each(scenariosOf(data, 'call.feature').filter(({ definition }) => httpCalls(definition).length > 0))('$name', async (scenario) => {
    const outputs = await Promise.all(run(scenario))
    if (scenario.name.includes('Content Output')) expect(outputs).toEqual([[pet]])
    else if (scenario.name.includes('Response Output')) {
      expect(outputs).toMatchObject([
        { request: { method: 'get', uri: 'https://petstore.swagger.io/v2/pet/1' }, statusCode: 200, content: pet },
      ])
    } else expect(outputs).toEqual([{ authenticated: true }])
  })

  test.each(scenariosOf(data, 'try.feature').filter(({ name, definition }) => name.includes('Handle') && httpCalls(definition).length > 0))(
    '$name',
    async (scenario) => {
      const [calling] = run(scenario)
      expect((await failureOf(calling ?? Promise.resolve())).error).toMatchObject({ status: 404, title: 'Not Found' })
    },
  )
})

describeConformance('the examples', (data) => {
  const input = { petId: 1, token: 'the-token', searchQuery: 'luke', query: { search: 'luke' }, headers: { Accept: 'application/json' } }
  const files = data.list('ows/examples', '.yaml').filter((name) => /^(call-http|authentication)/.test(name))

  test('are there', () => {
    expect(files.length).toBeGreaterThanOrEqual(12)
  })

  test.each(files)('%s runs', async (file) => {
    const definition = definitionOf(data.read(`ows/examples/${file}`))
    const before = standIn.received.length
    const outputs = await Promise.all(httpCalls(definition).map((args) => callHttp(evaluate(args, input), contextOf(definition, input))))
    expect(outputs).toHaveLength(1)
    const last = standIn.received.at(-1)
    expect(standIn.received.length).toBeGreaterThan(before)
    if (file.includes('query')) expect(last?.url).toBe('/api/people/?search=luke')
    if (file.includes('bearer')) expect(last?.headers.authorization).toBe('Bearer the-token')
    if (file.includes('reusable')) expect(last?.headers.authorization).toBe('Bearer the-token')
    if (file.includes('oauth2') || file.includes('oidc')) expect(last?.headers.authorization).toBe('Bearer issued')
    if (file.includes('endpoint')) expect(last?.url).toBe('/v2/pet/1')
  })

  test('authentication-oauth2.yaml asks where the example says, and oidc where the provider says', () => {
    const paths = standIn.received.map(({ url }) => url)
    expect(paths).toContain('/realms/fake-authority/auth/token')
    expect(paths).toContain('/realms/fake-authority/.well-known/openid-configuration')
    expect(paths).toContain('/realms/fake-authority/protocol/openid-connect/token')
  })
})
