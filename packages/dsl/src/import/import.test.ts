import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { compile, type Json } from '@millrace/jq'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { ImportError, importWorkflow } from './index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'

function errorsOf(definition: object): readonly string[] {
  const { diagnostics } = validateDefinition(JSON.stringify(definition))
  return diagnostics
    .filter(({ severity, message }) => severity === 'error' && !message.includes('"respond"'))
    .map(({ message, pointer }) => `${pointer} ${message}`)
}

const equals = (left: string, right: string) => ({
  conditions: {
    combinator: 'and',
    conditions: [{ leftValue: left, rightValue: right, operator: { type: 'string', operation: 'equals' } }],
  },
})

/** What a `set` of an imported workflow makes of an input. */
function made(task: unknown, input: Json): unknown {
  return compile(String(Object(task).set).slice('${'.length, -'}'.length)).first(input)
}

describe('an export of n8n', () => {
  test('a chain with a branch, a join and a loop becomes a valid definition', () => {
    const source = exportOf(
      [
        node('Hook', 'webhook', { path: 'orders', httpMethod: 'POST', responseMode: 'responseNode' }),
        node('Big?', 'if', equals('={{ $json.body.size }}', 'big')),
        node(
          'Call',
          'httpRequest',
          { url: '=https://example.com/{{ $json.body.id }}', method: 'POST', sendBody: true, jsonBody: '={"a": {{ $json.b }}}' },
          { credentials: { httpHeaderAuth: { name: 'Mine' } } },
        ),
        node('Mark', 'set', {
          assignments: { assignments: [{ name: 'a.b', type: 'string', value: "={{ $('Hook').item.json.body.id.toUpperCase() }}" }] },
        }),
        node('Both', 'merge', { mode: 'append' }),
        node('Loop', 'splitInBatches', { batchSize: 2 }),
        node('Work', 'code', { jsCode: 'return items.map(({ json }) => ({ json: { ...json, done: true } }))' }),
        node('Reply', 'respondToWebhook', { respondWith: 'allIncomingItems' }),
      ],
      [
        ['Hook', 0, 'Big?'],
        ['Big?', 0, 'Call'],
        ['Big?', 1, 'Mark'],
        ['Call', 0, 'Both'],
        ['Mark', 0, 'Both', 1],
        ['Both', 0, 'Loop'],
        ['Loop', 1, 'Work'],
        ['Work', 0, 'Loop'],
        ['Loop', 0, 'Reply'],
      ],
    )
    const { definition, report } = importWorkflow(source)
    expect(errorsOf(definition)).toEqual([])
    expect(report.parts).toMatchObject({ total: 8, notConverted: 0 })
    expect(report.triggers).toEqual([{ name: 'Hook', kind: 'webhook', settings: { path: 'orders', method: 'POST', reply: 'respond' } }])
    expect(report.secrets).toEqual([{ secret: 'httpHeaderAuth', kind: 'httpHeaderAuth', usedBy: ['Call'] }])
  })

  test('a node without counterpart fails when it runs, keeps its parameters and is reported with its place', () => {
    const { definition, report } = importWorkflow(
      exportOf([node('Go', 'manualTrigger'), node('Odd', 'unheardOf', { secretSauce: 1 })], [['Go', 0, 'Odd']]),
    )
    expect(errorsOf(definition)).toEqual([])
    expect(report.findings).toContainEqual(
      expect.objectContaining({ outcome: 'not_converted', pointer: '/nodes/1', part: 'Odd', type: 'n8n-nodes-base.unheardOf' }),
    )
    expect(JSON.stringify(definition)).toContain('secretSauce')
  })

  test('notes are counted as notes, not as converted steps, and their texts are kept', () => {
    const notes = [node('Note', 'stickyNote', { content: 'Ask Ada first.' }), node('Empty', 'stickyNote', { content: '' })]
    const { definition, report } = importWorkflow(
      exportOf(
        [node('Go', 'manualTrigger'), ...notes, node('A', 'noOp'), node('Odd', 'unheardOf')],
        [
          ['Go', 0, 'A'],
          ['A', 0, 'Odd'],
        ],
      ),
    )
    expect(report.parts).toEqual({ total: 5, converted: 2, adapted: 0, notConverted: 1, notes: 2 })
    expect(definition).toMatchObject({ document: { metadata: { notes: ['Ask Ada first.'] } } })
  })

  test('connections to missing nodes, a cycle and steps that no trigger reaches are reported', () => {
    const source = exportOf(
      [node('Go', 'manualTrigger'), node('A', 'noOp'), node('B', 'noOp'), node('Alone', 'noOp')],
      [
        ['Go', 0, 'A'],
        ['A', 0, 'B'],
        ['B', 0, 'A'],
        ['B', 0, 'Gone'],
      ],
    )
    const reasons = importWorkflow(source).report.findings.map(({ part, reason }) => `${part}: ${reason}`)
    expect(reasons).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^B: .*"Gone"/),
        expect.stringMatching(/^A: .*leads back/),
        expect.stringMatching(/^Alone: No trigger/),
      ]),
    )
  })

  const scheduled = (expression: string, settings?: object) => ({
    ...exportOf(
      [node('Daily', 'scheduleTrigger', { rule: { interval: [{ field: 'cronExpression', expression }] } }), node('A', 'noOp')],
      [['Daily', 0, 'A']],
    ),
    ...(settings === undefined ? {} : { settings }),
  })

  test.each([
    ['the zone UTC', '5 7 * * *', { timezone: 'Etc/UTC' }, 'note'],
    ['a zone that does not matter', '*/15 * * * *', { timezone: 'Asia/Kathmandu' }, 'note'],
    ['no zone that matters', '*/5 * * * *', undefined, 'note'],
    ['no zone', '5 7 * * *', undefined, 'adapted'],
    ['the zone of the server', '5 7 * * *', { timezone: 'DEFAULT' }, 'adapted'],
  ])('the definition has the schedule of the only trigger in %s', (_what, cron, settings, outcome) => {
    const { definition, report } = importWorkflow(scheduled(cron, settings))
    expect(definition).toMatchObject({ schedule: { cron } })
    expect(definition).not.toHaveProperty('document.metadata.timeZone')
    expect(report).toMatchObject({ starts: [{ kind: 'schedule', settings: { crons: [cron], timeZone: 'UTC' } }], triggers: [] })
    expect(report.findings).toMatchObject([{ outcome, pointer: '/nodes/0', reason: expect.stringContaining('in UTC') }])
  })

  test.each(['0 8 * * 1-5', '*/30 * * * *', '0 * * * *'])(
    'the definition has the schedule %s of the only trigger with its time zone',
    (cron) => {
      const timeZone = 'Asia/Kathmandu'
      const { definition, report } = importWorkflow(scheduled(cron, { timezone: timeZone }))
      expect(errorsOf(definition)).toEqual([])
      expect(definition).toMatchObject({ document: { metadata: { timeZone } }, schedule: { cron } })
      expect(report).toMatchObject({ starts: [{ kind: 'schedule', settings: { crons: [cron], timeZone } }], triggers: [] })
      expect(report.findings).toMatchObject([{ outcome: 'note', reason: expect.stringContaining(`in ${timeZone}`) }])
    },
  )

  const timed = (interval: object, type = 'scheduleTrigger') => ({
    ...exportOf(
      [node('Timer', type, type === 'interval' ? interval : { rule: { interval: [interval] } }), node('A', 'noOp')],
      [['Timer', 0, 'A']],
    ),
    settings: { timezone: 'UTC' },
  })

  test.each([
    [{ field: 'seconds', secondsInterval: 45 }, { every: { seconds: 45 } }, 'note'],
    [{ field: 'minutes', minutesInterval: 10 }, { cron: '*/10 * * * *' }, 'note'],
    [{ field: 'minutes', minutesInterval: 45 }, { every: { minutes: 45 } }, 'adapted'],
    [{ field: 'minutes', minutesInterval: 90 }, { every: { minutes: 90 } }, 'adapted'],
    [{ field: 'hours', hoursInterval: 6, triggerAtMinute: 5 }, { cron: '5 */6 * * *' }, 'note'],
    [{ field: 'hours', hoursInterval: 5 }, { every: { hours: 5 } }, 'adapted'],
    [{ field: 'weeks', triggerAtDay: [1, 4], triggerAtHour: 9 }, { cron: '0 9 * * 1,4' }, 'note'],
    [{ field: 'months', monthsInterval: 3, triggerAtDayOfMonth: 15 }, { cron: '0 0 15 */3 *' }, 'note'],
    [{ field: 'cronExpression', expression: '0 0 8 * * 1' }, { cron: '0 8 * * 1' }, 'note'],
  ])('the interval %j becomes the schedule %j', (interval, schedule, outcome) => {
    const { definition, report } = importWorkflow(timed(interval))
    expect([definition['schedule'], report.findings.map((one) => one.outcome), report.triggers]).toEqual([schedule, [outcome], []])
    expect(validateDefinition(JSON.stringify(definition)).diagnostics).toEqual([])
  })

  test.each([
    [
      { field: 'days', daysInterval: 3, triggerAtHour: 8 },
      { rrule: 'FREQ=DAILY;INTERVAL=3', start: '2026-01-05T08:00:00' },
    ],
    [
      { field: 'weeks', weeksInterval: 2, triggerAtDay: [1, 0], triggerAtHour: 7, triggerAtMinute: 30 },
      { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU', start: '2026-01-05T07:30:00' },
    ],
    [
      { field: 'months', monthsInterval: 5 },
      { rrule: 'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1', start: '2026-01-05T00:00:00' },
    ],
    [{ field: 'cronExpression', expression: '*/20 * * * * *' }, { crons: ['*/20 * * * * *'] }],
    [{ field: 'cronExpression', expression: '0 8 * * 1#2' }, { crons: [] }],
    [{ field: 'minutes', minutesInterval: '={{ $json.every }}' }, { crons: [] }],
  ])('the interval %j becomes a trigger with %j, and is in the report', (interval, settings) => {
    const { definition, report } = importWorkflow(timed(interval))
    expect(definition).not.toHaveProperty('schedule')
    expect(report.triggers).toEqual([{ name: 'Timer', kind: 'schedule', settings: { ...settings, timeZone: 'UTC' } }])
    expect(report.findings).toHaveLength(1)
  })

  test('the times of one trigger become as many triggers as their kinds need, and none is lost', () => {
    const daily = { field: 'days', triggerAtHour: 6 }
    const times = [daily, { field: 'seconds', secondsInterval: 10 }, { field: 'fortnights' }, { ...daily, daysInterval: 2 }]
    const source = exportOf([node('Timer', 'scheduleTrigger', { rule: { interval: times } }), node('A', 'noOp')], [['Timer', 0, 'A']])
    const { definition, report } = importWorkflow(source)
    expect(definition).not.toHaveProperty('schedule')
    const rule = { rrule: 'FREQ=DAILY;INTERVAL=2', start: '2026-01-05T06:00:00' }
    expect(report.triggers.map(({ settings }) => settings)).toEqual([{ crons: ['0 6 * * *'] }, { every: 'PT10S' }, { crons: [] }, rule])
    expect(report.findings).toHaveLength(4)
    const { definition: simple } = importWorkflow(timed({ unit: 'seconds', interval: 20 }, 'interval'))
    expect(simple).toMatchObject({ schedule: { every: { seconds: 20 } } })
  })

  test('the report distinguishes what starts the published workflow by itself from the triggers to create, and how each begins', () => {
    const rule = { interval: [{ field: 'cronExpression', expression: '0 8 * * *' }] }
    const triggers = [
      node('Go', 'manualTrigger'),
      node('Hook', 'webhook'),
      node('Daily', 'scheduleTrigger', { rule }),
      node('Off', 'scheduleTrigger', { rule }, { disabled: true }),
    ]
    const source = exportOf(
      [...triggers, node('A', 'noOp')],
      triggers.map(({ name }) => [name, 0, 'A'] as const),
    )
    const { definition, report } = importWorkflow({ ...source, settings: { timezone: 'UTC' } })
    expect(definition).not.toHaveProperty('schedule')
    expect(report.starts.map(({ name }) => name)).toEqual(['Go'])
    expect(report.triggers.map(({ name }) => name)).toEqual(['Hook', 'Daily'])
    expect(report.findings.map(({ reason }) => reason)).toMatchObject([
      expect.stringContaining('Create no trigger'),
      expect.stringContaining('`. + {trigger: "Hook"}`'),
      expect.stringContaining('`{"trigger": "Daily"}`'),
      expect.stringContaining('disabled'),
    ])
  })

  test('an Error Trigger becomes a start by failed runs, and its first task makes the item that n8n gives', () => {
    const { definition, report } = importWorkflow(exportOf([node('On error', 'errorTrigger'), node('A', 'noOp')], [['On error', 0, 'A']]))
    expect(errorsOf(definition)).toEqual([])
    const type = 'io.serverlessworkflow.workflow.faulted.v1'
    expect(definition).toMatchObject({ schedule: { on: { one: { with: { type } } } } })
    expect(report).toMatchObject({ starts: [{ name: 'On error', kind: 'event', settings: { types: [type] } }], triggers: [] })
    const run = {
      execution: { id: 'exec_1', url: 'https://example.com/runs/exec_1', trigger: 'schedule', state: 'faulted' },
      workflow: { id: 'wf_1', name: 'Orders', version: 2 },
      error: { type: 'about:blank', status: 409, title: 'Out of stock', instance: '/do/0/refuse' },
    }
    const item = {
      execution: {
        id: 'exec_1',
        url: 'https://example.com/runs/exec_1',
        mode: 'schedule',
        lastNodeExecuted: 'refuse',
        error: { name: 'about:blank', message: 'Out of stock', stack: '' },
      },
      workflow: { id: 'wf_1', name: 'Orders' },
    }
    const [first] = Object(definition).do
    for (const input of [[run], { type, data: run }, [item]]) expect(made(first['on-error'], input)).toEqual(item)
  })

  test('an Error Trigger beside others, and the error workflow of the settings, are reported with what to do', () => {
    const triggers = [node('Go', 'manualTrigger'), node('On error', 'errorTrigger')]
    const source = exportOf(
      [...triggers, node('A', 'noOp')],
      triggers.map(({ name }) => [name, 0, 'A'] as const),
    )
    const { definition, report } = importWorkflow({ ...source, settings: { errorWorkflow: 'x7K' } })
    expect(definition).not.toHaveProperty('schedule')
    expect(report.triggers).toMatchObject([{ kind: 'event', settings: { types: ['io.serverlessworkflow.workflow.faulted.v1'] } }])
    const asked = {
      type: 'io.serverlessworkflow.workflow.faulted.v1',
      data: { execution: { id: 'e' }, error: {}, workflow: {} },
      trigger: 'On error',
    }
    const [begin] = Object(definition).do
    const [choose, , lane] = begin.start.do
    expect(choose['start-choose'].switch).toEqual([
      { 'by-on-error': { when: '${ .trigger == "On error" }', then: 'by-on-error' } },
      { 'by-go': { then: 'by-go' } },
    ])
    expect(made(lane['by-on-error'].do[0]['on-error'], asked)).toMatchObject({
      execution: { id: 'e', error: { message: 'The run failed.' } },
    })
    expect(report.findings).toContainEqual({
      outcome: 'adapted',
      pointer: '/settings/errorWorkflow',
      part: 'Orders',
      type: 'errorWorkflow',
      reason: expect.stringContaining('"x7K"'),
    })
  })

  test('a disabled trigger starts nothing', () => {
    const daily = node('Daily', 'scheduleTrigger', {}, { disabled: true })
    const { definition, report } = importWorkflow(exportOf([daily, node('A', 'noOp')], [['Daily', 0, 'A']]))
    expect(definition).not.toHaveProperty('schedule')
    expect(report).toMatchObject({ starts: [], triggers: [] })
  })

  test.each([
    [{}],
    [null],
    [[]],
    [{ nodes: [], connections: {} }],
    [{ nodes: [1], connections: {} }],
    [{ nodes: [{ type: 7 }], connections: {} }],
    [{ nodes: Array.from({ length: 2001 }, () => ({ type: 'a' })), connections: {} }],
  ])('what is no export is refused with a reason: %#', (source) => {
    expect(() => importWorkflow(source)).toThrow(ImportError)
  })

  test('hostile exports end with a definition or an ImportError', () => {
    const odd = fc.anything({ withNullPrototype: true, maxDepth: 3 })
    const types = fc.constantFrom(
      'if',
      'set',
      'merge',
      'code',
      'switch',
      'httpRequest',
      'splitInBatches',
      'wait',
      'slack',
      'airtable',
      'filter',
      'webhook',
      'scheduleTrigger',
      'respondToWebhook',
      'aggregate',
      'splitOut',
    )
    const text = fc.constantFrom('__proto__', 'constructor', 'a', 'b', '={{ $json.a }}', '={{', '${ . }', '', 'ü', 'x'.repeat(5000))
    const parameters = fc.oneof(
      odd,
      fc.dictionary(
        fc.constantFrom('conditions', 'rules', 'url', 'mode', 'values', 'assignments', 'operation', '__proto__'),
        fc.oneof(odd, text),
      ),
    )
    const nodes = fc.array(
      fc.record({
        name: text,
        type: types.map((type) => `n8n-nodes-base.${type}`),
        parameters,
        typeVersion: odd,
        credentials: odd,
        position: odd,
        onError: fc.constantFrom('continueErrorOutput', 'stop'),
      }),
      { maxLength: 12 },
    )
    const connections = fc.dictionary(
      text,
      fc.oneof(odd, fc.record({ main: fc.array(fc.array(fc.oneof(odd, fc.record({ node: text, index: odd }))), { maxLength: 3 }) })),
    )
    fc.assert(
      fc.property(fc.record({ nodes, connections, name: odd }), (source) => {
        try {
          expect(errorsOf(importWorkflow(source).definition).filter((message) => !/too (long|large)/.test(message))).toEqual([])
        } catch (error) {
          if (!(error instanceof ImportError)) throw error
        }
      }),
      { numRuns: 150 },
    )
  })

  test('2,000 nodes in one chain, in one cycle and in one comb of branches take bounded time', () => {
    const many = Array.from({ length: 1999 }, (_, index) => node(`n${index}`, index % 2 === 0 ? 'if' : 'set'))
    const chain = many.slice(1).map((_, index) => [`n${index}`, 0, `n${index + 1}`] as const)
    const began = startProcessorTime()
    for (const edges of [
      chain,
      [...chain, ['n1998', 0, 'n0'] as const],
      [...chain, ...many.slice(2).map((_, index) => [`n${index}`, 1, `n${index + 2}`] as const)],
    ])
      expect(importWorkflow(exportOf([node('Go', 'manualTrigger'), ...many], [['Go', 0, 'n0'], ...edges])).report.parts.total).toBe(2000)
    expect(began()).toBeLessThan(20_000)
  })
})
