import { describe, expect, test } from 'vitest'
import { definitionOf } from '#testing/run-definition.ts'
import { fails, faultOf, gives, walk } from '#testing/walk.ts'
import type { Installation } from './context.ts'
import { unsupportedIn } from './unsupported.ts'
import { validateDefinition } from '@millrace/dsl'

const script = (properties: string, more = '') => `do: [{ s: { run: { script: { language: javascript, ${properties} } ${more} } } }]`

describe('a script', () => {
  test('is a call of the function "script" with what it needs', () => {
    const yaml = script(`code: 'return n', arguments: ['\${ .n + 1 }', plain], environment: { WHO: '\${ .who }' }, stdin: '\${ .text }'`)
    const { calls } = walk(yaml, { input: { n: 1, who: 'Ann', text: 'in' } })
    expect(calls).toMatchObject([
      {
        function: 'script',
        position: '/do/0/s',
        arguments: {
          language: 'javascript',
          return: 'stdout',
          code: 'return n',
          arguments: [2, 'plain'],
          environment: { WHO: 'Ann' },
          stdin: 'in',
        },
      },
    ])
  })

  test('leaves out what it does not have', () => {
    expect(walk(script(`code: '1'`)).calls[0]?.arguments).toEqual({ language: 'javascript', return: 'stdout', code: '1' })
  })

  test.each(['stdout', 'stderr', 'code', 'all', 'none'])('says what it is to give: %s', (what) => {
    expect(walk(script(`code: '1'`, `, return: ${what}`)).calls[0]?.arguments).toMatchObject({ return: what })
  })

  test('has its code as it is written, whatever it looks like', () => {
    for (const code of ['${ 1 + 1 }', '`${x}`', '"${ .n }"'])
      expect(walk(script(`code: ${JSON.stringify(code)}`)).calls[0]?.arguments).toMatchObject({ code })
  })

  test('gives what comes of it, or faults', () => {
    expect(walk(script(`code: '1'`), { call: () => gives('out') }).output).toBe('out')
    expect(faultOf(walk(script(`code: '1'`), { call: () => fails('runtime') }))).toMatchObject({ instance: '/do/0/s' })
  })

  test('a script that is not awaited is not run, since its output is its only effect', () => {
    const walked = walk(script(`code: 'throw 1'`, ', await: false'), { input: { kept: 1 } })
    expect(walked).toMatchObject({ state: 'completed', output: { kept: 1 }, calls: [] })
  })

  test('from elsewhere is what was fetched when the definition was published', () => {
    const uri = 'https://s.test/script.js'
    const yaml = script(`source: { endpoint: { uri: '${uri}' } }`)
    const installation: Installation = { functions: [], resources: { [uri]: 'return 7' } }
    expect(walk(definitionOf(yaml, installation)).calls[0]?.arguments).toMatchObject({ code: 'return 7' })
    expect(() => definitionOf(yaml, { functions: [], resources: {} })).toThrow(`${uri} was not fetched`)
    expect(() => definitionOf(yaml, { functions: [], resources: { [uri]: { not: 'text' } } })).toThrow('was not fetched')
  })
})

describe('a workflow that is run', () => {
  const run = (more = '', input = `, input: { n: '\${ .n }' }`) =>
    `do: [{ r: { run: { workflow: { namespace: n, name: w, version: '1.0.0' ${input} } ${more} } } }]`

  test('is asked for by name, with its input evaluated', () => {
    const { children, output } = walk(run(), { input: { n: 3 }, child: () => gives('done') })
    expect(children).toMatchObject([{ namespace: 'n', name: 'w', version: '1.0.0', input: { n: 3 }, await: true, position: '/do/0/r' }])
    expect(output).toBe('done')
  })

  test('without input gets an empty object', () => {
    expect(walk(run('', ''), { input: { n: 3 } }).children[0]?.input).toEqual({})
  })

  test.each([
    [`'\${ . }'`, { n: 3 }],
    [`'\${ .n }'`, 3],
    [`[ '\${ .n }', 1 ]`, [3, 1]],
    ['plain', 'plain'],
    ['null', null],
  ])('with the input %s gets what that is', (input, given) => {
    expect(walk(run('', `, input: ${input}`), { input: { n: 3 } }).children[0]?.input).toEqual(given)
  })

  test('and not waited for hands the input of the task on', () => {
    const walked = walk(run(', await: false'), { input: { n: 3 }, child: () => gives('id') })
    expect(walked.children[0]?.await).toBe(false)
    expect(walked.output).toEqual({ n: 3 })
  })
})

describe('what cannot be run here is named with its place', () => {
  function lacking(yaml: string, resources?: Installation['resources']) {
    const document = { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' }
    const { definition, diagnostics } = validateDefinition(`document: ${JSON.stringify(document)}\n${yaml}`)
    if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '))
    return unsupportedIn(definition, { resources }).map(({ pointer }) => pointer)
  }
  const hear = (filter: string) => `use: { secrets: [token] }\ndo: [{ hear: { listen: { to: ${filter} } } }]`
  const secret = `{ with: { type: a, data: '\${ . == $secrets.token }' } }`

  test.each([
    ['one', `{ one: ${secret} }`, '/do/0/hear/listen/to/one'],
    ['any', `{ any: [{ with: { type: a } }, ${secret}] }`, '/do/0/hear/listen/to/any/1'],
    ['all', `{ all: [${secret}] }`, '/do/0/hear/listen/to/all/0'],
    ['until', `{ any: [{ with: { type: a } }], until: { one: ${secret} } }`, '/do/0/hear/listen/to/until/one'],
    [
      'a correlation',
      `{ one: { with: { type: a }, correlate: { c: { from: .x, expect: '\${ $secrets.token }' } } } }`,
      '/do/0/hear/listen/to/one',
    ],
  ])('a filter that reads a secret, in %s: what it reads is stored', (_what, filter, pointer) => {
    expect(lacking(hear(filter))).toEqual([pointer])
  })

  test('not a filter that reads something else', () => {
    expect(lacking(hear(`{ one: { with: { type: a, data: '\${ . == $input.n }' } } }`))).toEqual([])
  })

  test('scripts and schemas at other places, where nothing can be fetched', () => {
    const yaml = `do: [{ s: { run: { script: { language: javascript, source: { endpoint: { uri: 'https://s.test/a.js' } } } } } }]`
    expect(lacking(yaml)).toHaveLength(1)
    expect(lacking(yaml, {})).toEqual([])
  })

  test('a pattern of a schema that cannot be bounded, in the loop over events as well', () => {
    const schema = '{ schema: { document: { type: string, pattern: "(?=a)b" } } }'
    expect(lacking(`do: [{ a: { set: { n: 1 }, output: ${schema} } }]`)).toEqual(['/do/0/a/output/schema/document/pattern'])
    const foreach = `do: [{ hear: { listen: { to: { one: { with: { type: a } } } }, foreach: { output: ${schema} } } }]`
    expect(lacking(foreach)).toEqual(['/do/0/hear/foreach/output/schema/document/pattern'])
  })
})
