import nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'

/**
 * Property tests draw the same values in every run, so that only a change can make one fail. `FC_SEED=…` draws others, to look for
 * unknown defects; a failure prints its seed.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_121) })

/** Threads and processes that tests start load compiled code from here: it halves the time of their start. */
const compileCache = join(tmpdir(), 'millrace-test-compile-cache')
nodeModule.enableCompileCache(compileCache)
process.env['NODE_COMPILE_CACHE'] = compileCache
