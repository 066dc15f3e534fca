import { setImmediate } from 'node:timers/promises'
import { slowness } from '@millrace/jq/testing/processor-time.ts'

/**
 * The longest processor time of this thread between two turns of the event loop, in milliseconds: until its end, a server in this thread cannot respond.
 * Unlike the time by the clock it does not depend on the load of the machine; on a slower machine it is divided by how much slower that is.
 */
export async function longestStretchMs(act: () => Promise<unknown>): Promise<number> {
  const before = slowness()
  let [isRunning, longest] = [true, 0]
  const done = act().finally(() => {
    isRunning = false
  })
  while (isRunning) {
    const begun = process.threadCpuUsage()
    await setImmediate()
    const { user, system } = process.threadCpuUsage(begun)
    longest = Math.max(longest, (user + system) / 1_000)
  }
  await done
  return longest / Math.max(1, before, slowness())
}
