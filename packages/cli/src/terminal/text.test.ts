import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'
import { formatDuration, formatSpan } from './duration.ts'
import { createPaint } from './paint.ts'
import { printable, printableLine, truncate } from './printable.ts'
import { formatTaskLine } from './task-line.ts'
import { columnsOf } from './terminal.ts'
import { wrap } from './wrap.ts'

const plain = createPaint(new PassThrough())

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.5, '1.0 s'],
  [1449, '1.4 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h 0 min'],
  [3_780_000, '1 h 3 min'],
])('%d ms read as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [-5, '0 ms'],
  [400, '400 ms'],
  [19_600, '20 s'],
  [90_000, '1 min 30 s'],
  [259_200_000, '3 d'],
  [131_400_000, '1 d 12 h'],
])('a span of %d ms reads as %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1_500_000, '1.5 MB'],
  [99_960_000, '100 MB'],
  [2_000_000_000_000_000, '2000 TB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

describe('wrap', () => {
  test('text is wrapped at spaces, never within a word', () => {
    expect(wrap('one two  three\nfour', 9)).toEqual(['one two', 'three', 'four'])
    expect(wrap('incomprehensibilities of x', 5)).toEqual(['incomprehensibilities', 'of x'])
  })

  test('an empty text has no lines', () => {
    expect(wrap('  ', 10)).toEqual([])
  })
})

describe('printable', () => {
  test('control characters of untrusted text do not reach the terminal', () => {
    expect(printable('a\u001b[2Jb\u009b1m\rc\u202ed')).toBe('a\\u001b[2Jb\\u009b1m\\u000dc\\u202ed')
  })

  test('line feeds and tabs stay, except in printableLine', () => {
    expect(printable('a\n\tb')).toBe('a\n\tb')
    expect(printableLine('a\n\n\tb')).toBe('a b')
  })

  test('other scripts stay as they are', () => {
    expect(printable('Žluťoučký 日本 🙂')).toBe('Žluťoučký 日本 🙂')
  })
})

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['abcd', 1, '…'],
])('%s cut to %d is %s', (text, length, cut) => {
  expect(truncate(text, length)).toBe(cut)
})

test('a stream that is no terminal counts as 80 columns wide, a tiny one as 40', () => {
  expect(columnsOf(new PassThrough())).toBe(80)
  expect(columnsOf(Object.assign(new PassThrough(), { columns: 12 }))).toBe(40)
  expect(columnsOf(Object.assign(new PassThrough(), { columns: 0 })), 'a terminal that was never given a size').toBe(80)
})

test('a stream that is no terminal gets no colours', () => {
  expect(plain.red('x')).toBe('x')
})

describe('a line of a timeline', () => {
  const line = {
    mark: 'completed',
    depth: 1,
    name: 'reserve',
    remarks: ['#2'],
    what: 'call http POST https://shop.test',
    durationMs: 34,
  } as const

  test('a line has mark, name, remarks, description, and the duration at the right edge', () => {
    const text = formatTaskLine(line, 80, plain)
    expect(text).toBe('  ✓ reserve #2                    call http POST https://shop.test         34 ms')
    expect(text).toHaveLength(80)
  })

  test('without room the description is cut, never the name', () => {
    expect(formatTaskLine({ ...line, what: 'w'.repeat(200) }, 60, plain)).toHaveLength(60)
    const long = formatTaskLine({ ...line, name: 'n'.repeat(100) }, 60, plain)
    expect(long).toContain('n'.repeat(100))
    expect(long).not.toContain('call')
  })

  test('a duration of nothing is not shown', () => {
    expect(formatTaskLine({ ...line, durationMs: 0 }, 80, plain)).not.toContain('ms')
  })

  test.each([
    ['begun', '▸'],
    ['faulted', '✗'],
    ['skipped', '○'],
    ['waiting', '…'],
    ['cancelled', '■'],
  ] as const)('a %s task has a mark of its own', (mark, glyph) => {
    expect(formatTaskLine({ ...line, mark, depth: 0 }, 80, plain)).toMatch(new RegExp(`^${glyph} reserve`))
  })

  test('control characters in a name are escaped', () => {
    expect(formatTaskLine({ ...line, name: 'a\u001b[2Jb' }, 80, plain)).not.toContain('\u001b')
  })
})
