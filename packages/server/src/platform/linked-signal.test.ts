import { expect, test } from 'vitest'
import { withLinkedSignal } from './linked-signal.ts'

test.each(['lasting', 'own'] as const)('a linked signal aborts with the %s signal while the work lasts', async (which) => {
  const signals = { lasting: new AbortController(), own: new AbortController() }
  const linked = await withLinkedSignal(signals.lasting.signal, signals.own.signal, async (signal) => {
    expect(signal.aborted).toBe(false)
    signals[which].abort('over')
    return signal
  })
  expect([linked.aborted, linked.reason]).toEqual([true, 'over'])
})

test.each([
  ['lasting', AbortSignal.abort('over'), new AbortController().signal],
  ['own', new AbortController().signal, AbortSignal.abort('over')],
])('a signal that is linked to an aborted %s signal is aborted', async (_which, lasting, own) => {
  const linked = await withLinkedSignal(lasting, own, async (signal) => signal)
  expect([linked.aborted, linked.reason]).toEqual([true, 'over'])
})

test('after the work, and after its failure, the signal follows nothing, and other links do', async () => {
  const [lasting, own] = [new AbortController(), new AbortController()]
  const ended: AbortSignal[] = []
  await withLinkedSignal(lasting.signal, own.signal, async (signal) => void ended.push(signal))
  const failed = withLinkedSignal(lasting.signal, own.signal, async (signal) => {
    ended.push(signal)
    throw new Error('failed')
  })
  await expect(failed).rejects.toThrow('failed')
  const open = await withLinkedSignal(lasting.signal, new AbortController().signal, async (signal) => {
    own.abort()
    lasting.abort()
    return signal
  })
  expect([...ended, open].map(({ aborted }) => aborted)).toEqual([false, false, true])
})
