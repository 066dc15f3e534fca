import { expect, test } from 'vitest'
import { headOf, writeOf } from '#testing/postgres-parts.ts'
import { prepareWrite } from './prepare-write.ts'
import { createWriteQueue } from './write-queue.ts'

function queueOf(...accounts: readonly string[]) {
  const queue = createWriteQueue()
  for (const [index, accountId] of accounts.entries()) add(queue, accountId, index)
  return queue
}

function add(queue: ReturnType<typeof createWriteQueue>, accountId: string, seq: number, bytes = 10): void {
  const prepared = { ...prepareWrite(writeOf(headOf({ accountId, id: `${accountId}${seq}` }))), bytes }
  queue.add({ prepared, resolve: () => undefined, reject: () => undefined })
}

const idsOf = (taken: ReturnType<ReturnType<typeof createWriteQueue>['take']>) => taken.map(({ prepared }) => prepared.write.executionId)

test('accounts take turns, each in its own order', () => {
  const queue = queueOf('a', 'a', 'a', 'b', 'c', 'b')
  expect(idsOf(queue.take(4, 1_000))).toEqual(['a0', 'b3', 'c4', 'a1'])
  add(queue, 'c', 6)
  expect(idsOf(queue.take(10, 1_000))).toEqual(['b5', 'a2', 'c6'])
  expect(queue.size).toBe(0)
  expect(queue.take(10, 1_000)).toEqual([])
})

test('no more is taken than so many bytes, but one at least', () => {
  const queue = queueOf('a', 'b', 'c', 'd')
  expect(idsOf(queue.take(10, 20))).toEqual(['a0', 'b1'])
  expect(idsOf(queue.take(10, 1))).toEqual(['c2'])
  expect(queue.size).toBe(1)
})

test('a long line of one account is taken whole', () => {
  const queue = createWriteQueue()
  for (let seq = 0; seq < 5_000; seq++) add(queue, 'a', seq)
  const taken: string[] = []
  while (queue.size > 0) taken.push(...idsOf(queue.take(100, 1_000_000)))
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, seq) => `a${seq}`))
})
