import { expect, test } from 'vitest'
import { checkWords, lowerCounts } from './word-check.ts'

const check = (text: string, path = 'docs/a.md') => checkWords(new Map([[path, text]]), {})

test.each([
  'The worker tells the run.',
  'const untold = 1',
  'wasTold()',
  'tellAll()',
  'Nobody reads this.',
  'whoever asks',
  'It goes on.',
  'There is none.',
  'It came to nothing.',
  'The retry was given up.',
  'givenUp = true',
  'lookUpStanding()',
  'const patienceMs = 1',
  'rings the bell',
  'an execution that is held',
  'holder of the value',
  'isHeld',
  'What is kept has an end.',
  'Ends. Who has the key may start it.',
])('a banned word is found: %s', (text) => {
  expect(check(text)).toHaveLength(1)
})

test.each([
  'the process holds a lock',
  'a lease is held by one process',
  'the connection that it holds',
  'advisoryLock is held',
  'tells two values apart',
  'a long-standing bug',
  'outstanding requests',
  'understanding',
  'an intelligent storyteller',
  '## What happens when the database is lost?',
  'What does it do?',
])('standard English passes: %s', (text) => {
  expect(check(text)).toEqual([])
})

test('a relative clause as subject is found in documents only', () => {
  expect(check('/** What is kept has an end. */', 'packages/jq/src/a.ts')).toEqual([])
})

test('a finding names the line, the word and what to write', () => {
  expect(check('Fine.\nIt goes on.\n')).toEqual(['docs/a.md:2: "goes on"; write continue'])
})

test('a file may have neither more nor fewer banned words than its count', () => {
  const texts = new Map([['a.ts', '// It goes on and goes on.']])
  expect(checkWords(texts, { 'a.ts': 2 })).toEqual([])
  expect(checkWords(texts, { 'a.ts': 1 })).toHaveLength(2)
  expect(checkWords(texts, { 'a.ts': 3 })).toEqual([expect.stringContaining('npm run words')])
  expect(checkWords(texts, { 'a.ts': 2, 'b.ts': 1 })).toEqual([
    expect.stringContaining('b.ts of tools/words/remaining.json does not exist'),
  ])
})

test('counts are lowered and never raised', () => {
  const texts = new Map([
    ['better.ts', 'nobody'],
    ['worse.ts', 'nobody nobody'],
    ['clean.ts', ''],
  ])
  expect(lowerCounts(texts, { 'better.ts': 2, 'worse.ts': 1, 'clean.ts': 4, 'gone.ts': 1 })).toEqual({ 'better.ts': 1, 'worse.ts': 1 })
})
