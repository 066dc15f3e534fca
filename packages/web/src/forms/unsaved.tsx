import { useEffect } from 'react'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

/** The values of a form with those that were typed and not saved, in this tab. */
export function withUnsaved<V extends Values>(key: string, saved: V): V {
  try {
    const typed: unknown = JSON.parse(sessionStorage.getItem(keyOf(key)) ?? '{}')
    const known = Object.entries(Object(typed)).filter(([name, value]) => name in saved && typeof value === typeof saved[name])
    return { ...saved, ...Object.fromEntries(known) }
  } catch {
    return saved
  }
}

interface KeptProps<V extends Values> {
  /** What the values are kept under. */
  readonly name: string
  readonly saved: V
  readonly values: V
}

interface UnsavedProps<V extends Values> extends KeptProps<V> {
  readonly onDiscard: () => void
}

/** Keeps what differs from the saved values, also while other pages are looked at, in a form where a person expects it: nothing is shown. */
export function KeptTyping<V extends Values>(props: KeptProps<V>): undefined {
  useKept(props)
}

/** Keeps what differs from the saved values until it is saved, also while other pages are looked at, and says so. */
export function Unsaved<V extends Values>({ onDiscard, ...kept }: UnsavedProps<V>) {
  if (!useKept(kept)) return null
  return (
    <p className="row wrap t13 c-wait" role="status">
      {m.common.notSaved}
      <Button size="sm" look="quiet" onClick={onDiscard}>
        {m.common.discard}
      </Button>
    </p>
  )
}

/** @returns whether anything differs from the saved values. */
function useKept<V extends Values>({ name, saved, values }: KeptProps<V>): boolean {
  const changed = Object.entries(values).filter(([field, value]) => value !== saved[field])
  const text = changed.length === 0 ? undefined : JSON.stringify(Object.fromEntries(changed))
  useEffect(() => {
    try {
      if (text === undefined) forgetUnsaved(name)
      else sessionStorage.setItem(keyOf(name), text)
    } catch {
      // A browser that keeps nothing has the values while the form is open.
    }
  }, [name, text])
  return text !== undefined
}

/** Forgets what was typed, when it is saved or discarded. */
export function forgetUnsaved(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // Nothing is kept.
  }
}

const keyOf = (name: string) => `millrace.unsaved.${name}`
