import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/crash', import.meta.url))

/** The environment of a process that will be killed. It reuses the compiled code of earlier processes, which halves its start-up time. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: cache }
}

/** Writes the compile cache now. Node would write it at the end of the process, which a killed process never reaches. */
export function keepCompiled(): void {
  flushCompileCache()
}
