import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importWorkflow } from '@millrace/dsl/import'
import { describe, expect, inject, test } from 'vitest'
import { checkDefinition, isError } from '#definitions/check-definition.ts'
import { createFolder, runCli } from '#testing/cli.ts'
import { runHere } from '#testing/run-here.ts'

const node = (name: string, type: string, parameters: object, typeVersion = 2) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
})
const to = (...outputs: readonly string[][]) => ({
  main: outputs.map((names) => names.map((one) => ({ node: one, type: 'main', index: one === 'Join' && names.length > 1 ? 1 : 0 }))),
})

const odd = {
  conditions: {
    combinator: 'and',
    conditions: [{ leftValue: '={{ $json.n % 2 }}', rightValue: 1, operator: { type: 'number', operation: 'equals' } }],
  },
}
const shop = {
  name: 'Shop',
  nodes: [
    node('Go', 'manualTrigger', {}, 1),
    node('Make', 'code', { jsCode: "return [1, 2, 3, 4, 5].map((n) => ({ json: { n, s: 'x' + n } }))" }),
    node('Odd?', 'if', odd),
    node(
      'A',
      'set',
      { assignments: { assignments: [{ name: 'deep.text', type: 'string', value: '=odd {{ $json.s.toUpperCase() }}' }] } },
      3.4,
    ),
    node(
      'B',
      'set',
      {
        assignments: {
          assignments: [
            { name: 'n', type: 'number', value: '={{ $json.n }}' },
            { name: 'first', type: 'string', value: "={{ $('Make').first().json.s }}" },
          ],
        },
      },
      3.4,
    ),
    node('Join', 'merge', {}, 3),
    node('Loop', 'splitInBatches', { batchSize: 2 }, 3),
    node('Work', 'code', { jsCode: 'return [{ json: { size: items.length, all: $input.all().map((item) => item.json) } }]' }),
    node('Sum', 'aggregate', { aggregate: 'aggregateAllItemData' }, 1),
  ],
  connections: {
    Go: to(['Make']),
    Make: to(['Odd?']),
    'Odd?': to(['A'], ['B']),
    A: to(['Join']),
    B: { main: [[{ node: 'Join', type: 'main', index: 1 }]] },
    Join: to(['Loop']),
    Loop: to(['Sum'], ['Work']),
    Work: to(['Loop']),
  },
}

describe('millrace import', () => {
  test('a converted workflow runs and gives what n8n gives', async () => {
    await using folder = await createFolder({ 'shop.json': JSON.stringify(shop) })
    const imported = await runCli(['import', 'shop.json'], { cwd: folder.path })
    expect(imported).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Shop (n8n): 9 parts, 9 converted') })
    const run = await runHere(['run', '-'], { stdin: imported.stdout })
    expect(run.exitCode, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toEqual({
      data: [
        { size: 2, all: [{ deep: { text: 'odd X1' } }, { deep: { text: 'odd X3' } }] },
        { size: 2, all: [{ deep: { text: 'odd X5' } }, { n: 2, first: 'x1' }] },
        { size: 1, all: [{ n: 4, first: 'x1' }] },
      ],
    })
  })

  async function outputOf(source: string, input: object): Promise<unknown> {
    const imported = await runHere(['import', '-'], { stdin: source })
    const run = await runHere(['run', '-', '--input', JSON.stringify(input)], { stdin: imported.stdout })
    expect(run.exitCode, run.stderr).toBe(0)
    return JSON.parse(run.stdout)
  }

  test('a state machine of Step Functions gives what Step Functions gives', async () => {
    const one = { Type: 'Pass', Parameters: { 'label.$': "States.Format('{}-{}', $.name, $.n)" }, End: true }
    const machine = {
      StartAt: 'Check',
      States: {
        Check: {
          Type: 'Choice',
          Choices: [
            { And: [{ Variable: '$.total', NumericGreaterThan: 100 }, { Not: { Variable: '$.vip', BooleanEquals: true } }], Next: 'Each' },
          ],
          Default: 'Done',
        },
        Each: {
          Type: 'Map',
          ItemsPath: '$.items',
          ItemProcessor: { StartAt: 'One', States: { One: one } },
          ResultPath: '$.names',
          Next: 'Fails',
        },
        Fails: {
          Type: 'Map',
          ItemsPath: '$.items',
          ItemProcessor: { StartAt: 'No', States: { No: { Type: 'Fail', Error: 'Refused' } } },
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Handled' }],
          Next: 'Done',
        },
        Handled: { Type: 'Pass', Result: true, ResultPath: '$.handled', Next: 'Done' },
        Done: { Type: 'Succeed', InputPath: '$' },
      },
    }
    const input = {
      total: 200,
      items: [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    }
    expect(await outputOf(JSON.stringify(machine), input)).toMatchObject({
      names: [{ label: 'a-1' }, { label: 'b-2' }],
      error: { Error: 'Refused' },
      handled: true,
    })
    expect(await outputOf(JSON.stringify(machine), { total: 5 })).toEqual({ total: 5 })
  })

  test('a flow of Activepieces gives what Activepieces gives', async () => {
    const code = (name: string, a: string, more: object = {}) => ({
      name,
      displayName: name,
      type: 'CODE',
      settings: { input: { a }, sourceCode: { code: 'export const code = async (inputs) => ({ b: inputs.a })' } },
      ...more,
    })
    const loop = { name: 'step_3', displayName: 'Each', type: 'LOOP_ON_ITEMS', settings: { items: '{{trigger.body.list}}' } }
    const condition = { firstValue: '{{trigger.body.n}}', operator: 'NUMBER_IS_GREATER_THAN', secondValue: '2' }
    const router = {
      name: 'step_2',
      displayName: 'Router',
      type: 'ROUTER',
      settings: { branches: [{ branchType: 'CONDITION', conditions: [[condition]] }, { branchType: 'FALLBACK' }] },
      children: [{ ...loop, firstLoopAction: code('step_4', 'x {{step_3.item.k}} {{trigger.body.n}}') }, null],
      nextAction: code('step_6', '{{step_3}}'),
    }
    const settings = { pieceName: '@activepieces/piece-webhook', triggerName: 'catch_webhook', input: {} }
    const flow = {
      displayName: 'Flow',
      trigger: { name: 'trigger', displayName: 'Hook', type: 'PIECE_TRIGGER', settings, nextAction: router },
    }
    expect(await outputOf(JSON.stringify(flow), { body: { n: 5, list: [{ k: 1 }, { k: 2 }] } })).toEqual({
      b: [{ b: 'x 1 5' }, { b: 'x 2 5' }],
    })
  })

  test('a blueprint of Make and a workflow of GitHub Actions in YAML give what these give', async () => {
    const set = { id: 2, module: 'util:SetVariables', mapper: { variables: [{ name: 'a', value: '{{1.n}}' }] } }
    const filter = { conditions: [[{ a: '{{1.n}}', o: 'number:greater', b: '2' }]] }
    const flow = [
      { id: 1, module: 'gateway:CustomWebHook', mapper: {} },
      { ...set, filter },
      { id: 3, module: 'builtin:BasicFeeder', mapper: { array: '{{1.list}}' } },
      { id: 4, module: 'util:SetVariable2', mapper: { name: 'x', value: 'k={{3.k}} a={{2.a}}' } },
    ]
    const body = { n: 5, list: [{ k: 1 }, { k: 2 }] }
    expect(await outputOf(JSON.stringify({ name: 'Make', flow }), { body })).toEqual([{ x: 'k=1 a=5' }, { x: 'k=2 a=5' }])
    const yaml =
      'name: Ping\non: workflow_dispatch\njobs:\n  say:\n    runs-on: any\n    steps:\n      - run: sleep 0\n      - run: echo "done"\n'
    expect(await outputOf(yaml, {})).toEqual({ message: 'done' })
  })

  test('a part without counterpart is listed, and the command ends with 1', async () => {
    const source = { name: 'Odd', nodes: [node('Go', 'manualTrigger', {}), node('Odd', 'unheardOf', {})], connections: { Go: to(['Odd']) } }
    const { exitCode, stderr, stdout } = await runHere(['import', '-'], { stdin: JSON.stringify(source) })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('not converted /nodes/1 (Odd): ') })
    expect((await runHere(['validate', '-'], { stdin: stdout })).exitCode).toBe(0)
  })

  test('starts that exist once the workflow is published, and triggers to create with their time zone, are listed apart', async () => {
    const rule = { interval: [{ field: 'cronExpression', expression: '0 8 * * 1-5' }] }
    const nodes = [node('Go', 'manualTrigger', {}), node('Daily', 'scheduleTrigger', { rule }), node('A', 'noOp', {})]
    const source = { name: 'Jobs', nodes, connections: { Go: to(['A']), Daily: to(['A']) }, settings: { timezone: 'Europe/Berlin' } }
    const { stderr, stdout } = await runHere(['import', '-'], { stdin: JSON.stringify(source) })
    expect(stderr).toContain('starts once published: manual (Go)\n')
    expect(stderr).toContain('create trigger schedule (Daily): {"cron":"0 8 * * 1-5","timeZone":"Europe/Berlin"}\n')
    expect(stdout).not.toContain('schedule:')
  })

  test('a file that is no export is refused with the reason', async () => {
    expect(await runHere(['import', '-'], { stdin: '{"a":1}' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('format is not known'),
    })
    expect(await runHere(['import', '-'], { stdin: 'no' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not JSON or YAML'),
    })
    expect(await runHere(['import', '-'], { stdin: '\n' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is empty') })
  })
})

test('of the public exports of n8n at least 92 % of the nodes are converted and all results are valid', (ctx) => {
  const provided = inject('conformance')
  if ('missing' in provided) return ctx.skip(provided.missing)
  const folder = join(provided.folder, 'import/n8n')
  const invalid: string[] = []
  let [nodes, converted] = [0, 0]
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const source: { nodes: { type: string }[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const { definition, report } = importWorkflow(source)
    const idle = source.nodes.filter(({ type }) => /\.(stickyNote|noOp)$/.test(type)).length
    nodes += source.nodes.length - idle
    converted += source.nodes.length - idle - report.parts.notConverted
    if (checkDefinition('imported.yaml', JSON.stringify(definition)).diagnostics.some(isError)) invalid.push(file)
  }
  expect(invalid).toEqual([])
  expect(converted / nodes).toBeGreaterThan(0.92)
})
