import { expect, test } from 'vitest'
import { createEvaluationRoom } from './evaluation-room.ts'

function roomWith() {
  let now = 0
  const closing = new AbortController()
  const within = createEvaluationRoom(() => now, closing.signal)
  const ends: (() => void)[] = []
  const begin = (accountId: string) =>
    within(
      accountId,
      (signal) =>
        new Promise<string>((resolve, reject) => {
          ends.push(() => resolve('done'))
          signal.addEventListener('abort', () => reject(signal.reason instanceof Error ? signal.reason : new Error('no reason')))
        }),
    )
  return { close: () => closing.abort(), begin, pass: (ms: number) => (now += ms), end: (at: number) => ends[at]?.() }
}

test('a crowd of requests is evaluated while each is quick, up to a bound', async () => {
  const { begin, end } = roomWith()
  const crowd = Array.from({ length: 500 }, () => begin('one'))
  await expect(begin('one')).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 10 } })
  end(0)
  expect(await crowd[0]).toBe('done')
  await Promise.race([begin('one'), Promise.resolve()])
})

test('requests beyond twenty are refused while one takes longer than three seconds, and those of other accounts are not', async () => {
  const { begin, pass, end } = roomWith()
  const first = Array.from({ length: 20 }, () => begin('one'))
  pass(3_001)
  await expect(begin('one')).rejects.toMatchObject({ code: 'overloaded' })
  const other = begin('other')
  end(20)
  expect(await other).toBe('done')
  for (let at = 0; at < 20; at++) end(at)
  expect(await Promise.all(first)).toHaveLength(20)
  const next = begin('one')
  end(21)
  expect(await next).toBe('done')
})

test('what still waits a moment after the server closes is refused, and its sender comes again', async () => {
  const { begin, close, end } = roomWith()
  const [quick, slow] = [begin('one'), begin('one')]
  close()
  end(0)
  expect(await quick).toBe('done')
  await expect(slow).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 5 } })
})
