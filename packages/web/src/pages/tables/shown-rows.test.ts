import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/api/client.ts', () => ({ api: {} }))
const { filtersOf } = await import('./shown-rows.ts')
afterAll(() => vi.resetModules())

test.each([
  [{}, {}],
  [{ text: 'tea' }, { text: 'tea' }],
  [{ column: 'status:open' }, { column: 'status:open' }],
  [{ column: 'note:closed: late' }, { column: 'note:closed: late' }],
  [{ column: 'total:100..500' }, { range: 'total:100..500' }],
  [{ column: 'due:..2026-12-31' }, { range: 'due:..2026-12-31' }],
  [
    { text: 'tea', column: 'total:1..' },
    { text: 'tea', range: 'total:1..' },
  ],
  [
    { text: 'tea', column: 'status:open' },
    { text: 'tea', column: 'status:open' },
  ],
  // What is not complete yet is looked for in all columns.
  [{ column: 'status:' }, { text: 'status' }],
  [{ column: 'open' }, { text: 'open' }],
  [{ text: 'tea', column: 'stat' }, { text: 'tea' }],
])('%j is found by %j', (typed, filters) => expect(filtersOf(typed)).toEqual(filters))
