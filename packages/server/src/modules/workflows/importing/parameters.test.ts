import { Fault, type JsonValue } from '@millrace/contract'
import { expect, test } from 'vitest'
import { fillParameters, type Parameter, type ParameterKind } from './parameters.ts'

const source = `# A comment stays.
do:
  - ask: { call: approve, with: { title: One, approvers: [someone@example.com] } } # so does this one
  - again: { set: { who: someone@example.com } }
`

function parameter(kind: ParameterKind, more: Partial<Parameter> = {}): Parameter {
  return {
    name: 'who',
    kind,
    description: 'Who it is.',
    required: true,
    at: ['/do/1/again/set/who'],
    example: 'someone@example.com',
    ...more,
  }
}

function pointersOf(parameters: readonly Parameter[], values: Readonly<Record<string, JsonValue>>): readonly string[] {
  try {
    fillParameters(source, parameters, values)
    return []
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    expect(error.code).toBe('parameters_invalid')
    return (error.details.errors ?? []).map(({ pointer }) => pointer)
  }
}

test('a value is written at every place, and all other text stays', () => {
  const at = ['/do/0/ask/with/approvers/0', '/do/1/again/set/who']
  const filled = fillParameters(source, [parameter('email', { at })], { who: 'ada@example.com' })
  expect(filled).toBe(source.replaceAll('someone@example.com', 'ada@example.com'))
})

test('a parameter that is not required keeps the value of the text', () => {
  expect(fillParameters(source, [parameter('email', { required: false })], {})).toBe(source)
})

test.each<[ParameterKind, JsonValue]>([
  ['text', 'anything: at # all'],
  ['email', 'ada@example.com'],
  ['url', 'https://example.com/a?b=c'],
  ['url', 'http://127.0.0.1:3000'],
  ['number', 1.5],
  ['boolean', false],
  ['list', ['one', 'two']],
])('a %s can be %j', (kind, value) => {
  expect(pointersOf([parameter(kind)], { who: value })).toEqual([])
})

test.each<[ParameterKind, JsonValue]>([
  ['text', ''],
  ['text', 1],
  ['text', null],
  ['text', '${ $secrets.KEY }'],
  ['text', 'a ${ b'],
  ['text', 'x'.repeat(10_001)],
  ['email', 'ada'],
  ['email', 'ada@example'],
  ['email', 'Ada <ada@example.com>'],
  ['email', 'ada@example.com, eve@example.com'],
  ['url', 'example.com'],
  ['url', 'file:///etc/passwd'],
  ['url', 'javascript:alert(1)'],
  ['number', '1'],
  ['boolean', 'true'],
  ['list', []],
  ['list', 'one'],
  ['list', [1]],
  ['list', ['${ . }']],
  ['list', Array.from({ length: 101 }, () => 'x')],
])('a %s cannot be %j', (kind, value) => {
  expect(pointersOf([parameter(kind)], { who: value })).toEqual(['/parameters/who'])
})

test.each(['__proto__', 'constructor', 'toString', 'a/b'])('a parameter named %s is unknown', (name) => {
  const values = Object.fromEntries([
    ['who', 'ada@example.com'],
    [name, 'x'],
  ])
  expect(pointersOf([parameter('email')], values)).toEqual([`/parameters/${name.replaceAll('/', '~1')}`])
})
