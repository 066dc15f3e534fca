import { describe, expect, test } from 'vitest'
import type { Json } from '#src/json.ts'
import { anyInput, inputWith, knownInput, mappedInput, mappingsBudget, notGiven, readsNotGiven } from './given-input.ts'
import { inputSkeleton, readsNotIn } from './input-parts.ts'

const needed = (path: string) => ({ path, needed: true })
const pathsOf = (reads: readonly { readonly path: string }[]) => reads.map(({ path }) => path)

describe('parts that an input does not have', () => {
  test.each<readonly [path: string, input: Json]>([
    ['orderId', {}],
    ['orderId', { order_id: 1 }],
    ['orderId', null],
    ['orderId', 'a text'],
    ['orderId', [{ orderId: 1 }]],
    ['customer.email', { customer: {} }],
    ['customer.email', { customer: null }],
    ['customer.email', { customer: 'Ada' }],
    ['["order-id"].x', { 'order-id': {} }],
    ['items[].price', {}],
    ['items[].price', { items: [{ cost: 1 }, {}] }],
    ['[].price', [{}]],
    ['toString', {}],
  ])('%s is not in %j', (path, input) => {
    expect(pathsOf(readsNotIn([needed(path)], input))).toEqual([path])
    expect(pathsOf(readsNotGiven([needed(path)], knownInput(input)))).toEqual([path])
  })

  test.each<readonly [path: string, input: Json]>([
    ['orderId', { orderId: 1 }],
    ['orderId', { orderId: null }],
    ['customer.email', { customer: { email: '' } }],
    ['["order-id"]', { 'order-id': 1 }],
    ['["a\\"]b"].c', { 'a"]b': { c: 1 } }],
    ['items[].price', { items: [] }],
    ['items[].price', { items: [{}, { price: 1 }] }],
    ['items[].price', { items: { a: { price: 1 } } }],
    ['items[].price', { items: null }],
    ['[]', []],
  ])('%s may be in %j', (path, input) => {
    expect(readsNotIn([needed(path)], input)).toEqual([])
  })

  test('a part with a default is never missed', () => {
    expect(readsNotIn([{ path: 'note', needed: false }], {})).toEqual([])
  })
})

describe('parts that a mapping does not give', () => {
  const request = inputWith({ body: anyInput, method: anyInput }, true)

  test.each<readonly [mapping: string, missing: readonly string[]]>([
    ['.', ['orderId', 'customer.email']],
    ['.body', []],
    ['{ orderId: .body.id }', ['customer.email']],
    ['{ orderId: .orderId, customer: .body.customer }', ['orderId']],
    ['{ orderId: .body.id, customer: { name: .body.name } }', ['customer.email']],
    ['{ orderId: 7, customer: { email: "a@b.c" } }', []],
    ['{ orderId: 7 } + .body', []],
    ['.body + { orderId: 7 }', []],
    ['{ (.body.name): 1 }', []],
    ['if .body.a then { orderId: 1, customer: .body } else .body end', []],
    ['if .body.a then { orderId: 1 } else { orderId: 2 } end', ['customer.email']],
    ['.body | fromjson', []],
    ['"a text"', ['orderId', 'customer.email']],
  ])('%s', (mapping, missing) => {
    const given = mappedInput(mapping, request, mappingsBudget())
    expect(given && pathsOf(readsNotGiven([needed('orderId'), needed('customer.email')], given))).toEqual(missing)
  })

  test('a member that is certainly not there is not given, whatever else is', () => {
    const event = inputWith({ orderId: notGiven }, false)
    expect(pathsOf(readsNotGiven([needed('orderId'), needed('customer.email')], event))).toEqual(['orderId'])
  })

  test('of a mapping with a mistake nothing is known', () => {
    expect(mappedInput('{ a', request, mappingsBudget())).toBeUndefined()
  })
})

test('a skeleton has each part once, with an example of a list', () => {
  const reads = ['orderId', 'customer.email', 'customer.name', 'items[].price', 'items[].size.w', 'a["b-c"]', 'tags[]', 'orderId.x'].map(
    needed,
  )
  expect(inputSkeleton(reads)).toEqual({
    orderId: { x: '' },
    customer: { email: '', name: '' },
    items: [{ price: '', size: { w: '' } }],
    a: { 'b-c': '' },
    tags: [''],
  })
  expect(inputSkeleton([needed('[].id')])).toEqual([{ id: '' }])
})
