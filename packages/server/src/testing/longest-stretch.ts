import { setImmediate } from 'node:timers/promises'

/**
 * The longest processor time of this thread between two turns of the event loop, in milliseconds: until its end, a server in this thread cannot respond.
 * Unlike the time by the clock it does not depend on the load of the machine.
 */
export async function longestStretchMs(act: () => Promise<unknown>): Promise<number> {
  let [isRunning, longest] = [true, 0]
  const done = act().finally(() => {
    isRunning = false
  })
  while (isRunning) {
    const before = process.threadCpuUsage()
    await setImmediate()
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
  }
  await done
  return longest
}
