import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createFolder } from '#testing/cli.ts'
import { readInput } from './read-input.ts'

const nothing = () => Readable.from([])

describe('--input', () => {
  test('without --input the input is an empty object', async () => {
    expect(await readInput([], nothing())).toEqual({})
  })

  test.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['"text"', 'text'],
    ['null', null],
    ['12', 12],
    ['a=1', { a: 1 }],
    ['a=true', { a: true }],
    ['a="1"', { a: '1' }],
    ['a=Ada Lovelace', { a: 'Ada Lovelace' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a={"b":[1]}', { a: { b: [1] } }],
    ['a=two\nlines', { a: 'two\nlines' }],
  ])('%s is parsed', async (value, input) => {
    expect(await readInput([value], nothing())).toEqual(input)
  })

  test.each([
    ['foo', 'Write --input'],
    ['order.json', 'Write --input @order.json'],
    ['a.b=1', 'Write --input \'{"a":{"b":1}}\''],
  ])('%s is refused with the way out', async (value, hint) => {
    await expect(readInput([value], nothing())).rejects.toMatchObject({ hint: expect.stringContaining(hint) })
  })

  test('several inputs are merged, later ones over earlier ones', async () => {
    expect(await readInput(['{"a":1,"b":1}', 'b=2', 'c=3'], nothing())).toEqual({ a: 1, b: 2, c: 3 })
  })

  test('the key __proto__ is only a key', async () => {
    const input = await readInput(['__proto__={"polluted":true}', 'a=1'], nothing())
    expect(Object.keys(input ?? {})).toContain('a')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('a file may be JSON or YAML', async () => {
    await using folder = await createFolder({ 'in.json': '{"a":1}', 'in.yaml': 'a: 1\nb: [2]\n' })
    expect(await readInput([`@${folder.file('in.json')}`], nothing())).toEqual({ a: 1 })
    expect(await readInput([`@${folder.file('in.yaml')}`], nothing())).toEqual({ a: 1, b: [2] })
  })

  test('- reads the input from standard input', async () => {
    expect(await readInput(['-'], Readable.from(['{"a"', ':1}']))).toEqual({ a: 1 })
  })

  test.each([
    [['nonsense'], /neither JSON .* nor key=value/],
    [['{"a":}'], /neither JSON/],
    [['[1]', 'a=1'], /only if each is an object/],
    [['-', '-'], /given twice/],
    [['@/nowhere/in.json'], /\/nowhere\/in.json: there is no such file/],
    [['@/'], /is a directory/],
    [['-'], /standard input is empty/],
  ])('%j is refused and named', async (values, message) => {
    await expect(readInput(values, nothing())).rejects.toThrow(message)
  })

  test('an invalid file is refused with the position', async () => {
    await using folder = await createFolder({ 'in.json': '{\n  "a": 1,\n  "b" 2\n}' })
    await expect(readInput([`@${folder.file('in.json')}`], nothing())).rejects.toThrow(/in\.json:3:\d+: /)
  })
})
