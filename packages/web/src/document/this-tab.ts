const key = 'millrace.tab'
/** A page that reloads releases the name within this time. */
const releaseMs = 500

let name: Promise<string> | undefined

/** The name of this tab: it stays the same over reloads, and a copy of the tab gets another one. */
export function thisTab(): Promise<string> {
  return (name ??= nameTab())
}

async function nameTab(): Promise<string> {
  const before = sessionStorage.getItem(key) ?? ''
  if (before !== '' && (await isOurs(before))) return before
  const made = crypto.randomUUID()
  sessionStorage.setItem(key, made)
  await isOurs(made)
  return made
}

/** Takes the lock of a name for as long as the page lives. */
function isOurs(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const locked = () => {
      resolve(true)
      return new Promise<never>(() => undefined)
    }
    navigator.locks.request(`millrace.tab.${id}`, { signal: AbortSignal.timeout(releaseMs) }, locked).catch(() => resolve(false))
  })
}
