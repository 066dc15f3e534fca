import { createHash } from 'node:crypto'
import { validateDefinition } from '@millrace/dsl'
import { importWorkflow } from '@millrace/dsl/import'
import { exportOf, node } from '@millrace/dsl/testing/n8n-export.ts'
import { compileWorkflow, type Json } from '@millrace/engine'
import { createScriptFunction, createScriptPool } from '@millrace/engine/effects'
import { runLocally } from '@millrace/engine/local'
import { catalog } from '@millrace/server/catalog'
import { connectorFunctions } from '@millrace/server/connector-functions'
import { createDataConnectors } from '@millrace/server/data-functions'
import { afterAll, expect, test } from 'vitest'

const pool = createScriptPool()
const functions = [...catalog, ...connectorFunctions()]
/** Functions of connectors that need no connection. */
const data = createDataConnectors({
  httpOf: () => ({ request: () => Promise.reject(new Error('no test sends a request')) }),
}).flatMap((connector) => connector.functions.map(({ name, perform }) => [`${connector.name}.${name}`, perform] as const))
afterAll(() => pool.close())

/** Runs an imported export with models that are stood in. Scripts are real. */
async function run(
  source: object,
  input: Json,
  model: Json = {},
): Promise<{ readonly output: Json | undefined; readonly asked: readonly Json[] }> {
  const asked: Json[] = []
  const { definition: imported } = importWorkflow(source)
  const { definition, diagnostics } = validateDefinition(JSON.stringify(imported), { functions })
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '))
  const standIn = (call: { readonly arguments: Json }) => {
    asked.push(call.arguments)
    return Promise.resolve(model)
  }
  const end = await runLocally(compileWorkflow(definition, { functions }), input, {
    functions: new Map([...data, ['script', createScriptFunction({ pool })], ['model', standIn], ['agent', standIn], ['email', standIn]]),
    definitions: { load: () => Promise.reject(new Error('no child')), resolve: () => Promise.resolve(undefined) },
    reporter: { warn: () => undefined },
    secrets: {},
    now: Date.now,
    newId: () => 'run',
    version: '0.0.0',
  }).end
  if (end.kind !== 'ended' || end.state !== 'completed') throw new Error(JSON.stringify(end))
  return { output: end.output, asked }
}

const langchain = (type: string) => `@n8n/n8n-nodes-langchain.${type}`

/** An export in which the main nodes follow each other; others serve the last. */
function chain(nodes: readonly ReturnType<typeof node>[], attached: readonly (readonly [string, ReturnType<typeof node>])[] = []) {
  const last = nodes.at(-1)?.name ?? ''
  const connections = Object.fromEntries([
    ...nodes.slice(1).map((to, index) => [nodes[index]?.name, { main: [[{ node: to.name, type: 'main', index: 0 }]] }] as const),
    ...attached.map(([kind, { name }]) => [name, { [kind]: [[{ node: last, type: kind, index: 0 }]] }] as const),
  ])
  return { name: 'Imported', nodes: [...nodes, ...attached.map(([, one]) => one)], connections }
}

const start = node('Start', 'executeWorkflowTrigger')

test('code of n8n that prints, forgets to declare and decodes base64 gives its items', async () => {
  const jsCode = `console.log('seen', items.length); total = 0
for (item of items) { total += item.json.n }
return [{ json: { total, text: Buffer.from('w7wgYQ==', 'base64').toString(), hex: Buffer.from('ü').toString('hex'), back: Buffer.from('ü a').toString('base64') } }]`
  const { output } = await run(chain([start, node('Code', 'code', { jsCode })]), { items: [{ n: 1 }, { n: 2 }] })
  expect(output).toEqual([{ total: 3, text: 'ü a', hex: 'c3bc', back: 'w7wgYQ==' }])
})

test('hashes are those of MD5 and SHA-256, also of a text of several blocks', async () => {
  const value = 'Grüße '.repeat(40)
  const hash = (name: string, type: string) => node(name, 'crypto', { type, value: '={{ $json.text }}', dataPropertyName: name })
  const { output } = await run(chain([start, hash('md5', 'MD5'), hash('sha256', 'SHA256')]), { items: [{ text: value }] })
  const of = (algorithm: string) => createHash(algorithm).update(value).digest('hex')
  expect(output).toEqual([{ text: value, md5: of('md5'), sha256: of('sha256') }])
})

test('an expression that fails is empty, as in n8n, and does not end the workflow', async () => {
  const value = "={{ $json.name.first.split('.')[1] }}"
  const set = node('Set', 'set', { includeOtherFields: true, assignments: { assignments: [{ name: 'part', type: 'string', value }] } })
  expect((await run(chain([start, set]), { items: [{ name: 'Ada' }] })).output).toEqual([{ name: 'Ada', part: null }])
})

test('a placeholder of a variable inside of an expression is part of that expression', () => {
  const value = "={{ ['{{ $env.HOST }}/a', '{{ $env.HOST }}'] }}"
  const set = node('Set', 'set', { assignments: { assignments: [{ name: 'urls', type: 'array', value }] } })
  const { definition, report } = importWorkflow(chain([start, set]))
  expect(report.variables).toEqual(['HOST'])
  expect(JSON.stringify(definition)).toContain(' + \\"/a\\"))), ($variables.HOST)]')
})

test('an agent of n8n becomes a call of an agent with its tools, and its model is reported', async () => {
  const agent = node('Agent', langchain('agent'), { options: { systemMessage: 'Be brief.' } })
  const tool = node('Rates', langchain('toolHttpRequest'), { url: 'https://rates.example/today', toolDescription: 'Rates of today.' })
  const source = chain(
    [start, agent],
    [
      ['ai_languageModel', node('GPT', langchain('lmChatOpenAi'))],
      ['ai_tool', tool],
    ],
  )
  const { output, asked } = await run(source, { items: [{ chatInput: 'What is a euro?' }] }, { answer: 'A coin.' })
  expect(asked).toEqual([
    {
      goal: 'Be brief.\n\nWhat is a euro?',
      tools: [{ kind: 'http', name: 'Rates', description: 'Rates of today.', url: 'https://rates.example/today' }],
    },
  ])
  expect(output).toEqual([{ output: 'A coin.', text: 'A coin.' }])
  const { report } = importWorkflow(source)
  expect(report.parts.notConverted).toBe(0)
  expect(report.findings.map(({ part }) => part)).toContain('GPT')
})

test('a chain with a parser asks a model for data of its schema', async () => {
  const parser = node('Parser', langchain('outputParserStructured'), { jsonSchemaExample: '{"city":"Cairo","people":1}' })
  const source = chain([start, node('Ask', langchain('chainLlm'), { text: '=Where is {{ $json.name }}?' })], [['ai_outputParser', parser]])
  const { output, asked } = await run(source, { items: [{ name: 'Ada' }] }, { text: '{}', data: { city: 'Oslo', people: 2 } })
  const schema = { type: 'object', properties: { city: { type: 'string' }, people: { type: 'number' } }, required: ['city', 'people'] }
  expect(asked).toEqual([{ prompt: 'Where is Ada?', schema }])
  expect(output).toEqual([{ output: { city: 'Oslo', people: 2 }, text: '{}' }])
})

test('a classifier leads its items on by their category', async () => {
  const classes = { categories: { categories: [{ category: 'spam' }, { category: 'order' }] }, inputText: '={{ $json.text }}' }
  const nodes = [
    start,
    node('Sort', langchain('textClassifier'), classes),
    node('Spam', 'set', { mode: 'raw', jsonOutput: '{"kind":"spam"}' }),
    node('Order', 'set', { mode: 'raw', jsonOutput: '{"kind":"order"}' }),
  ]
  const to = (name: string) => [{ node: name, type: 'main', index: 0 }]
  const connections = { Start: { main: [to('Sort')] }, Sort: { main: [to('Spam'), to('Order')] } }
  const source = { name: 'Imported', nodes, connections }
  const { output } = await run(source, { items: [{ text: 'one' }, { text: 'two' }] }, { data: { category: 'order' } })
  expect(output).toEqual([{ kind: 'order' }, { kind: 'order' }])
})

test('a mail of n8n is sent by the catalog with its recipients as a list', async () => {
  const mail = node('Mail', 'emailSend', { toEmail: 'a@example.com, b@example.com', subject: 'For {{ $json.name }}', text: 'Hello' })
  const { asked } = await run(chain([start, mail]), { items: [{ name: 'Ada' }] }, { messageId: 'x', accepted: [], rejected: [] })
  expect(asked).toEqual([{ to: ['a@example.com', 'b@example.com'], subject: 'For Ada', text: 'Hello' }])
})

test('datasets are compared by their keys into four outputs', async () => {
  const compare = node('Compare', 'compareDatasets', {
    mergeByFields: { values: [{ field1: 'id', field2: 'key' }] },
    resolve: 'preferInput2',
  })
  const jsonOf = (value: object) => node(JSON.stringify(value), 'code', { jsCode: `return ${JSON.stringify(value)}` })
  const [a, b] = [jsonOf([{ id: 1 }, { id: 2, x: 1 }]), jsonOf([{ key: 2, x: 2 }, { key: 3 }])]
  const to = (name: string, index = 0) => [{ node: name, type: 'main', index }]
  const out = ['A', 'Same', 'Different', 'B'].map((name) =>
    node(name, 'set', { includeOtherFields: true, assignments: { assignments: [{ name: 'way', value: name }] } }),
  )
  const connections = {
    Start: { main: [[...to(a.name), ...to(b.name)]] },
    [a.name]: { main: [to('Compare')] },
    [b.name]: { main: [to('Compare', 1)] },
    Compare: { main: out.map(({ name }) => to(name)) },
    ...Object.fromEntries(out.map(({ name }) => [name, { main: [to('All')] }])),
  }
  const { output } = await run(
    { name: 'Imported', nodes: [start, a, b, compare, ...out, node('All', 'set', { includeOtherFields: true })], connections },
    {},
  )
  expect(output).toEqual([
    { id: 1, way: 'A' },
    { key: 2, x: 2, way: 'Different' },
    { key: 3, way: 'B' },
  ])
})

test('a file becomes base64 in a member, from a text or from bytes that a request has received', async () => {
  const extract = node('Extract', 'extractFromFile', { operation: 'binaryToPropery', destinationKey: 'file' })
  const { output } = await run(chain([start, extract]), { items: [{ data: 'Grüße, Ada' }, { data: 'AP+AB8M=' }] })
  expect(output).toEqual([{ file: Buffer.from('Grüße, Ada').toString('base64') }, { file: 'AP+AB8M=' }])
})

test.each<[string, object, object, Json]>([
  ['rows of CSV', { operation: 'csv', options: { delimiter: ';' } }, { data: 'name;n\nAda;1' }, [{ name: 'Ada', n: '1' }]],
  ['rows of CSV without names', { options: { headerRow: false } }, { data: 'Ada,1' }, [{ row: ['Ada', '1'] }]],
])('a file is read: %s', async (_what, parameters, item, items) => {
  const { output } = await run(chain([start, node('Extract', 'extractFromFile', parameters)]), { items: [{ ...item }] })
  expect(output).toEqual(items)
})

test('items are written as a workbook, which another node reads again', async () => {
  const write = node('Write', 'convertToFile', { operation: 'xlsx', fileName: 'people.xlsx', options: { sheetName: 'People' } })
  const read = node('Read', 'spreadsheetFile', { options: { sheetName: 'People' } })
  const people = [
    { name: 'Ada', n: 1 },
    { name: 'Bilal', n: 2 },
  ]
  const { output } = await run(chain([start, write, read]), { items: people })
  expect(output).toEqual(people)
})

test('XML is read, and written again below a root', async () => {
  const read = node('Read', 'xml', {})
  const write = node('Write', 'xml', { mode: 'jsonToxml' })
  const { output } = await run(chain([start, read, write]), { items: [{ data: '<a><b c="1">x</b></a>' }] })
  expect(output).toEqual([{ data: expect.stringContaining('<root><a><b c="1">x</b></a></root>') }])
})

const hook = node('Hook', 'webhook', { httpMethod: 'POST', path: 'a' })
const above = (value: string, limit: number) => ({
  conditions: {
    options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
    combinator: 'and',
    conditions: [{ leftValue: value, rightValue: limit, operator: { type: 'number', operation: 'gt' } }],
  },
})
/** A node that adds a member. */
const mark = (name: string, value = name) =>
  node(name, 'set', { includeOtherFields: true, assignments: { assignments: [{ name: `at${name}`, type: 'string', value }] } })
const big = node('Big', 'if', above('={{ $json.body.total }}', 1000))

/** The definition of an export as its tasks are written. */
const tasksIn = (source: object) => Object(importWorkflow(source).definition)['do']

test('an If behind a webhook is a switch with one way for each output, and the step after both gets the item of either', async () => {
  const source = exportOf(
    [hook, big, mark('Yes'), mark('No'), mark('Both', "={{ $('Hook').item.json.body.total }}")],
    [
      ['Hook', 0, 'Big'],
      ['Big', 0, 'Yes'],
      ['Big', 1, 'No'],
      ['Yes', 0, 'Both'],
      ['No', 0, 'Both'],
    ],
  )
  const [, group, last] = tasksIn(source)
  const [choose, yes, no] = group.big.do
  expect(choose['big-choose'].switch).toEqual([{ true: { when: '${ .body.total > 1000 }', then: 'true' } }, { false: { then: 'false' } }])
  expect([Object.keys(yes), Object.keys(no), yes.true.then]).toEqual([['true'], ['false'], 'exit'])
  expect(last.both).not.toHaveProperty('input')
  const of = async (total: number) => (await run(source, { body: { total } })).output
  expect(await of(2000)).toEqual({ body: { total: 2000 }, atYes: 'Yes', atBoth: '2000' })
  expect(await of(5)).toEqual({ body: { total: 5 }, atNo: 'No', atBoth: '5' })
})

test('a way that leads directly to the step after both passes the item on', async () => {
  const source = exportOf(
    [hook, big, mark('Yes'), mark('Both')],
    [
      ['Hook', 0, 'Big'],
      ['Big', 0, 'Yes'],
      ['Big', 1, 'Both'],
      ['Yes', 0, 'Both'],
    ],
  )
  expect((await run(source, { body: { total: 2000 } })).output).toEqual({ body: { total: 2000 }, atYes: 'Yes', atBoth: 'Both' })
  expect((await run(source, { body: { total: 1 } })).output).toEqual({ body: { total: 1 }, atBoth: 'Both' })
})

test('a merge after both ways gets the items of the way that was taken only', async () => {
  const source = exportOf(
    [hook, big, mark('Yes'), node('Join', 'merge', { mode: 'append' })],
    [
      ['Hook', 0, 'Big'],
      ['Big', 0, 'Yes'],
      ['Yes', 0, 'Join'],
      ['Big', 1, 'Join', 1],
    ],
  )
  expect((await run(source, { body: { total: 2000 } })).output).toEqual([{ body: { total: 2000 }, atYes: 'Yes' }])
  expect((await run(source, { body: { total: 1 } })).output).toEqual([{ body: { total: 1 } }])
})

test('a Filter behind a webhook is a condition of the steps behind it', async () => {
  const filter = node('Only big', 'filter', above('={{ $json.body.total }}', 1000))
  const source = exportOf(
    [hook, filter, mark('Kept')],
    [
      ['Hook', 0, 'Only big'],
      ['Only big', 0, 'Kept'],
    ],
  )
  expect(tasksIn(source)[1]).toMatchObject({ 'only-big': { if: '${ .body.total > 1000 }', do: [{ kept: {} }] } })
  expect((await run(source, { body: { total: 2000 } })).output).toMatchObject({ atKept: 'Kept' })
  expect((await run(source, { body: { total: 1 } })).output).toEqual({ body: { total: 1 } })
})

const rule = (value: string, outputKey?: string) => ({
  conditions: {
    options: { typeValidation: 'strict', caseSensitive: true },
    combinator: 'and',
    conditions: [{ leftValue: '={{ $json.kind }}', rightValue: value, operator: { type: 'string', operation: 'equals' } }],
  },
  ...(outputKey === undefined ? {} : { renameOutput: true, outputKey }),
})
const kinds = node('Kind', 'switch', {
  rules: { values: [rule('invoice'), rule('offer', 'Quotes')] },
  options: { fallbackOutput: 'extra' },
})
const ofKinds = (begin: ReturnType<typeof node>) =>
  exportOf(
    [begin, kinds, mark('Invoice'), mark('Quote'), mark('Other'), mark('All')],
    [
      [begin.name, 0, 'Kind'],
      ['Kind', 0, 'Invoice'],
      ['Kind', 1, 'Quote'],
      ['Kind', 2, 'Other'],
      ['Invoice', 0, 'All'],
      ['Quote', 0, 'All'],
      ['Other', 0, 'All'],
    ],
  )

test('a Switch of one item has a way for each rule with its name, and one for all others', async () => {
  const source = ofKinds(node('Go', 'manualTrigger'))
  expect(tasksIn(source)[1].kind.do[0]['kind-choose'].switch).toEqual([
    { invoice: { when: '${ .kind == "invoice" }', then: 'invoice' } },
    { quotes: { when: '${ .kind == "offer" }', then: 'quotes' } },
    { fallback: { then: 'fallback' } },
  ])
  for (const [kind, at] of [
    ['invoice', 'Invoice'],
    ['offer', 'Quote'],
    ['letter', 'Other'],
  ] as const)
    expect((await run(source, { kind })).output).toEqual({ kind, [`at${at}`]: at, atAll: 'All' })
})

test('a Switch of a list leads each item by the first rule that it meets', async () => {
  const items = ['letter', 'offer', 'invoice', 'offer'].map((kind, n) => ({ kind, n }))
  const { output } = await run(ofKinds(start), { items })
  expect(output).toEqual([
    { kind: 'invoice', n: 2, atInvoice: 'Invoice', atAll: 'All' },
    { kind: 'offer', n: 1, atQuote: 'Quote', atAll: 'All' },
    { kind: 'offer', n: 3, atQuote: 'Quote', atAll: 'All' },
    { kind: 'letter', n: 0, atOther: 'Other', atAll: 'All' },
  ])
})

test('an If of a list has a list for each output, and a Filter keeps those that meet its condition', async () => {
  const source = exportOf(
    [start, node('Big', 'if', above('={{ $json.n }}', 1)), mark('Yes'), mark('No')],
    [
      ['Start', 0, 'Big'],
      ['Big', 0, 'Yes'],
      ['Big', 1, 'No'],
    ],
  )
  const [, both, yes] = tasksIn(source)
  expect(both.big.set).toEqual({ true: '${ map(select(.n > 1)) }', false: '${ map(select(.n > 1 | not)) }' })
  expect(yes['big-true'].if).toBe('${ ($steps.big.true // []) | length > 0 }')
  expect((await run(source, { items: [{ n: 1 }, { n: 2 }] })).output).toEqual([{ n: 1, atNo: 'No' }])
  const filter = chain([start, node('Only', 'filter', above('={{ $json.n }}', 1))])
  expect((await run(filter, { items: [{ n: 1 }, { n: 2 }] })).output).toEqual([{ n: 2 }])
})

test('each round of a loop chooses its own way, without the results of the round before', async () => {
  const loop = node('Loop', 'splitInBatches', { options: {} })
  const join = node('Join', 'merge', { mode: 'append' })
  const source = exportOf(
    [start, loop, node('Big', 'if', above('={{ $json.n }}', 1)), mark('Yes'), mark('No'), join, mark('End')],
    [
      ['Start', 0, 'Loop'],
      ['Loop', 1, 'Big'],
      ['Big', 0, 'Yes'],
      ['Big', 1, 'No'],
      ['Yes', 0, 'Join'],
      ['No', 0, 'Join', 1],
      ['Join', 0, 'Loop'],
      ['Loop', 0, 'End'],
    ],
  )
  expect(JSON.stringify(tasksIn(source))).toContain('"when":"${ .n > 1 }"')
  expect((await run(source, { items: [{ n: 1 }, { n: 2 }, { n: 0 }] })).output).toEqual([
    { n: 1, atNo: 'No', atEnd: 'End' },
    { n: 2, atYes: 'Yes', atEnd: 'End' },
    { n: 0, atNo: 'No', atEnd: 'End' },
  ])
})

test('with several triggers the input names the one that starts, and the first is taken without it', async () => {
  const source = exportOf(
    [node('Go', 'manualTrigger'), hook, mark('A'), mark('B')],
    [
      ['Go', 0, 'A'],
      ['Hook', 0, 'B'],
      ['A', 0, 'B'],
    ],
  )
  expect((await run(source, { n: 1 })).output).toEqual({ n: 1, atA: 'A', atB: 'B' })
  expect((await run(source, { trigger: 'Hook' })).output).toEqual({ trigger: 'Hook', atB: 'B' })
})

test('a node with an output for errors behind a webhook leads on by its outcome', async () => {
  const code = { ...node('Code', 'code', { jsCode: 'return [{ json: { ok: true } }]' }), onError: 'continueErrorOutput' }
  const source = exportOf(
    [hook, code, mark('Fine'), mark('Failed')],
    [
      ['Hook', 0, 'Code'],
      ['Code', 0, 'Fine'],
      ['Code', 1, 'Failed'],
    ],
  )
  expect((await run(source, {})).output).toEqual([{ ok: true, atFine: 'Fine' }])
})
