import { describe, expect, test } from 'vitest'
import { definitionOf, uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { fails, faultOf, gives, walk, type WalkOptions } from '#testing/walk.ts'
import { fixText } from '@millrace/dsl/fix'
import { WorkflowError } from './error.ts'
import { checkEvent, completeEvent } from './event.ts'
import type { Json, JsonObject } from './json.ts'

function refusal(event: JsonObject): string {
  try {
    checkEvent(event)
  } catch (error) {
    if (error instanceof WorkflowError) return `${error.data.title}: ${error.data.detail}`
    throw error
  }
  return 'taken'
}

describe('an event', () => {
  test.each<[what: string, event: JsonObject]>([
    ['a type alone', { type: 'a' }],
    [
      'every attribute that CloudEvents knows',
      { id: '1', source: '/s', type: 'a', subject: 's', dataschema: 'https://s.test', specversion: '1.0' },
    ],
    ['a time in UTC', { type: 'a', time: '2030-01-02T03:04:05Z' }],
    ['a time with an offset and fractions', { type: 'a', time: '2030-01-02t03:04:05.123456+02:00' }],
    ['extensions of text, number and truth', { type: 'a', traceparent: '00-1', sequence: 7, sampled: true }],
    ['data of any kind', { type: 'a', data: { deep: [1, null] } }],
    ['binary data', { type: 'a', data_base64: 'AAE=' }],
    ['attributes that are null', { type: 'a', id: null, subject: null, time: null, specversion: null, mine: null }],
    ['names of digits, and of 64 characters', { type: 'a', '1': 'x', [`a${'b'.repeat(63)}`]: 'x' }],
  ])('may have %s', (_what, event) => {
    expect(refusal(event)).toBe('taken')
  })

  test.each<[attribute: string, what: string, event: JsonObject]>([
    ['type', 'is required', {}],
    ['type', 'is required', { type: null }],
    ['type', 'must be text', { type: 7 }],
    ['type', 'must not be empty', { type: '' }],
    ['id', 'must be text', { type: 'a', id: 7 }],
    ['id', 'must not be empty', { type: 'a', id: '' }],
    ['source', 'must be text', { type: 'a', source: { uri: '/s' } }],
    ['source', 'must not be empty', { type: 'a', source: '' }],
    ['subject', 'must be text', { type: 'a', subject: ['s'] }],
    ['datacontenttype', 'must be text', { type: 'a', datacontenttype: false }],
    ['dataschema', 'must be text', { type: 'a', dataschema: 1 }],
    ['specversion', 'must be 1.0', { type: 'a', specversion: '0.3' }],
    ['specversion', 'must be text', { type: 'a', specversion: 1 }],
    ['time', 'must be text', { type: 'a', time: 1_893_553_445 }],
    ['time', 'must be an RFC 3339 timestamp', { type: 'a', time: 'tomorrow' }],
    ['time', 'must be an RFC 3339 timestamp', { type: 'a', time: '2030-01-02' }],
    ['time', 'must be an RFC 3339 timestamp', { type: 'a', time: '2030-01-02T03:04:05' }],
    ['time', 'must be an RFC 3339 timestamp', { type: 'a', time: '2030-13-02T03:04:05Z' }],
    ['time', 'must be an RFC 3339 timestamp', { type: 'a', time: '2030-01-02T03:04:05Z ' }],
    ['data_base64', 'must be text', { type: 'a', data_base64: [0, 1] }],
    ['data_base64', 'cannot stand beside "data"', { type: 'a', data: 1, data_base64: 'AAE=' }],
    ['traceParent', 'is not a valid attribute name: use a to z and 0 to 9', { type: 'a', traceParent: 'x' }],
    ['my-own', 'is not a valid attribute name: use a to z and 0 to 9', { type: 'a', 'my-own': 'x' }],
    ['', 'is not a valid attribute name: use a to z and 0 to 9', { type: 'a', '': 'x' }],
    ['é', 'is not a valid attribute name: use a to z and 0 to 9', { type: 'a', é: 'x' }],
    ['mine', 'must be text, a number or a boolean', { type: 'a', mine: { x: 1 } }],
    ['mine', 'must be text, a number or a boolean', { type: 'a', mine: [1] }],
  ])('"%s" %s', (attribute, what, event) => {
    expect(refusal(event)).toBe(`Validation error: the attribute "${attribute}" of the event ${what}`)
  })

  test('with names that mean something to JavaScript is refused, too', () => {
    const named = Object.fromEntries([
      ['type', 'a'],
      ['__proto__', 'x'],
    ])
    expect(refusal(named)).toContain('"__proto__"')
  })
})

describe('an event is completed', () => {
  const given = { id: 'made', source: '/made', time: '2030-01-01T00:00:00.000Z' }

  test('with what the author left out', () => {
    expect(completeEvent({ type: 'a' }, given)).toEqual({ specversion: '1.0', type: 'a', ...given })
  })

  test('and what the author gave stays', () => {
    const event = { type: 'a', id: 'own', source: '/own', time: '2031-01-01T00:00:00Z', subject: 's', mine: 7 }
    expect(completeEvent(event, given)).toEqual({ specversion: '1.0', ...event })
  })

  test('without the attributes that are null', () => {
    expect(completeEvent({ type: 'a', id: null, specversion: null, subject: null, mine: null }, given)).toEqual({
      specversion: '1.0',
      type: 'a',
      ...given,
    })
  })

  test.each<[data: Json]>([[{ x: 1 }], ['text'], [0], [false], [[]]])('with the type of its data where that is JSON: %j', (data) => {
    expect(completeEvent({ type: 'a', data }, given)).toMatchObject({ data, datacontenttype: 'application/json' })
  })

  test('a content type is added only to data without one', () => {
    expect(completeEvent({ type: 'a' }, given)).not.toHaveProperty('datacontenttype')
    expect(completeEvent({ type: 'a', data_base64: 'AAE=' }, given)).not.toHaveProperty('datacontenttype')
    expect(completeEvent({ type: 'a', data: '<x/>', datacontenttype: 'text/xml' }, given)).toMatchObject({ datacontenttype: 'text/xml' })
  })

  test('and is not changed itself', () => {
    const event = Object.freeze({ type: 'a', data: null })
    expect(completeEvent(event, given)).not.toBe(event)
    expect(event).toEqual({ type: 'a', data: null })
  })
})

describe('emit', () => {
  const emit = (attributes: string, more = '') =>
    `do: [{ before: { set: { n: 5 } } }, { notify: { emit: { event: { with: ${attributes} } } ${more} } }, { after: { set: { said: '\${ $steps.notify }' } } }]`
  const plain = `{ source: 'https://s.test', type: a }`

  test('asks for the event with its expressions evaluated', () => {
    const attributes = `{ source: 'https://s.test', type: '\${ "order.\\(.n)" }', data: { n: '\${ .n }', list: ['\${ .n + 1 }', 7] }, priority: '\${ .n }' }`
    expect(walk(emit(attributes)).emitted).toEqual([
      expect.objectContaining({
        kind: 'emit',
        position: '/do/1/notify',
        event: { source: 'https://s.test', type: 'order.5', data: { n: 5, list: [6, 7] }, priority: 5 },
      }),
    ])
  })

  test('gives the event that was emitted', () => {
    expect(walk(emit(plain)).output).toEqual({ said: { source: 'https://s.test', type: 'a' } })
  })

  test('takes data that is one expression', () => {
    expect(walk(emit(`{ source: 'https://s.test', type: a, data: '\${ . }' }`)).emitted[0]?.event.data).toEqual({ n: 5 })
  })

  test('is at the same place in every walk, and at another in every iteration', () => {
    const looped = `do: [{ loop: { for: { in: '[1, 2]' }, do: [{ notify: { emit: { event: { with: ${plain} } } } }] } }]`
    const positions = () => walk(looped).emitted.map(({ position }) => position)
    expect(positions()).toEqual(['/do/0/loop[0]/do/0/notify', '/do/0/loop[1]/do/0/notify'])
    expect(positions()).toEqual(positions())
  })

  test.each([
    [`{ source: 'https://s.test', type: '\${ .n }' }`, 'the attribute "type" of the event must be text'],
    [`{ source: 'https://s.test', type: '\${ .missing }' }`, 'the attribute "type" of the event is required'],
    [`{ source: '\${ "" }', type: a }`, 'the attribute "source" of the event must not be empty'],
    [`{ source: 'https://s.test', type: a, mine: '\${ . }' }`, 'the attribute "mine" of the event must be text, a number or a boolean'],
    [`{ source: 'https://s.test', type: a, time: '\${ "noon" }' }`, 'the attribute "time" of the event must be an RFC 3339 timestamp'],
  ])('of %s faults where it stands, and emits nothing', (attributes, detail) => {
    const walked = walk(emit(attributes))
    expect(faultOf(walked)).toMatchObject({ status: 400, title: 'Validation error', detail, instance: '/do/1/notify' })
    expect(walked.emitted).toEqual([])
  })

  test('of what is no object faults', () => {
    const fault = faultOf(walk(uncheckedDefinitionOf(`do: [{ notify: { emit: { event: { with: '\${ 7 }' } } } }]`)))
    expect(fault).toMatchObject({ title: 'Expression error', detail: 'an event is an object', instance: '/do/0/notify' })
  })

  test('of what is far too large faults', () => {
    const huge = `do: [{ notify: { emit: { event: { with: { source: 'https://s.test', type: a, data: '\${ [limit(22; repeat("x" * 1000000))] }' } } } } }]`
    expect(faultOf(walk(huge))).toMatchObject({ detail: 'the event would be larger than 16 MiB', instance: '/do/0/notify' })
  })

  test('can be caught like anything else', () => {
    const tried = `do: [{ t: { try: [{ notify: { emit: { event: { with: { source: 'https://s.test', type: '\${ 7 }' } } } } }], catch: { do: [{ h: { set: { caught: '\${ $error.title }' } } }] } } }]`
    expect(walk(tried).output).toEqual({ caught: 'Validation error' })
  })

  test('is skipped by its condition, and transforms its output', () => {
    expect(walk(emit(plain, ', if: .n > 9')).emitted).toEqual([])
    expect(walk(emit(plain, `, output: { as: .type }`)).output).toEqual({ said: 'a' })
  })
})

describe('functions of the default catalog that wait or answer', () => {
  const schema = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'], additionalProperties: false }
  const manifest = { version: '1.0.0', summary: '', output: {} }
  const installation = {
    functions: [
      { ...manifest, name: 'approve', performs: 'waiting' as const, input: schema },
      { ...manifest, name: 'respond', performs: 'answer' as const, input: {} },
    ],
  }
  const run = (yaml: string, options: WalkOptions = {}) => walk(definitionOf(yaml, installation), options)
  const approve = (more = '') => `do: [{ ask: { call: approve, with: { who: '\${ .boss }' } ${more} } }]`

  test('a waiting one waits for one message under its name, and gives it', () => {
    const walked = run(approve(), { input: { boss: 'Ann' }, message: () => gives({ answer: 'yes' }, 1_000) })
    expect(walked).toMatchObject({ output: { answer: 'yes' }, tookMs: 1_000, closed: ['/do/0/ask'] })
    expect(walked.messages).toMatchObject([
      { position: '/do/0/ask/message', wait: { position: '/do/0/ask', topic: 'approve', arguments: { who: 'Ann' } } },
    ])
  })

  test('a waiting one that is called wrongly faults and waits for nothing', () => {
    const walked = run(approve(), { input: { boss: 7 } })
    expect(faultOf(walked)).toMatchObject({ title: 'Validation error', instance: '/do/0/ask' })
    expect(walked).toMatchObject({ messages: [], closed: [] })
  })

  test('a waiting one is closed once by a timeout, a failure, and a competitor', () => {
    const late = run(approve(', timeout: { after: PT1S }'), { input: { boss: 'Ann' } })
    expect(faultOf(late).status).toBe(408)
    expect(late.closed).toEqual(['/do/0/ask'])
    const failed = run(approve(), { input: { boss: 'Ann' }, message: () => fails('authorization') })
    expect(faultOf(failed)).toMatchObject({ status: 403, instance: '/do/0/ask' })
    expect(failed.closed).toEqual(['/do/0/ask'])
    const beaten = run(
      `do: [{ race: { fork: { compete: true, branches: [{ ask: { call: approve, with: { who: Ann } } }, { w: { wait: PT1S } }] } } }]`,
    )
    expect(beaten.closed).toEqual(['/do/0/race/fork/branches/0/ask'])
  })

  test('one that its if skips is taken as approved behind the fix of its warning', () => {
    const yaml = (when: string) => `document: { dsl: '1.0.3', namespace: test, name: pay, version: '1.0.0' }
do:
  - ask: { if: '\${ $workflow.input.amount > 100 }', call: approve, with: { who: Ann } }
  - decide: { switch: [{ approved: { when: ${when}, then: pay } }, { rejected: { then: end } }] }
  - pay: { set: { paid: true } }
`
    const paid = (text: string, amount: number, isApproved: boolean) =>
      run(text, { input: { amount }, message: () => gives({ approved: isApproved }) }).completed.includes('pay')
    const fixed = fixText(yaml('.approved'), { syntax: 'yaml', all: true }).text
    expect(paid(yaml('.approved'), 50, true)).toBe(false)
    expect([paid(fixed, 50, true), paid(fixed, 500, true), paid(fixed, 500, false)]).toEqual([true, true, false])
  })

  test.each<[given: string, body: Json]>([
    [`{ body: { done: '\${ .n }' } }`, { done: 3 }],
    [`{ body: '\${ .n }' }`, 3],
    ['{}', null],
    [`{ body: '\${ null }' }`, null],
  ])('a function that answers sends %s with %j, and that is its output', (given, body) => {
    const walked = run(`do: [{ say: { call: respond, with: ${given} } }, { on: { set: { said: '\${ $steps.say }' } } }]`, {
      input: { n: 3 },
    })
    expect(walked.output).toEqual({ said: body })
  })
})

describe('text of an event', () => {
  test.each([
    ['id', 768],
    ['type', 768],
    ['source', 1024],
    ['subject', 4096],
  ])('%s has at most %i bytes', (name, max) => {
    expect(() => checkEvent({ type: 't', [name]: 'a'.repeat(max) })).not.toThrow()
    expect(() => checkEvent({ type: 't', [name]: 'a'.repeat(max + 1) })).toThrow(`is longer than ${max} bytes`)
    expect(() => checkEvent({ type: 't', [name]: 'ä'.repeat(max / 2 + 1) })).toThrow(`is longer than ${max} bytes`)
  })

  test.each(['\0', '\n', '\u007f'])('has no control characters: %j', (character) => {
    expect(() => checkEvent({ type: 't', subject: `a${character}b` })).toThrow('must not have control characters')
  })
})
