import { expect, test } from 'vitest'
import { newest } from './newest.ts'

const begun = { endedAt: null, turns: 1, toolCalls: 0, from: 'list' }
const later = { endedAt: null, turns: 2, toolCalls: 3, from: 'list' }
const over = { endedAt: '2026-01-01T00:00:00Z', turns: 2, toolCalls: 3, from: 'list' }

test.each([
  ['nothing was streamed', begun, undefined, 'list'],
  ['the stream is ahead', begun, later, 'stream'],
  ['both say the same', later, later, 'stream'],
  ['the stream reports the end', later, over, 'stream'],
  ['the run ended while the stream rested', over, later, 'list'],
  ['the stream was lost some turns ago', later, begun, 'list'],
])('of a run that is listed the later is shown when %s', (_name, listed, streamed, from) => {
  expect(newest(listed, streamed && { ...streamed, from: 'stream' }).from).toBe(from)
})
