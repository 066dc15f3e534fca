import { describe, expect, test } from 'vitest'
import { createFetcher } from '#run/functions.ts'
import { createNetwork } from '#run/network.ts'
import { definition } from '#testing/definitions.ts'
import { type ServiceReply, startHttpService } from '#testing/http-service.ts'
import { checkDefinition } from './check-definition.ts'
import { fetchResources } from './fetch-resources.ts'

const fetchResource = createFetcher({ network: createNetwork(false), now: Date.now })
const secrets = { token: 'hunter2hunter2', other: 'not yours' }

/** Fetches the resources of a definition with these tasks, where HOST is a service with these responses. */
async function fetchFor(tasks: string, answers: Readonly<Record<string, ServiceReply>>, extra = '') {
  await using service = await startHttpService(({ path }) => {
    const { text, ...reply } = answers[path] ?? { status: 404 }
    return text === undefined ? reply : { ...reply, text: typeof text === 'string' ? text.replaceAll('HOST', service.url) : text }
  })
  const checked = checkDefinition('flow.yaml', definition(tasks, { extra }).replaceAll('HOST', service.url))
  expect(checked.diagnostics).toEqual([])
  const outcome = await fetchResources(checked, { fetchResource, secrets }).then(
    (resources) => ({ resources, error: undefined }),
    (error: unknown) => ({ resources: undefined, error: error instanceof Error ? error.message.replaceAll(service.url, 'HOST') : error }),
  )
  return { ...outcome, seen: service.seen, url: service.url }
}

const calling = (address: string): string => `- call:\n    call: ${address}`
const twice = { set: { twice: '${ .n * 2 }' } }

describe('external resources of a definition', () => {
  test('every resource is fetched before the run, once for each address', async () => {
    const schema = 'input: { schema: { resource: { endpoint: HOST/schema } } }'
    const { resources, seen, url } = await fetchFor(
      `${calling('HOST/f')}\n    ${schema}\n- again:\n    call: HOST/f\n    ${schema}\n- script:\n    run: { script: { language: js, source: { endpoint: HOST/s.js } } }`,
      { '/f': { text: 'set:\n  twice: ${ .n * 2 }\n' }, '/schema': { body: { type: 'object' } }, '/s.js': { text: 'console.log(1)' } },
    )
    expect(resources).toEqual({ [`${url}/f`]: twice, [`${url}/schema`]: { type: 'object' }, [`${url}/s.js`]: 'console.log(1)' })
    expect(seen.map(({ path }) => path).toSorted()).toEqual(['/f', '/s.js', '/schema'])
  })

  test('resources of fetched functions are fetched as well', async () => {
    const { resources, url } = await fetchFor(calling('HOST/outer'), {
      '/outer': {
        text: 'do:\n  - a: { call: HOST/inner }\n  - b: { set: { c: 1 }, input: { schema: { resource: { endpoint: HOST/schema } } } }',
      },
      '/inner': { body: twice },
      '/schema': { body: true },
    })
    expect(Object.keys(resources ?? {})).toEqual(['outer', 'inner', 'schema'].map((path) => `${url}/${path}`))
  })

  test('an OpenAPI document is fetched by its call, and not before', async () => {
    const tasks = '- a:\n    call: openapi\n    with: { document: { endpoint: HOST/api.json }, operationId: list }'
    expect(await fetchFor(tasks, {})).toMatchObject({ resources: {}, seen: [] })
  })
})

describe('an unusable resource is refused with its position and the reason:', () => {
  const big = 1024 * 1024
  test.each<[what: string, address: string, reply: ServiceReply, message: RegExp]>([
    ['not there', 'HOST/f', { status: 404, text: 'no such page' }, /HOST\/f could not be fetched: .*404.*no such page/],
    ['a server that fails', 'HOST/f', { status: 500 }, /could not be fetched: .*500/],
    ['a redirect, which is not followed', 'HOST/f', { status: 302, headers: { location: '/elsewhere' } }, /could not be fetched: .*302/],
    ['a page for people', 'HOST/f', { text: '<html>Sign in</html>' }, /is no function .*: line 1: .* has to be a task/],
    ['broken YAML', 'HOST/f', { text: 'set: {\n  a: [' }, /is no function .*: line 2: /],
    ['another task than there is', 'HOST/f', { text: '# a comment\nsett: {}' }, /is no function .*: line 2: "sett"/],
    ['nothing', 'HOST/f', { text: '' }, /is no function .*: line 1: .* is empty/],
    ['no text', 'HOST/f', { text: Buffer.from([0xff, 0xfe, 0x00]) }, /could not be fetched: the document is not text in UTF-8/],
    ['too much', 'HOST/f', { text: `#${'x'.repeat(big)}` }, /has more than 1048576 characters/],
    ['far too much', 'HOST/f', { text: 'x'.repeat(16 * big + 1) }, /could not be fetched: .*larger than 16777216 bytes/],
    ['no server', 'http://127.0.0.1:1/f', {}, /could not be fetched: .*ECONNREFUSED/],
    ['no such host', 'http://nowhere.invalid/f', {}, /could not be fetched: .*cannot be resolved/],
  ])('%s', async (_what, address, reply, message) => {
    const { error, seen } = await fetchFor(calling(address), { '/f': reply })
    expect(error).toMatch(message)
    expect(error).toMatch(/^flow\.yaml:4:7: [^\n]+$/)
    expect(seen.length).toBeLessThanOrEqual(1)
  })

  test('functions that call themselves or nest too deep', async () => {
    await using service = await startHttpService(({ path }) => {
      const depth = Number(path.slice(1))
      return { body: { do: [{ next: { call: `${service.url}/${depth === 3 ? 1 : depth + 1}` } }] } }
    })
    const run = (path: number) =>
      fetchResources(checkDefinition('flow.yaml', definition(calling(`${service.url}/${path}`))), { fetchResource, secrets })
    await expect(run(1)).rejects.toThrow(`flow.yaml:4:7: The function at ${service.url}/1 leads back to itself.`)
    await expect(run(4)).rejects.toThrow('flow.yaml:4:7: Functions lead to functions more than 8 levels deep.')
  })

  test('more resources than one definition may have', async () => {
    const tasks = Array.from({ length: 51 }, (_, index) => `- t${index}:\n    call: HOST/${index}`).join('\n')
    const answers = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`/${index}`, { body: twice }]))
    const { error, seen } = await fetchFor(tasks, answers)
    expect(error).toBe('flow.yaml:104:7: A definition takes at most 50 things from elsewhere.')
    expect(seen).toHaveLength(50)
  })

  test('every failing position, not only the first', async () => {
    const { error } = await fetchFor(`${calling('HOST/a')}\n- other:\n    call: HOST/b`, {})
    expect(error).toMatch(/^flow\.yaml:4:7: HOST\/a .*\n {7}flow\.yaml:6:7: HOST\/b /)
  })

  test('an address that is known only at run time', async () => {
    const tasks = `- a:\n    input: { schema: { resource: { endpoint: '\${ .x }' } } }\n    set: { b: 1 }`
    expect((await fetchFor(tasks, {})).error).toMatch(/^flow\.yaml:4:\d+: The address has to be known before anything runs/)
  })

  test.each(['./schema.json', 'schema.json', '/schema.json'])(
    'an address without a host, %s, is wrong in the definition already',
    (address) => {
      const tasks = `- a:\n    input: { schema: { resource: { endpoint: ${address} } } }\n    set: { b: 1 }`
      const { definition: usable, diagnostics } = checkDefinition('flow.yaml', definition(tasks))
      expect(usable).toBeUndefined()
      expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', line: 4 })])
    },
  )
})

describe('secrets', () => {
  const use = (names: string): string =>
    `use:\n  secrets: [${names}]\n  authentications:\n    mine: { bearer: { token: '\${ $secrets.token }' } }\n  catalogs:\n    ours: { endpoint: { uri: HOST/catalog, authentication: { use: mine } } }\n`
  const path = '/catalog/functions/twice/1.0.0/function.yaml'

  test('secrets are sent to the resources for which the definition lists them, and to no others', async () => {
    const { resources, seen } = await fetchFor(calling('twice:1.0.0@ours'), { [path]: { body: twice } }, use('token'))
    expect(Object.values(resources ?? {})).toEqual([twice])
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer hunter2hunter2'])
  })

  test('secrets that a service returns in an error are not in the message', async () => {
    const reply = { status: 403, text: 'hunter2hunter2 may not read this' }
    const { error } = await fetchFor(calling('twice:1.0.0@ours'), { [path]: reply }, use('token'))
    expect(error).toContain('may not read this')
    expect(error).not.toContain('hunter2')
  })

  test('fetched functions cannot read secrets', async () => {
    const greedy = {
      set: { b: 1 },
      input: { schema: { resource: { endpoint: { uri: 'HOST/inner', authentication: { bearer: { token: '${ $secrets.token }' } } } } } },
    }
    const { error, seen } = await fetchFor(calling('twice:1.0.0@ours'), { [path]: { text: JSON.stringify(greedy) } }, use('token'))
    expect(error).toMatch(/^flow\.yaml:10:7: .*The secret "token" is not listed/)
    expect(seen.map((request) => request.path)).toEqual([path])
  })
})
