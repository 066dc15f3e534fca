import { type Definition, validateDefinition } from '@millrace/dsl'
import { describe, expect, test, vi } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import type { FetchResource, ResourceRequest } from './fetch-resource.ts'
import { gatherResources, pinnedIn } from './gather-resources.ts'

const manifest = { name: 'notify', version: '1.0.0', summary: '', performs: 'effect' as const, input: { required: ['who'] }, output: {} }
const at = (path: string): string => `https://e.test/${path}`

function definitionOf(tasks: readonly JsonObject[], use: JsonObject = {}): Definition {
  const document = { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' }
  const { definition, diagnostics } = validateDefinition(JSON.stringify({ document, use, do: tasks }))
  if (definition === undefined) throw new Error(JSON.stringify(diagnostics))
  return definition
}

/** Gathers for a definition what lies at these addresses. */
async function gather(definition: Definition, texts: Readonly<Record<string, string>>, secrets: JsonObject = {}) {
  const asked: ResourceRequest[] = []
  const fetchResource: FetchResource = async (request) => {
    asked.push(request)
    const text = texts[request.endpoint.uri]
    if (text === undefined) throw new WorkflowError(standardError('communication', 'nothing is there').data)
    return text
  }
  const { resources, failures } = await gatherResources(definition, { fetchResource, secrets, functions: [manifest] })
  return { resources, failures, uris: asked.map(({ endpoint }) => endpoint.uri), asked }
}

const call = (path: string, name = 'a'): JsonObject => ({ [name]: { call: at(path) } })
const setting = JSON.stringify({ set: { b: 1 } })
const leadingTo = (...paths: readonly string[]): string => JSON.stringify({ do: paths.map((path, index) => call(path, `t${index}`)) })

describe('what is gathered', () => {
  test('are functions, schemas and scripts, each as it was fetched and as it is compiled', async () => {
    const definition = definitionOf([
      { a: { call: at('f'), input: { schema: { resource: { endpoint: at('s') } } } } },
      { b: { run: { script: { language: 'js', source: { endpoint: at('js') } } } } },
    ])
    const { resources, failures } = await gather(definition, {
      [at('f')]: 'set:\n  b: 1\n',
      [at('s')]: 'type: object',
      [at('js')]: '1 + 1',
    })
    expect(failures).toEqual([])
    expect(resources).toEqual({
      [at('f')]: { kind: 'function', text: 'set:\n  b: 1\n', content: { set: { b: 1 } } },
      [at('s')]: { kind: 'schema', text: 'type: object', content: { type: 'object' } },
      [at('js')]: { kind: 'script', text: '1 + 1', content: '1 + 1' },
    })
  })

  test('are no documents of OpenAPI', async () => {
    const definition = definitionOf([{ a: { call: 'openapi', with: { document: { endpoint: at('api') }, operationId: 'get' } } }])
    expect(pinnedIn(definition)).toEqual([])
    expect(await gather(definition, {})).toMatchObject({ resources: {}, failures: [], uris: [] })
  })

  test('is fetched once, however often it is named, also by what is fetched', async () => {
    const { resources, uris } = await gather(definitionOf([call('f'), call('g', 'b'), call('f', 'c')]), {
      [at('f')]: leadingTo('g', 'h'),
      [at('g')]: setting,
      [at('h')]: leadingTo('g'),
    })
    expect(uris).toEqual([at('f'), at('g'), at('h')])
    expect(Object.keys(resources)).toEqual([at('f'), at('g'), at('h')])
  })

  test('is fetched with the secrets of the definition only where the definition names it itself', async () => {
    const { asked } = await gather(definitionOf([call('f')]), { [at('f')]: leadingTo('g'), [at('g')]: setting }, { token: 'secret' })
    expect(asked.map(({ secrets }) => secrets)).toEqual([{ token: 'secret' }, {}])
  })
})

describe('a failure', () => {
  test.each<[what: string, text: string | undefined, message: string | RegExp]>([
    ['has the reason of the fetch', undefined, `${at('f')} could not be fetched: nothing is there`],
    ['comes of a function that is no task', 'hello', /is no function that can be used: line 1: .*has to be a task/],
    ['comes of a function with an error, and has its line', '# f\nsett: {}', /is no function that can be used: line 2: "sett"/],
    ['comes of wrong arguments for the catalog', '{"call":"notify","with":{"whom":"Ann"}}', /is no function that can be used: line 1: /],
    ['comes of more than a mebi of characters', `#${'x'.repeat(1024 * 1024)}`, `What is at ${at('f')} has more than 1048576 characters.`],
    ['comes of a circle', leadingTo('f'), `The function at ${at('f')} leads back to itself.`],
  ])('%s', async (_what, text, message) => {
    const { failures } = await gather(definitionOf([call('f')]), text === undefined ? {} : { [at('f')]: text })
    expect(failures).toEqual([{ pointer: '/do/0/a/call', message: typeof message === 'string' ? message : expect.stringMatching(message) }])
  })

  test('unreadable schemas and addresses that are expressions are all reported', async () => {
    const schema = (endpoint: string): JsonObject => ({ set: { b: 1 }, input: { schema: { resource: { endpoint } } } })
    const { failures, resources } = await gather(
      definitionOf([{ a: schema(at('s')) }, { b: schema('${ .url }') }, { c: schema('https://e.test/{id}') }, call('f', 'd')]),
      { [at('s')]: '{ "type": ', [at('f')]: setting },
    )
    expect(failures).toEqual([
      { pointer: '/do/0/a/input/schema/resource', message: expect.stringContaining(`What is at ${at('s')} is no schema that can be used`) },
      { pointer: '/do/1/b/input/schema/resource', message: expect.stringContaining('has to be known before anything runs') },
      { pointer: '/do/2/c/input/schema/resource', message: expect.stringContaining('has to be known before anything runs') },
    ])
    expect(Object.keys(resources)).toEqual([at('f')])
  })

  test('comes of functions that lead on and on, at the place in the definition', async () => {
    const texts = Object.fromEntries(Array.from({ length: 10 }, (_, depth) => [at(`${depth}`), leadingTo(`${depth + 1}`)]))
    const { failures, uris } = await gather(definitionOf([call('0')]), texts)
    expect(failures).toEqual([{ pointer: '/do/0/a/call', message: 'Functions lead to functions more than 8 levels deep.' }])
    expect(uris).toHaveLength(8)
  })

  test('comes of the fifty-first thing', async () => {
    const tasks = Array.from({ length: 51 }, (_, index) => call(`${index}`, `t${index}`))
    const texts = Object.fromEntries(tasks.map((_, index) => [at(`${index}`), setting]))
    const { failures, uris } = await gather(definitionOf(tasks), texts)
    expect(failures).toEqual([{ pointer: '/do/50/t50/call', message: 'A definition takes at most 50 things from elsewhere.' }])
    expect(uris).toHaveLength(50)
  })

  test('comes of what takes longer than ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const fetchResource: FetchResource = ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      const gathering = gatherResources(definitionOf([call('f')]), { fetchResource, secrets: {}, functions: [] })
      await vi.advanceTimersByTimeAsync(9_999)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect((await gathering).failures).toMatchObject([{ message: `${at('f')} could not be fetched: it took longer than 10 seconds` }])
    } finally {
      vi.useRealTimers()
    }
  })
})

test('what is no failure of the fetching is a bug, and is thrown', async () => {
  const gathering = gatherResources(definitionOf([call('f')]), {
    fetchResource: () => Promise.reject(new TypeError('a bug')),
    secrets: {},
    functions: [],
  })
  await expect(gathering).rejects.toThrow('a bug')
})
