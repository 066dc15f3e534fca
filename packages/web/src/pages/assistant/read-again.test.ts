import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { readAgain } from './read-again.ts'

test('a decision reads the conversation, the page of proposals and that of drafts again, and nothing else', async () => {
  const queries = new QueryClient()
  const all = [
    ['assistant', 'conversation', 'a'],
    ['assistant.proposals', {}],
    ['assistant.drafts', { state: 'draft' }],
    ['assistants'],
    ['runs', {}],
  ]
  for (const queryKey of all) queries.setQueryData(queryKey, [])
  await readAgain(queries)
  expect(all.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, true, false, false])
})
