import { describe, expect, test } from 'vitest'
import { localComputer } from '#src/document/document-computer.ts'
import { createDocument, type FlowDocument } from '#src/document/document-store.ts'

const text = `# kept
document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
do:
  # the first
  - one: { set: { a: 1 } }
  - two: { set: { a: "\${ $steps.one.a }" } }
`
async function opened(): Promise<FlowDocument> {
  const computer = localComputer('yaml')
  return createDocument({ text, syntax: 'yaml', computer, reading: await computer.read(text) })
}
const names = (doc: FlowDocument) => doc.store.getState().drawing.entries.map(({ name }) => name)

describe('an edit', () => {
  test('an edit changes the text and the flow at once, selects its result, and is undone byte for byte', async () => {
    const doc = await opened()
    expect(await doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'first' }])).toBeUndefined()
    expect(names(doc)).toEqual(['first', 'two'])
    expect(doc.store.getState()).toMatchObject({ selected: '/do/first', canUndo: true, done: 'Renamed one to first' })
    expect(doc.store.getState().text).toContain('$steps.first.a')
    doc.undo()
    expect(doc.store.getState().text).toBe(text)
    doc.redo()
    await doc.settled()
    expect(names(doc)).toEqual(['first', 'two'])
  })

  test('an edit that cannot be done says why and changes nothing', async () => {
    const doc = await opened()
    expect(await doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'two' }])).toMatchObject({ code: 'name_taken' })
    expect(doc.store.getState()).toMatchObject({ text, canUndo: false })
  })

  test('a selected task stays selected when others move around it', async () => {
    const doc = await opened()
    doc.select('/do/two')
    await doc.edit([{ kind: 'move', list: '/do', from: 1, count: 1, to: '/do', at: 0 }])
    expect(names(doc)).toEqual(['two', 'one'])
    expect(doc.store.getState().selected).toBe('/do/two')
  })

  test('a selected task that is renamed stays the same selection, also when the rename is undone, and another task is another one', async () => {
    const doc = await opened()
    doc.select('/do/one')
    const { selection, edition } = doc.store.getState()
    await doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'first' }])
    expect(doc.store.getState()).toMatchObject({ selected: '/do/first', selection })
    doc.undo()
    await doc.settled()
    expect(doc.store.getState()).toMatchObject({ selected: '/do/one', selection })
    doc.redo()
    await doc.settled()
    expect(doc.store.getState()).toMatchObject({ selected: '/do/first', selection })
    expect(doc.present('/do/0/one/set/a', edition)).toBe('/do/0/first/set/a')
    expect(doc.present('/do/1/two/set/a', edition)).toBe('/do/1/two/set/a')
    doc.select('/do/two')
    expect(doc.store.getState().selection).not.toBe(selection)
  })

  test('a selected task within a group that is renamed stays selected', async () => {
    const doc = await opened()
    await doc.edit([{ kind: 'wrap', in: 'do', name: 'group', list: '/do', from: 0, count: 1 }])
    doc.select('/do/group/do/one')
    const { selection, edition } = doc.store.getState()
    await doc.edit([{ kind: 'rename', task: '/do/0/group', name: 'all' }], { select: false })
    expect(doc.store.getState()).toMatchObject({ selected: '/do/all/do/one', selection })
    expect(doc.present('/do/0/group/do/0/one/set/a', edition)).toBe('/do/0/all/do/0/one/set/a')
  })
})

test('while a text cannot be read, the flow that could be read stays, and edits are refused', async () => {
  const doc = await opened()
  doc.setText(text.replace('{ set: { a: 1 } }', '{ set: { a: 1'))
  await doc.settled()
  expect(names(doc)).toEqual(['one', 'two'])
  expect(doc.store.getState().outline.brokenAt).toBeDefined()
  expect(await doc.edit([{ kind: 'remove', list: '/do', from: 0, count: 1 }])).toMatchObject({ code: 'unreadable' })
})

describe('edits that are being computed', () => {
  test('edits are done in the order in which they were asked for, each on the document after the one before', async () => {
    const doc = await opened()
    const done = [
      doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'first' }]),
      doc.edit((json) => [{ kind: 'set', pointer: '/do/0/first/set/names', value: JSON.stringify(json).includes('"first"') }]),
    ]
    expect(doc.store.getState().busy).toBe(true)
    expect(await Promise.all(done)).toEqual([undefined, undefined])
    expect(doc.store.getState()).toMatchObject({ busy: false })
    expect(doc.store.getState().text).toContain('names: true')
  })

  test('what is typed while an edit is computed stays, and the edit is done too', async () => {
    const doc = await opened()
    const edit = doc.edit([{ kind: 'duplicate', list: '/do', from: 0, count: 1 }])
    await Promise.resolve()
    doc.dispatch({ changes: { from: 0, insert: '# typed\n' } })
    expect(await edit).toBeUndefined()
    expect(doc.store.getState().text).toMatch(/^# typed\n/)
    expect(names(doc)).toEqual(['one', 'one2', 'two'])
  })
})
