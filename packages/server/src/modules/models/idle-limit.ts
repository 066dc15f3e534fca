/** No streamed answer may take longer, however steadily it arrives. */
const wholeMsMax = 15 * 60_000

/** Aborts with a TimeoutError when nothing arrives for a time, and at last when the whole takes too long. `heard` begins the time anew. */
export function createIdleLimit(idleMs: number) {
  const idle = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(new DOMException('nothing arrived', 'TimeoutError')), idleMs)
  }
  heard()
  return {
    signal: AbortSignal.any([idle.signal, AbortSignal.timeout(Math.max(wholeMsMax, idleMs))]),
    heard,
    end: () => clearTimeout(timer),
  }
}
