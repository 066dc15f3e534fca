import { useEffect, useRef } from 'react'

/** Handlers by key; a key with `Mod+` works in fields as well. */
export type Keys = Readonly<Record<string, () => void>>

/** Calls a handler when its key is pressed outside of fields. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const mod = event.metaKey || event.ctrlKey
      const handler = latest.current[`${mod ? 'Mod+' : ''}${event.key}`]
      if (handler === undefined || event.altKey || event.defaultPrevented || (!mod && takesText(event.target))) return
      event.preventDefault()
      handler()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('dialog') !== null
}
