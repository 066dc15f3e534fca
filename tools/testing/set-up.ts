import nodeModule from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * Property tests draw the same values in every run, so that only a change can make one fail. `FC_SEED=…` draws others, to look for
 * unknown defects; a failure prints its seed.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_121) })

/**
 * Tests run with the priority of the threads of scripts and computations, which is lower than usual. Those would hardly get a processor beside several test files.
 * On Linux this concerns this thread and what it starts.
 */
if (process.platform === 'linux') setPriority(0, 10)

/** Threads and processes that tests start load compiled code from here: it halves the time of their start. */
const compileCache = join(tmpdir(), 'millrace-test-compile-cache')
nodeModule.enableCompileCache(compileCache)
process.env['NODE_COMPILE_CACHE'] = compileCache

/** A condition is waited for as long as with `expect.poll`: the second that Vitest waits by default is too short for a busy machine. */
if (vi.waitFor.name !== 'waitPatiently') {
  const { waitFor } = vi
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { timeout: 180_000, ...options })
  }
}
