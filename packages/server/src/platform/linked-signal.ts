const linksOf = new WeakMap<AbortSignal, Set<AbortController>>()

/**
 * Works with a signal that aborts with that of one request and with one that lives as long as the process. `AbortSignal.any` would register
 * with the lasting signal until a garbage collection finds its result unused.
 */
export async function withLinkedSignal<T>(
  lasting: AbortSignal,
  signal: AbortSignal,
  work: (linked: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController()
  const abort = () => aborter.abort(signal.reason)
  if (lasting.aborted) aborter.abort(lasting.reason)
  else if (signal.aborted) abort()
  const links = linksTo(lasting)
  links.add(aborter)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work(aborter.signal)
  } finally {
    links.delete(aborter)
    signal.removeEventListener('abort', abort)
  }
}

/** The links to a lasting signal, which has one listener for all of them. */
function linksTo(lasting: AbortSignal): Set<AbortController> {
  const known = linksOf.get(lasting)
  if (known !== undefined) return known
  const links = new Set<AbortController>()
  linksOf.set(lasting, links)
  lasting.addEventListener('abort', () => {
    for (const aborter of links) aborter.abort(lasting.reason)
  })
  return links
}
