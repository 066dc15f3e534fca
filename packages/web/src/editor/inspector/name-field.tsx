import { useEffect, useRef, useState } from 'react'
import { m } from '#src/messages/messages.ts'

interface NameFieldProps {
  readonly name: string
  /** Resolves to false for a name that is refused. */
  readonly onRename: (name: string) => Promise<boolean>
}

/** The name of a step; what refers to it follows a change. What was typed counts when the field is left in any way, but for Escape. */
export function NameField({ name, onRename }: NameFieldProps) {
  const [typed, setTyped] = useState(name)
  const latest = useRef({ typed, name, onRename })
  latest.current = { ...latest.current, name, onRename }
  const type = (text: string) => {
    latest.current.typed = text
    setTyped(text)
  }
  const done = () => {
    const now = latest.current
    const next = now.typed.trim()
    if (next === '' || next === now.name) return type(now.name)
    now.typed = now.name
    // A refused name is not that of the step.
    void now.onRename(next).then((renamed) => renamed || setTyped(now.name))
  }
  // A name that is changed elsewhere, such as by an undo, replaces what was typed before, and not what is being typed.
  const known = useRef(name)
  useEffect(() => {
    if (latest.current.typed === known.current) type(name)
    known.current = name
  }, [name])
  const leave = useRef(done)
  leave.current = done
  const isTyped = typed.trim() !== '' && typed.trim() !== name
  useEffect(() => {
    if (!isTyped) return undefined
    const onHide = () => leave.current()
    // The browser asks before it closes a page whose last change was not made.
    const onUnload = (event: BeforeUnloadEvent) => {
      if (latest.current.typed !== latest.current.name) event.preventDefault()
      leave.current()
    }
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isTyped])
  // Without the focus the field ends without an event.
  useEffect(() => () => leave.current(), [])
  return (
    <input
      className="input code name-field"
      aria-label={m.flowEditor.name}
      dir="auto"
      value={typed}
      onChange={(event) => type(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.currentTarget.blur()
        // The shortcuts of the page, such as that for saving, count what was typed.
        else if (event.ctrlKey || event.metaKey) {
          if (event.key === 's' || event.key === 'Enter') done()
        } else if (event.key === 'Escape') type(name)
      }}
    />
  )
}
