import { describe, expect, test } from 'vitest'
import { createDocument } from '#src/document/document-store.ts'

const text = `# kept
document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
do:
  # the first
  - one: { set: { a: 1 } }
  - two: { set: { a: "\${ $steps.one.a }" } }
`
const names = (doc: ReturnType<typeof createDocument>) => doc.store.getState().drawing.entries.map(({ name }) => name)

describe('an edit', () => {
  test('an edit changes the text and the flow at once, selects its result, and is undone byte for byte', () => {
    const doc = createDocument(text, 'yaml')
    expect(doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'first' }])).toBeUndefined()
    expect(names(doc)).toEqual(['first', 'two'])
    expect(doc.store.getState()).toMatchObject({ selected: '/do/first', canUndo: true, done: 'Renamed one to first' })
    expect(doc.store.getState().text).toContain('$steps.first.a')
    doc.undo()
    expect(doc.store.getState().text).toBe(text)
    doc.redo()
    expect(names(doc)).toEqual(['first', 'two'])
  })

  test('an edit that cannot be done says why and changes nothing', () => {
    const doc = createDocument(text, 'yaml')
    expect(doc.edit([{ kind: 'rename', task: '/do/0/one', name: 'two' }])).toMatchObject({ code: 'name_taken' })
    expect(doc.store.getState()).toMatchObject({ text, canUndo: false })
  })

  test('a selected task stays selected when others move around it', () => {
    const doc = createDocument(text, 'yaml')
    doc.select('/do/two')
    doc.edit([{ kind: 'move', list: '/do', from: 1, count: 1, to: '/do', at: 0 }])
    expect(names(doc)).toEqual(['two', 'one'])
    expect(doc.store.getState().selected).toBe('/do/two')
  })
})

test('while a text cannot be read, the flow that could be read stays, and edits are refused', () => {
  const doc = createDocument(text, 'yaml')
  doc.setText(text.replace('{ set: { a: 1 } }', '{ set: { a: 1'))
  expect(names(doc)).toEqual(['one', 'two'])
  expect(doc.store.getState().outline.brokenAt).toBeDefined()
  expect(doc.edit([{ kind: 'remove', list: '/do', from: 0, count: 1 }])).toMatchObject({ code: 'unreadable' })
})
