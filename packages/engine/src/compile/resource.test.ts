import { describe, expect, test } from 'vitest'
import { definitionOf } from '#testing/run-definition.ts'
import { faultOf, walk } from '#testing/walk.ts'
import type { Installation } from './context.ts'
import { resourceAt, uriOf, writtenUri } from './resource.ts'

const page = 'https://github.com/acme/flows/blob/main/thing'
const raw = 'https://raw.githubusercontent.com/acme/flows/refs/heads/main/thing'
const fetched = (resources: Installation['resources']): Installation => ({ functions: [], resources })

describe('the address of an endpoint', () => {
  test('is the same, written as text or with its authentication', () => {
    expect(writtenUri('https://a.test/x')).toBe('https://a.test/x')
    expect(writtenUri({ uri: 'https://a.test/x', authentication: { use: 'who' } })).toBe('https://a.test/x')
  })

  test('is that of the document behind a page for people, however it is written', () => {
    expect([uriOf(page), uriOf({ uri: page })]).toEqual([raw, raw])
    expect(writtenUri(page)).toBe(page)
  })
})

describe('what was fetched', () => {
  test('is found by its address, to the letter', () => {
    const resources = { 'https://a.test/x': { found: true } }
    expect(resourceAt(resources, 'https://a.test/x')).toEqual({ found: true })
    expect(resourceAt(resources, 'https://a.test/X')).toBeUndefined()
    expect(resourceAt(resources, 'https://a.test/x?')).toBeUndefined()
  })

  test('may be anything that JSON can be, and is not taken for nothing', () => {
    const values = { null: null, false: false, zero: 0, empty: '' }
    expect(Object.keys(values).map((uri) => resourceAt(values, uri))).toEqual([null, false, 0, ''])
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('is not what every object of JavaScript has: %j', (uri) => {
    expect(resourceAt({}, uri)).toBeUndefined()
    expect(resourceAt(undefined, uri)).toBeUndefined()
  })
})

describe('a definition finds under the address of the document what it names by a page', () => {
  test('the code of a script', () => {
    const yaml = `do: [{ s: { run: { script: { language: javascript, source: { endpoint: '${page}' } } } } }]`
    expect(walk(definitionOf(yaml, fetched({ [raw]: 'return 7' }))).calls).toMatchObject([{ arguments: { code: 'return 7' } }])
    expect(() => definitionOf(yaml, fetched({ [page]: 'return 7' }))).toThrow(`the script ${raw} was not fetched`)
  })

  test('a script that has nothing in it', () => {
    const yaml = `do: [{ s: { run: { script: { language: javascript, source: { endpoint: '${page}' } } } } }]`
    expect(walk(definitionOf(yaml, fetched({ [raw]: '' }))).calls).toMatchObject([{ arguments: { code: '' } }])
  })

  test('a function, whose place names where it came from', () => {
    const installation = fetched({ [raw]: { raise: { error: { type: 'https://e.test/own', status: 418, title: 'Own' } } } })
    const { reference, segment } = { reference: '', segment: '', ...calledBy(`do: [{ f: { call: '${page}' } }]`, installation) }
    expect(reference).toBe(`/resources/${raw.replaceAll('/', '~1')}`)
    expect(segment).toBe(reference.slice(1))
    expect(faultOf(walk(definitionOf(`do: [{ f: { call: '${page}' } }]`, installation)))).toMatchObject({
      status: 418,
      instance: reference,
    })
  })

  test('a function of a catalog whose root is a page', () => {
    const root = 'https://github.com/acme/catalog/tree/v1.0.0'
    const file = 'https://raw.githubusercontent.com/acme/catalog/v1.0.0/functions/greet/2.1.0/function.yaml'
    const yaml = `use: { catalogs: { mine: { endpoint: '${root}' } } }\ndo: [{ f: { call: 'greet:2.1.0@mine' } }]`
    expect(walk(definitionOf(yaml, fetched({ [file]: { set: { from: 'catalog' } } }))).output).toEqual({ from: 'catalog' })
  })

  test.each([
    ['input', '', 'the input of task "a"'],
    ['output', '', 'the output of task "a"'],
    ['export', 'as: .n,', 'the context after task "a"'],
  ])('a schema of %s', (part, as, what) => {
    const yaml = `do: [{ a: { ${part}: { ${as} schema: { resource: { endpoint: '${page}' } } }, set: { n: 1 } } }]`
    const fitting = walk(definitionOf(yaml, fetched({ [raw]: true })), { input: {} })
    expect(fitting.state).toBe('completed')
    const strict = walk(definitionOf(yaml, fetched({ [raw]: { type: 'string' } })), { input: {} })
    expect(faultOf(strict)).toMatchObject({ status: 400, detail: expect.stringContaining(`${what} does not fit its schema`) })
  })

  test('a schema that was fetched as false fits nothing: it is not one that is missing', () => {
    const yaml = `input: { schema: { resource: { endpoint: '${page}' } } }\ndo: [{ a: { set: { n: 1 } } }]`
    const { detail } = faultOf(walk(definitionOf(yaml, fetched({ [raw]: false }))))
    expect(detail).toContain('the input of the workflow does not fit its schema')
    expect(detail).not.toContain('was not fetched')
    expect(faultOf(walk(definitionOf(yaml, fetched({})))).detail).toContain('was not fetched when the definition was published')
  })

  test('a definition that was published is not changed by what is there later', () => {
    const yaml = `do: [{ f: { call: '${page}' } }]`
    const one = definitionOf(yaml, fetched({ [raw]: { set: { n: 1 } } }))
    const other = definitionOf(yaml, fetched({ [raw]: { set: { n: 2 } } }))
    expect([walk(one).output, walk(other).output, walk(one).output]).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }])
  })
})

/** The node of the function that the first task calls. */
function calledBy(yaml: string, installation: Installation) {
  const [task] = definitionOf(yaml, installation).tasks.tasks
  return task?.body.kind === 'function' ? task.body.node : undefined
}
