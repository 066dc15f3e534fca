import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/crash', import.meta.url))

/** The environment of a process that will be killed: it finds its code compiled by one before it, which halves the time that it takes to begin. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: cache }
}

/** Keeps what this process has compiled for the next ones; else that is done at its end, and it will have none. */
export function keepCompiled(): void {
  flushCompileCache()
}
