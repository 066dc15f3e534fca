import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/boot.ts', () => ({ boot: { locale: 'en' } }))
const { factsOf, readableValue } = await import('#src/values/facts.ts')
afterAll(() => vi.resetModules())

const shown = (data: unknown) => factsOf(data)?.map(({ path, label, value }) => [path, label, readableValue(value)])

test('details are facts with readable names, the members of objects by their path', () => {
  const details = {
    firstDay: '2026-12-24',
    days: 3,
    urgent: false,
    customer: { name: 'Ada', address: {} },
    tags: ['a', 'b'],
    note: null,
    day: '2026-13-99',
  }
  expect(shown(details)).toEqual([
    ['/firstDay', 'First day', '24 December 2026'],
    ['/days', 'Days', '3'],
    ['/urgent', 'Urgent', 'no'],
    ['/customer/name', 'Customer › Name', 'Ada'],
    ['/customer/address', 'Customer › Address', '–'],
    ['/tags', 'Tags', 'a, b'],
    ['/note', 'Note', '–'],
    ['/day', 'Day', '2026-13-99'],
  ])
})

test.each([['a text'], [{}], [[1, 2]], [{ lines: [{ sku: 'A' }] }], [null]])('%j is not shown as facts', (details) => {
  expect(factsOf(details)).toBeUndefined()
})
