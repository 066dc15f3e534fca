import { expect, test, vi } from 'vitest'
import { previewTimes } from './preview-times.ts'

const everySecond = (after: number) => after + 1_000

/** A clock that only the test moves on. */
function stoppedClock(): { moveOn(ms: number): void; restore(): void } {
  let clock = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  return {
    moveOn(ms) {
      clock += ms
    },
    restore: () => now.mockRestore(),
  }
}

test('the times of a schedule are those after an instant, as many as are asked for or fewer', async () => {
  expect(await previewTimes(everySecond, 0, 3)).toEqual([1_000, 2_000, 3_000])
  expect(await previewTimes((after) => (after < 1_500 ? everySecond(after) : undefined), 0, 3)).toEqual([1_000, 2_000])
})

test('other work is done between the times of a schedule', async () => {
  const done: number[] = []
  const preview = previewTimes(
    (after) => {
      done.push(after)
      return everySecond(after)
    },
    0,
    5,
  )
  await new Promise((resolve) => setImmediate(resolve))
  expect(done.length).toBeLessThan(5)
  await preview
  expect(done).toHaveLength(5)
})

test('a schedule that takes too long is refused, and the next one is computed', async () => {
  const clock = stoppedClock()
  try {
    const slow = (after: number) => {
      clock.moveOn(400)
      return everySecond(after)
    }
    const [refused, computed] = await Promise.allSettled([previewTimes(slow, 0, 100), previewTimes(everySecond, 0, 1)])
    expect(refused).toMatchObject({
      reason: { code: 'schedule_invalid', details: { errors: [{ pointer: '/schedule', detail: expect.stringContaining('3 due times') }] } },
    })
    expect(computed).toMatchObject({ value: [1_000] })
  } finally {
    clock.restore()
  }
})

test('no more schedules wait than a few', async () => {
  const previews = await Promise.allSettled(Array.from({ length: 21 }, () => previewTimes(everySecond, 0, 2)))
  expect(previews.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect(previews.at(-1)).toMatchObject({ reason: { code: 'overloaded' } })
})
