import { expect, test } from 'vitest'
import { NetError } from '#platform/net/net-error.ts'
import { createRelay, type PieceRequester } from './relay-requests.ts'
import type { PieceRequest, ToPiece } from './messages.ts'

const mebibyte = 1024 * 1024
const asking = (bytes = 0): PieceRequest => ({ method: 'POST', url: 'https://example.com/', headers: {}, body: new Uint8Array(bytes) })
const replying = (bytes = 0) => ({ status: 200, headers: {}, body: new Uint8Array(bytes) })

/** A relay with what it has answered and how the action has ended. */
function relayOf(request: PieceRequester) {
  const answers: ToPiece[] = []
  const ends: unknown[] = []
  const ended = new AbortController()
  const end = (how: unknown) => {
    ends.push(how)
    ended.abort()
  }
  const relay = createRelay({ request, signal: ended.signal, answer: (message) => void answers.push(message), deny: end, fail: end })
  return { relay, answers, ends }
}

test('requests are made eight at a time, all in their order', async () => {
  const open: (() => void)[] = []
  let started = 0
  const { relay, answers } = relayOf(async () => {
    started += 1
    await new Promise<void>((resolve) => open.push(resolve))
    return replying()
  })
  for (let id = 0; id < 20; id++) relay(id, asking())
  expect(started).toBe(8)
  for (let done = 0; done < 20; done++) {
    open.shift()?.()
    await expect.poll(() => answers.length).toBe(done + 1)
    await expect.poll(() => started).toBe(Math.min(20, 8 + done + 1))
  }
  expect(answers.map((message) => message.kind === 'response' && message.id)).toEqual(Array.from({ length: 20 }, (_, id) => id))
})

test.each([
  ['requests', 17, 0],
  ['replies', 0, 17],
  ['requests and replies together', 9, 9],
])('more than 64 MiB of %s end the action, and what waits is not made', async (_what, sent, received) => {
  let made = 0
  const { relay, answers, ends } = relayOf(() => {
    made += 1
    return Promise.resolve(replying(received * mebibyte))
  })
  for (let id = 0; id < 3; id++) {
    relay(id, asking(sent * mebibyte))
    await expect.poll(() => answers.length).toBe(id + 1)
  }
  expect(ends).toEqual([])
  for (let id = 3; id < 12 && ends.length === 0; id++) relay(id, asking(sent * mebibyte))
  await expect.poll(() => ends.length).toBeGreaterThan(0)
  expect(ends[0]).toBe('The requests of the action and their replies have more than 64 MiB.')
  expect([answers.length, made < 12]).toEqual([3, true])
})

test('a refusal of the network ends the action, and another failure is answered', async () => {
  const denied = new NetError('denied', 'no')
  const { relay, answers, ends } = relayOf(({ body }) => Promise.reject(body.length === 0 ? new Error('Broken.') : denied))
  relay(1, asking())
  await expect.poll(() => answers).toEqual([{ kind: 'refused', id: 1, message: 'Broken.' }])
  relay(2, asking(1))
  await expect.poll(() => ends).toEqual([denied])
})
