import { outlineOf } from '@millrace/dsl/outline'
import { expect, test } from 'vitest'
import { stepTemplates } from '#src/editor/picker/templates.ts'
import { type DrawnBlock, type DrawnEntry, drawingOf, flatEntries } from '#src/flow/drawing.ts'
import { loadMessages } from '#src/messages/messages.ts'

await loadMessages()

const head = 'document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }\n'

/** A drawing as nested names: what a reader sees, without positions. */
function shown(entries: readonly DrawnEntry[]): unknown {
  return entries.map((entry) =>
    entry.blocks.length === 0 ? entry.name : { [`${entry.kind} ${entry.name}`]: entry.blocks.map(shownBlock) },
  )
}

function shownBlock({ kind, label, entries }: DrawnBlock): unknown {
  return { [label === '' ? kind : `${kind} ${label}`]: shown(entries) }
}

function drawn(text: string): readonly DrawnEntry[] {
  return drawingOf(outlineOf(head + text, 'yaml')).entries
}

const closed = `do:
- route:
    do:
    - choose:
        switch:
        - large: { when: '\${ .total > 10 }', then: large }
        - otherwise: { then: otherwise }
    - large: { do: [{ ask: { call: approve } }], then: exit }
    - otherwise: { do: [], then: exit }
- last: { set: { a: 1 } }
`

test('a switch with one group for each way is drawn as lanes that can be added to', () => {
  const entries = drawn(closed)
  expect(shown(entries)).toEqual([{ 'switch route': [{ 'lane large': ['ask'] }, { 'lane otherwise': [] }] }, 'last'])
  expect(entries[0]?.blocks.map(({ list, detail, owner }) => [list, detail, owner?.reference])).toEqual([
    ['/do/0/route/do/1/large/do', 'total > 10', '/do/0/route/do/1/large'],
    ['/do/0/route/do/2/otherwise/do', '', '/do/0/route/do/2/otherwise'],
  ])
})

test('a way that ends the workflow stays a lane, which says so', () => {
  const [route] = drawn(closed.replace('then: exit', 'then: end'))
  expect(route?.blocks.map(({ label, leaves }) => [label, leaves])).toEqual([
    ['large', 'end'],
    ['otherwise', 'join'],
  ])
})

test('a new approval says how long it waits, and ends the workflow with the answers when it is rejected', () => {
  const task = stepTemplates.find(({ key }) => key === 'approve')?.task ?? {}
  const tasks = Object.entries(task).map(([name, step]) => ({ [name]: step }))
  const [ask, decide] = drawn(`do: ${JSON.stringify(tasks)}\n`)
  expect(ask?.summary).toBe('Is this right? · 3 days, then rejected')
  expect(decide?.blocks.map(({ label, leaves, entries }) => [label, leaves, entries.map(({ summary }) => summary)])).toEqual([
    ['approved', 'join', []],
    ['rejected', 'end', ['{ approved, outcome, answers }']],
  ])
})

test.each([
  ['{ deadline: PT1H, onDeadline: approve }', '1 hour, then approved'],
  ['{ title: Pay?, deadline: { days: 2 }, onDeadline: fail }', 'Pay? · 2 days, then it fails'],
  ['{ title: Pay?, onDeadline: fail }', 'Pay?'],
])('an approval with %s is summed up as %s', (args, summary) => {
  expect(drawn(`do:\n- ask: { call: approve, with: ${args} }\n`)[0]?.summary).toBe(summary)
})

test('a way whose case leads elsewhere stays a lane', () => {
  const entries = drawn(closed.replace('then: large }', 'then: end }'))
  expect(shown(entries)).toEqual([{ 'switch route': [{ 'lane large': ['ask'] }, { 'lane otherwise': [] }] }, 'last'])
})

test('a switch that jumps forward within its list is drawn as lanes of that list', () => {
  const entries = drawn(`do:
- route:
    switch:
    - big: { when: .x, then: ask }
    - small: { then: accept }
- accept: { set: { a: 1 }, then: join }
- ask: { set: { a: 2 } }
- join: { set: { a: 3 } }
`)
  expect(shown(entries)).toEqual([{ 'switch route': [{ 'lane small': ['accept'] }, { 'lane big': ['ask'] }] }, 'join'])
  expect(entries[0]?.blocks.map(({ list, from, to }) => [list, from, to])).toEqual([
    ['/do', 1, 2],
    ['/do', 2, 3],
  ])
})

test('loops, forks and tries contain their lists, and the flow in order has every task once', () => {
  const entries = drawn(`do:
- each: { for: { each: line, in: .lines }, do: [{ one: { set: { a: 1 } } }] }
- both: { fork: { branches: [{ left: { do: [{ two: { set: { a: 1 } } }] } }, { right: { wait: PT1S } }] } }
- guard: { try: [{ three: { call: http } }], catch: { errors: { with: { status: 503 } }, do: [{ four: { set: { a: 1 } } }] } }
`)
  expect(shown(entries)).toEqual([
    { 'for each': [{ loop: ['one'] }] },
    { 'fork both': [{ 'lane left': ['two'] }, { lane: ['right'] }] },
    { 'try guard': [{ body: ['three'] }, { catch: ['four'] }] },
  ])
  expect([...flatEntries(entries)].map(({ name }) => name)).toEqual([
    'each',
    'one',
    'both',
    'left',
    'two',
    'right',
    'guard',
    'three',
    'four',
  ])
})

test('a task says what it does, under which condition, and where it leads', () => {
  const [request, mail] = drawn(`do:
- request: { if: '\${ .ok }', call: http, with: { method: post, endpoint: https://shop.example/orders }, then: end }
- mail: { call: email, with: { to: a@example.com, subject: News } }
`)
  expect(request).toMatchObject({ kind: 'http', summary: 'POST shop.example/orders', condition: 'ok', leads: 'end' })
  expect(mail).toMatchObject({ kind: 'email', summary: 'a@example.com · News', leads: undefined })
})

test('a text that is not whole is drawn as far as it can be read', () => {
  expect(shown(drawn('do:\n- one: { set: { a: 1 } }\n- two: { set: ['))).toContain('one')
})
