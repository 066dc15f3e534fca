import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { ImportError, importWorkflow } from './index.ts'

function errorsOf(definition: object): readonly string[] {
  const { diagnostics } = validateDefinition(JSON.stringify(definition))
  return diagnostics
    .filter(({ severity, message }) => severity === 'error' && !message.includes('"respond"'))
    .map(({ message, pointer }) => `${pointer} ${message}`)
}

const machine = {
  Comment: 'Orders',
  StartAt: 'Check',
  States: {
    Check: {
      Type: 'Choice',
      Choices: [
        { And: [{ Variable: '$.total', NumericGreaterThan: 100 }, { Not: { Variable: '$.vip', BooleanEquals: true } }], Next: 'Ask' },
        { Variable: '$.kind', StringMatches: 'gift-*', Next: 'Each' },
      ],
      Default: 'Pause',
    },
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::http:invoke',
      Parameters: {
        'ApiEndpoint.$': "States.Format('https://api.example.com/orders/{}', $.id)",
        Method: 'POST',
        RequestBody: { 'total.$': '$.total' },
      },
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 2 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
      ResultPath: '$.answer',
      Next: 'Pause',
    },
    Each: {
      Type: 'Map',
      ItemsPath: '$.items',
      MaxConcurrency: 2,
      ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', Parameters: { 'name.$': '$.name' }, End: true } } },
      ResultPath: '$.names',
      Next: 'Both',
    },
    Both: {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'A', States: { A: { Type: 'Pass', Result: { a: 1 }, End: true } } },
        { StartAt: 'B', States: { B: { Type: 'Wait', Seconds: 1, End: true } } },
      ],
      Next: 'Done',
    },
    Pause: { Type: 'Wait', Seconds: 5, Next: 'Call' },
    Call: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Parameters: { FunctionName: 'f' }, Next: 'Done' },
    Failed: { Type: 'Fail', Error: 'Refused', Cause: 'No' },
    Done: { Type: 'Succeed' },
  },
}

describe('a state machine of Step Functions', () => {
  test('becomes a valid definition; what has no counterpart is reported with its place', () => {
    const { definition, report } = importWorkflow(machine)
    expect(errorsOf(definition)).toEqual([])
    expect(report).toMatchObject({ format: 'step-functions', name: 'Orders', parts: { total: 11, notConverted: 1 } })
    expect(report.findings.filter(({ outcome }) => outcome === 'not_converted')).toMatchObject([{ pointer: '/States/Call', type: 'Task' }])
    expect(report.secrets).toMatchObject([{ secret: 'httpConnection', usedBy: ['Ask'] }])
  })

  test('written in JSONata, or without its first state, is refused with the place', () => {
    expect(() => importWorkflow({ ...machine, QueryLanguage: 'JSONata' })).toThrow(ImportError)
    expect(() => importWorkflow({ StartAt: 'A', States: {} })).toThrow(/StartAt names no state/)
  })
})

const flow = {
  name: 'Leads',
  template: {
    displayName: 'Leads',
    trigger: {
      name: 'trigger',
      displayName: 'Hook',
      type: 'PIECE_TRIGGER',
      settings: { pieceName: '@activepieces/piece-webhook', triggerName: 'catch_webhook', input: {} },
      nextAction: {
        name: 'step_1',
        displayName: 'Look up',
        type: 'PIECE',
        settings: {
          pieceName: '@activepieces/piece-http',
          actionName: 'send_request',
          input: {
            method: 'POST',
            url: 'https://api.example.com/{{trigger.body.id}}',
            headers: { a: '{{trigger.headers["x"]}}' },
            body: { data: { mail: '{{trigger.body.mail}}' } },
          },
          errorHandlingOptions: { continueOnFailure: { value: true } },
        },
        nextAction: {
          name: 'step_2',
          displayName: 'Router',
          type: 'ROUTER',
          settings: {
            branches: [
              {
                branchType: 'CONDITION',
                conditions: [[{ firstValue: '{{step_1.status}}', operator: 'NUMBER_IS_GREATER_THAN', secondValue: '299' }]],
              },
              { branchType: 'FALLBACK' },
            ],
          },
          children: [
            {
              name: 'step_3',
              displayName: 'Each',
              type: 'LOOP_ON_ITEMS',
              settings: { items: '{{step_1.body.list}}' },
              firstLoopAction: {
                name: 'step_4',
                displayName: 'Wait',
                type: 'PIECE',
                settings: { pieceName: '@activepieces/piece-delay', actionName: 'delayFor', input: { unit: 'seconds', delayFor: 2 } },
              },
            },
            {
              name: 'step_5',
              displayName: 'Slack',
              type: 'PIECE',
              settings: {
                pieceName: '@activepieces/piece-slack',
                actionName: 'send_channel_message',
                input: { text: '{{ step_1.body.a + 1 }}' },
              },
            },
          ],
          nextAction: {
            name: 'step_6',
            displayName: 'Code',
            type: 'CODE',
            settings: {
              input: { a: '{{step_1.body}}' },
              sourceCode: { code: 'export const code = async (inputs) => { return { b: inputs.a } }' },
            },
          },
        },
      },
    },
  },
}

test('a flow of Activepieces becomes a valid definition with triggers, and each step is counted', () => {
  const { definition, report } = importWorkflow(flow)
  expect(errorsOf(definition)).toEqual([])
  expect(report).toMatchObject({ format: 'activepieces', name: 'Leads', parts: { total: 7, notConverted: 1, adapted: 1 } })
  expect(report.triggers).toEqual([{ name: 'Hook', kind: 'webhook', settings: {} }])
  expect(report.findings.find(({ outcome }) => outcome === 'not_converted')).toMatchObject({
    pointer: '/template/trigger/nextAction/nextAction/children/1',
    type: 'slack.send_channel_message',
  })
  expect(JSON.stringify(definition)).toContain('$context[\\"trigger\\"]')
})

const blueprint = {
  name: 'Orders',
  flow: [
    { id: 1, module: 'gateway:CustomWebHook', mapper: {}, metadata: { designer: { name: 'Hook' } } },
    {
      id: 2,
      module: 'http:ActionSendData',
      mapper: {
        url: 'https://api.example.com/{{1.id}}',
        method: 'post',
        headers: [{ name: 'X-A', value: '{{1.a}}' }],
        qs: [],
        contentType: 'application/json',
        data: '{"a": "{{1.b}}"}',
      },
      filter: { name: 'big', conditions: [[{ a: '{{1.total}}', o: 'number:greater', b: '100' }]] },
      onerror: [{ id: 9, module: 'builtin:Ignore' }],
    },
    {
      id: 3,
      module: 'builtin:BasicRouter',
      routes: [
        {
          flow: [
            { id: 4, module: 'builtin:BasicFeeder', mapper: { array: '{{2.data.items}}' } },
            { id: 5, module: 'util:SetVariable2', mapper: { name: 'x', value: '{{4.name}}' } },
          ],
        },
        { flow: [{ id: 6, module: 'google-sheets:addRow', mapper: { a: '{{formatDate(1.at; "YYYY")}}' } }] },
      ],
    },
  ],
}

test('a blueprint of Make becomes a valid definition; bundles, filters and routes keep their meaning', () => {
  const { definition, report } = importWorkflow(blueprint)
  expect(errorsOf(definition)).toEqual([])
  expect(report).toMatchObject({ format: 'make', name: 'Orders', parts: { total: 6, notConverted: 1 } })
  expect(report.findings.find(({ outcome }) => outcome === 'not_converted')).toMatchObject({
    pointer: '/flow/2/routes/1/flow/0',
    type: 'google-sheets:addRow',
  })
  const text = JSON.stringify(definition)
  expect(text).toContain('$context[\\"1\\"]')
  expect(text).toContain('"for"')
})

test('a workflow of GitHub Actions becomes a valid definition in the order of its needs', () => {
  const { definition, report } = importWorkflow({
    name: 'Nightly',
    on: { schedule: [{ cron: '0 3 * * *', timezone: 'Europe/Berlin' }], push: { branches: ['main'] } },
    jobs: {
      second: { needs: 'first', 'runs-on': 'ubuntu-latest', steps: [{ run: 'echo "done"' }, { name: 'Build', run: 'npm ci && npm test' }] },
      first: {
        'runs-on': 'ubuntu-latest',
        'timeout-minutes': 5,
        steps: [
          { uses: 'actions/checkout@v4' },
          { run: 'sleep 10' },
          { run: 'curl -fsS https://api.example.com/ping', 'continue-on-error': true },
        ],
      },
    },
  })
  expect(errorsOf(definition)).toEqual([])
  expect(definition['do']).toMatchObject([{ first: { timeout: { after: { minutes: 5 } } } }, { second: {} }])
  expect(definition).toMatchObject({ document: { metadata: { timeZone: 'Europe/Berlin' } }, schedule: { cron: '0 3 * * *' } })
  expect(report).toMatchObject({ starts: [{ kind: 'schedule' }], triggers: [{ kind: 'webhook' }] })
  expect(report.parts).toMatchObject({ total: 9, notConverted: 2 })
})

describe('a hostile document', () => {
  test('that nests without end is refused with its place', () => {
    let states: object = { A: { Type: 'Pass', End: true } }
    for (let depth = 0; depth < 100; depth++) states = { A: { Type: 'Map', ItemProcessor: { StartAt: 'A', States: states }, End: true } }
    expect(() => importWorkflow({ StartAt: 'A', States: states })).toThrow(/nested more than 40/)
    let modules: object[] = [{ id: 1, module: 'util:FunctionSleep' }]
    for (let depth = 0; depth < 100; depth++) modules = [{ id: depth, module: 'builtin:BasicRouter', routes: [{ flow: modules }] }]
    expect(() => importWorkflow({ flow: modules })).toThrow(/nested more than 40/)
  })

  test('with names of prototypes, expressions and markup gives a valid definition', () => {
    const evil = '__proto__'
    const { definition } = importWorkflow(
      JSON.parse(`{"StartAt":"${evil}","States":{"${evil}":{"Type":"Pass","Result":{"a":"\${ env }<script>"},"End":true}}}`),
    )
    expect(errorsOf(definition)).toEqual([])
  })

  test('of any content is converted, or refused as an import', () => {
    const formats = [
      fc.record({ StartAt: fc.constant('A'), States: fc.record({ A: fc.anything() }) }),
      fc.record({ trigger: fc.record({ type: fc.constant('EMPTY'), settings: fc.anything(), nextAction: fc.anything() }) }),
      fc.record({
        flow: fc.array(
          fc.record({ id: fc.nat(), module: fc.string(), mapper: fc.anything(), routes: fc.anything(), filter: fc.anything() }),
        ),
      }),
      fc.record({ on: fc.anything(), jobs: fc.record({ a: fc.record({ steps: fc.array(fc.anything()), needs: fc.anything() }) }) }),
    ]
    const outcomeOf = (value: unknown): string => {
      try {
        importWorkflow(JSON.parse(JSON.stringify(value)))
        return 'converted'
      } catch (error) {
        return error instanceof ImportError ? 'refused' : String(error)
      }
    }
    fc.assert(
      fc.property(fc.oneof(...formats), (value) => {
        expect(['converted', 'refused']).toContain(outcomeOf(value))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a document that is made to be slow', () => {
  const state = { Type: 'Pass', End: true }
  const jobs = Array.from({ length: 900 }, (_, index) => [`j${index}`, { needs: `j${index + 1}`, steps: [] }] as const)
  test.each<[string, object, RegExp]>([
    ['braces without an end', { flow: [{ module: 'util:ComposeTransformer', id: 1, mapper: { value: '{{'.repeat(400_000) } }] }, /^$/],
    [
      'braces of n8n without an end',
      {
        nodes: [{ name: 'a', type: 'n8n-nodes-base.set', parameters: { x: `=${'{{'.repeat(400_000)}` }, position: [0, 0] }],
        connections: {},
      },
      /^$/,
    ],
    ['jobs that need each other backwards', { jobs: Object.fromEntries(jobs) }, /^$/],
    ['too many jobs', { jobs: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`j${index}`, { steps: [] }])) }, /1000 jobs/],
    [
      'many parts with one name',
      {
        StartAt: 'a',
        States: {
          a: { Type: 'Parallel', Branches: Array.from({ length: 20_000 }, () => ({ StartAt: 'a', States: { a: state } })), End: true },
        },
      },
      /5000 parts/,
    ],
    [
      'calls inside of calls',
      { StartAt: 'a', States: { a: { ...state, Parameters: { 'x.$': 'States.Array('.repeat(20_000) + ')'.repeat(20_000) } } } },
      /^$/,
    ],
  ])('by %s is converted or refused at once', (_what, document, refused) => {
    const begun = startProcessorTime()
    let refusal = ''
    try {
      importWorkflow(document)
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      refusal = error.message
    }
    expect(refusal).toMatch(refused)
    expect(begun()).toBeLessThan(5_000)
  })
})
