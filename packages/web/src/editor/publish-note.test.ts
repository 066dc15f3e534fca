import { expect, test } from 'vitest'
import { noteBetween } from '#src/editor/publish-note.ts'
import { loadMessages } from '#src/messages/messages.ts'

await loadMessages()

const set = (value: unknown) => ({ set: { value } })
const before = { document: { name: 'orders' }, do: [{ read: set(1) }, { pay: set(2) }, { mail: set(3) }] }

test('a note names the steps that were added, changed, renamed and removed, and what changed beside the steps', () => {
  const after = {
    document: { name: 'orders', title: 'Orders' },
    do: [{ fetch: set(1) }, { pay: set(7) }, { each: { do: [{ log: set(4) }] } }],
  }
  expect(noteBetween(before, after)).toBe(
    'Added: each. Changed: pay. Renamed: read → fetch. Removed: mail. Settings of the definition: document',
  )
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ [name]: set(name) }))
  expect(noteBetween(before, { ...before, do: [...before.do, ...many] })).toBe('Added: a, b, c, d and 2 more')
})

test('nothing is said of equal definitions, and of a text that cannot be read', () => {
  expect([noteBetween(before, structuredClone(before)), noteBetween(before, undefined)]).toEqual([undefined, undefined])
})

test('a branch has the name that the flow shows, not that of the task in it that chooses', () => {
  const branch = (limit: number) => ({
    do: [{ route: { do: [{ choose: { switch: [{ yes: { when: `.x > ${limit}`, then: 'yes' } }] } }, { yes: { do: [], then: 'exit' } }] } }],
  })
  expect(noteBetween(branch(1), branch(2))).toBe('Changed: route')
})
