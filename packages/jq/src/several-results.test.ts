import { expect, test } from 'vitest'
import { severalResults } from './several-results.ts'

test.each([
  ['.l[]', '.l[]'],
  ['.l[] | . * 10', '.l[]'],
  ['.l[]?.name', '.l[]?'],
  ['.l[] == 2', '.l[]'],
  ['{ id: .l[].id }', '.l[]'],
  ['"item \\(.l[])"', '.l[]'],
  ['.a, .b', '.a, .b'],
  ['if .x then .l[] else 1 end', '.l[]'],
  ['.l[] as $x | $x.id', '.l[]'],
  ['(.l[] + 1) // 0', '.l[]'],
])('%s has a result for each of %s', (source, part) => {
  const { start, end } = severalResults(source) ?? { start: 0, end: 0 }
  expect(source.slice(start, end)).toBe(part)
})

test.each([
  '[.l[] | . * 10]',
  'any(.l[]; . == 2)',
  '.l[] | select(.ok)',
  'first(.l[])',
  'reduce .l[] as $x (0; . + $x)',
  '.l | map(.id)',
  '.l[] |= . + 1',
  'if .x then .l[] else empty end',
  '[.a, .b]',
  '"a, b[]"',
])('%s may have one result', (source) => {
  expect(severalResults(source)).toBeUndefined()
})

test('a deep program is searched only so far', () => {
  expect(severalResults(`${'1 + ('.repeat(150)}.l[]${')'.repeat(150)}`)).toBeUndefined()
})
