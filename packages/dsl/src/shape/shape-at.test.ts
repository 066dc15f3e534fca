import { describe, expect, test } from 'vitest'
import { definitionShape, plainShape, shapeAt, taskShapes } from './index.ts'

const document = {
  do: [
    { a: { if: '.x', call: 'http', with: { method: 'get', endpoint: 'https://a.b', headers: { x: '1' } } } },
    { b: { for: { in: '.x' }, do: [{ c: { set: { y: 1 } } }], export: { as: '.z' } } },
    { d: { switch: [{ big: { when: '.x', then: 'end' } }] } },
  ],
}

describe('the shape at a place', () => {
  test.each([
    ['/do/0/a/if', { kind: 'string', reading: 'expression' }, 'taskInput'],
    ['/do/0/a/with/method', { kind: 'string' }, 'task'],
    ['/do/1/b/do/0/c/set/y', { kind: 'any' }, 'task'],
    ['/do/1/b/export/as', { kind: 'string', reading: 'expression' }, 'taskExport'],
    ['/do/2/d/switch/0/big/when', { kind: 'string', reading: 'expression' }, 'task'],
    ['/do/1/b/metadata/concurrency', { kind: 'integer', min: 1 }, 'task'],
  ])('%s', (pointer, shape, stage) => {
    const found = shapeAt(document, pointer)
    expect(found?.shape).toMatchObject(shape)
    expect(found?.stage).toBe(stage)
  })

  test('a place that the language does not have has none', () => {
    expect(shapeAt(document, '/do/0/a/wiht')).toBeUndefined()
    expect(shapeAt(document, '/document/name/x')).toBeUndefined()
  })
})

test('a shape as JSON survives serialisation and has every property of the table', () => {
  const plain = plainShape(taskShapes.for)
  expect(JSON.parse(JSON.stringify(plain))).toEqual(plain)
  expect(plain).toMatchObject({ kind: 'object', what: 'a for task' })
  expect(JSON.stringify(plainShape(definitionShape)).length).toBeGreaterThan(2000)
})
