import { testConformance } from '@millrace/jq/testing/conformance.ts'
/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectDocumentDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { type ScheduleTrigger, scheduleOf } from './schedule-of.ts'

function triggersOf(text: string, timeZone = 'UTC'): readonly ScheduleTrigger[] {
  const document = `document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0, metadata: { timeZone: ${timeZone} } }`
  const { definition, diagnostics } = validateDefinition(`${document}\n${text}\ndo: []`)
  expect(diagnostics).toEqual([])
  if (definition === undefined) throw new Error('The definition is not valid.')
  return scheduleOf(definition)
}

describe('what starts a workflow by itself', () => {
  test('a definition without a schedule has no triggers', () => {
    expect(triggersOf('')).toEqual([])
  })

  test.each([
    ['PT5M', 300_000],
    ['PT1S', 1000],
    ['{ hours: 1, minutes: 30 }', 5_400_000],
    ['{ milliseconds: 1500 }', 1500],
  ])('an interval of %s is one of %d milliseconds', (written, milliseconds) => {
    expect(triggersOf(`schedule: { every: ${written} }`)).toEqual([{ kind: 'every', pointer: '/schedule/every', everyMs: milliseconds }])
    expect(triggersOf(`schedule: { after: ${written} }`)).toEqual([{ kind: 'after', pointer: '/schedule/after', afterMs: milliseconds }])
  })

  test('a cron expression comes with its times', () => {
    expect(triggersOf('schedule: { cron: 30 6 * * MON }')).toEqual([
      {
        kind: 'cron',
        pointer: '/schedule/cron',
        expression: '30 6 * * MON',
        cron: expect.objectContaining({ minutes: [30], hours: [6], daysOfWeek: [1], days: 'both' }),
        timeZone: 'UTC',
      },
    ])
  })

  test('the times of a cron expression are in the zone of the metadata', () => {
    expect(triggersOf('schedule: { cron: 30 6 * * MON }', 'Europe/Berlin')).toMatchObject([{ timeZone: 'Europe/Berlin' }])
    const document = 'document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0, metadata: { timeZone: «Europe/Berlim» } }'
    expectDocumentDiagnostics(`${document}\ndo: []`, [{ code: 'invalid_value', message: 'is not a time zone', hint: 'Europe/Berlin' }])
  })

  test('events come with how they are read', () => {
    const strategy = { one: { with: { type: 'x' } } }
    expect(triggersOf('schedule: { on: { one: { with: { type: x } } } }')).toEqual([
      { kind: 'on', pointer: '/schedule/on', strategy, read: 'data' },
    ])
    expect(triggersOf('schedule: { on: { one: { with: { type: x } } }, read: envelope }')).toMatchObject([{ read: 'envelope' }])
  })

  test('several triggers have a fixed order', () => {
    const kinds = triggersOf("schedule: { on: { any: [] }, after: PT1M, cron: '@daily', every: PT1M }").map(({ kind }) => kind)
    expect(kinds).toEqual(['every', 'cron', 'after', 'on'])
  })

  testConformance('of the official examples is what they say', (data) => {
    const kinds = data.list('ows/examples', '.yaml').flatMap((name) => {
      const { definition } = validateDefinition(data.read(`ows/examples/${name}`))
      return definition?.schedule === undefined ? [] : [[name, scheduleOf(definition).map(({ kind }) => kind)] as const]
    })
    expect(kinds.length).toBeGreaterThan(1)
    expect(kinds).toContainEqual(['schedule-cron.yaml', ['cron']])
    expect(kinds).toContainEqual(['schedule-event-driven.yaml', ['on']])
    for (const [, found] of kinds) expect(found.length).toBeGreaterThan(0)
  })

  test('an invalid interval throws', () => {
    const document = { dsl: '1.0.3', namespace: 't', name: 's', version: '1.0.0' }
    expect(() => scheduleOf({ document, schedule: { every: '${ .x }' } })).toThrow(RangeError)
    expect(() => scheduleOf({ document, schedule: { cron: '0 0 31 2 *' } })).toThrow(RangeError)
  })
})

describe('a schedule that cannot be', () => {
  const often = { code: 'invalid_value', message: 'once a second', hint: 'PT1M' } as const
  const seldom = { code: 'invalid_value', message: '36,500 days at most', hint: 'P365D' } as const
  const evaluated = { code: 'invalid_duration', message: 'is an expression', hint: 'PT5M' } as const

  test.each([
    ['every: «PT0S»', often],
    ['every: «PT0.5S»', often],
    ['every: «{ seconds: 0 }»', often],
    ['every: «{ milliseconds: 999 }»', often],
    ['after: «PT0S»', often],
    ['after: «{ days: 0, hours: 0 }»', often],
    ['every: «P100000000D»', seldom],
    ['after: «{ days: 36501 }»', seldom],
    ["every: «'${ .interval }'»", evaluated],
    ["after: «'${ $secrets.delay }'»", evaluated],
    ['every: «5m»', { code: 'invalid_duration', message: 'is not an ISO 8601 duration' } as const],
    ['every: «{}»', 'too_few_entries' as const],
    ['every: { seconds: «-1» }', 'invalid_value' as const],
    ["cron: «'0 0 31 2 *'»", { code: 'impossible_cron', message: '"0 0 31 2 *" never comes', hint: 'Write a day of month' } as const],
    ["cron: «'${ .cron }'»", 'invalid_cron' as const],
  ])('%s is an error at its place', (schedule, expected) => {
    expectDiagnostics(`schedule: { ${schedule} }\ndo: []`, [expected])
  })

  test('durations outside the schedule may be short or expressions', () => {
    expectValid("do: [ a: { wait: PT0S }, b: { wait: '${ .delay }' } ]\ntimeout: { after: { milliseconds: 1 } }")
  })
})
