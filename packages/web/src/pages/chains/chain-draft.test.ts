import { expect, test } from 'vitest'
import { chainDraft, contentOf, isEdited, type SavedChain, withLatest, withSaved } from '#src/pages/chains/chain-draft.ts'

const first = 'wf_first'

function chain(revision: number, name = 'Orders'): SavedChain {
  return {
    id: 'chn_1',
    name,
    description: null,
    members: [{ name: 'charge', workflowId: first, onFault: 'stop' }],
    workflowId: 'wf_chain',
    revision,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  }
}

test('what is typed stays when another person saves the chain, and is saved against the revision it began with', () => {
  const typed = { ...chainDraft(chain(1), first), name: 'Orders of shops' }
  const after = withLatest(typed, chain(2, 'Renamed'), first)
  expect(after).toBe(typed)
  expect(after.base?.revision).toBe(1)
})

test('fields without an edit show what another person saved', () => {
  const after = withLatest(chainDraft(chain(1), first), chain(2, 'Renamed'), first)
  expect(after).toMatchObject({ name: 'Renamed', base: { revision: 2 } })
})

test('a list that was read before the last save brings nothing old back', () => {
  const draft = chainDraft(chain(2, 'Renamed'), first)
  expect(withLatest(draft, chain(1), first)).toBe(draft)
})

test('after a save the fields are those of the server, and what was typed since stays', () => {
  const sent = { ...chainDraft(chain(1), first), name: ' Shops ' }
  expect(withSaved(sent, sent, chain(2, 'Shops'), first)).toMatchObject({ name: 'Shops', base: { revision: 2 } })
  const more = { ...sent, description: 'All of them' }
  expect(withSaved(more, sent, chain(2, 'Shops'), first)).toMatchObject({ description: 'All of them', base: { revision: 2 } })
})

test('a chain is edited while its fields differ from what is saved', () => {
  const draft = chainDraft(chain(1), first)
  expect(isEdited(draft, first)).toBe(false)
  expect(isEdited({ ...draft, description: 'x' }, first)).toBe(true)
  expect(isEdited({ ...draft, members: draft.members.toReversed() }, first)).toBe(false)
  expect(isEdited(chainDraft(undefined, first), first)).toBe(false)
  expect(contentOf({ ...draft, description: '  ' }).description).toBeNull()
})
