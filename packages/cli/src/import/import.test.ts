import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importWorkflow } from '@millrace/dsl/import'
import { describe, expect, inject, test } from 'vitest'
import { checkDefinition, isError } from '#definitions/check-definition.ts'
import { createFolder, runCli } from '#testing/cli.ts'

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
    const run = await runCli(['run', '-'], { stdin: imported.stdout })
    expect(run.exitCode, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toEqual([
      {
        data: [
          { size: 2, all: [{ deep: { text: 'odd X1' } }, { deep: { text: 'odd X3' } }] },
          { size: 2, all: [{ deep: { text: 'odd X5' } }, { n: 2, first: 'x1' }] },
          { size: 1, all: [{ n: 4, first: 'x1' }] },
        ],
      },
    ])
  })

  test('a part without counterpart is listed, and the command ends with 1', async () => {
    const source = { name: 'Odd', nodes: [node('Go', 'manualTrigger', {}), node('Odd', 'unheardOf', {})], connections: { Go: to(['Odd']) } }
    const { exitCode, stderr, stdout } = await runCli(['import', '-'], { stdin: JSON.stringify(source) })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('not converted /nodes/1 (Odd): ') })
    expect((await runCli(['validate', '-'], { stdin: stdout })).exitCode).toBe(0)
  })

  test('a file that is no export is refused with the reason', async () => {
    expect(await runCli(['import', '-'], { stdin: '{"a":1}' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('format is not known'),
    })
    expect(await runCli(['import', '-'], { stdin: 'no' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not JSON') })
  })
})

test('of the public exports of n8n at least 85 % of the nodes are converted and all results are valid', (ctx) => {
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
  expect(converted / nodes).toBeGreaterThan(0.85)
})
