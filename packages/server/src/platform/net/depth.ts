import { AsyncLocalStorage } from 'node:async_hooks'
import { Fault } from '@millrace/contract'

/** How many executions in a row may each have caused the next, by events or requests. */
export const causesMax = 50

/** The depth of what the request causes. Requests of executions have it, to whatever host, so that a loop is also seen through a second host. */
const name = 'millrace-depth'

const caused = new AsyncLocalStorage<number>()

/** The header of a request of an execution, or of the delivery of an event, that is itself caused by `depth` executions. */
export function depthHeaders(depth = 0): { readonly [name]: string } {
  return { [name]: String(depth + 1) }
}

/**
 * The depth that a request has; undefined for one of no execution, such as every request of a person. A number of any length is read, so that
 * no notation of a large one counts as none.
 */
export function depthOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number | undefined {
  const text = headers[name]
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Handles a request. What it starts has its depth. */
export function withDepth<T>(depth: number | undefined, handle: () => T): T {
  return depth === undefined ? handle() : caused.run(depth, handle)
}

/** The depth of what the current request causes. */
export function causedDepth(): number {
  return caused.getStore() ?? 0
}

type Headers = Parameters<typeof depthOf>[0]

export function isTooDeep(headers: Headers): boolean {
  return (depthOf(headers) ?? 0) > causesMax
}

/** Fault `loop_detected` for a request that too many executions in a row have caused. */
export function assertDepth(headers: Headers): void {
  if (isTooDeep(headers)) throw loopDetected()
}

export function loopDetected(): Fault {
  return new Fault('loop_detected')
}
