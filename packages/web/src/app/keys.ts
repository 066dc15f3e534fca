import { useEffect, useRef } from 'react'
import { keyOf } from '#src/ui/key-of.ts'

/** Handlers by key; a key with `Mod+` works in fields as well, but not behind a dialog. */
export type Keys = Readonly<Record<string, () => void>>

/** Calls a handler when its key is pressed outside of fields. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const mod = event.metaKey || event.ctrlKey
      const handler = latest.current[`${mod ? 'Mod+' : ''}${keyOf(event)}`]
      if (handler === undefined || event.altKey || event.defaultPrevented || isElsewhere(event.target, mod)) return
      event.preventDefault()
      handler()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Whether a press belongs to something else than the page: to a dialog, or to a field. */
function isElsewhere(target: EventTarget | null, mod: boolean): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return !mod && target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
