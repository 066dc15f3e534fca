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
  queue.add({ prepared, processId: 'p', resolve: () => undefined, reject: () => undefined })
}

const idsOf = (taken: ReturnType<ReturnType<typeof createWriteQueue>['take']>) => taken.map(({ prepared }) => prepared.write.executionId)

test('the write queue takes writes of the accounts in turn, in the order of each account', () => {
  const queue = queueOf('a', 'a', 'a', 'b', 'c', 'b')
  expect(idsOf(queue.take(4, 1_000))).toEqual(['a0', 'b3', 'c4', 'a1'])
  add(queue, 'c', 6)
  expect(idsOf(queue.take(10, 1_000))).toEqual(['b5', 'a2', 'c6'])
  expect(queue.size()).toBe(0)
  expect(queue.take(10, 1_000)).toEqual([])
})

test('the write queue stops at the size limit, but takes at least one write', () => {
  const queue = queueOf('a', 'b', 'c', 'd')
  expect(idsOf(queue.take(10, 20))).toEqual(['a0', 'b1'])
  expect(idsOf(queue.take(10, 1))).toEqual(['c2'])
  expect(queue.size()).toBe(1)
})

test('the write queue returns all writes of one account with thousands, in order', () => {
  const queue = createWriteQueue()
  for (let seq = 0; seq < 5_000; seq++) add(queue, 'a', seq)
  const taken: string[] = []
  while (queue.size() > 0) taken.push(...idsOf(queue.take(100, 1_000_000)))
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, seq) => `a${seq}`))
})
