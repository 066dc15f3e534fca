import { useEffect, useId, useRef, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'

interface NameFieldProps {
  readonly name: string
  /** Resolves to the reason why a name is refused. */
  readonly onRename: (name: string) => Promise<string | undefined>
}

/** The name of a step; what refers to it follows a change. What was typed counts when the field is left in any way, but for Escape. */
export function NameField({ name, onRename }: NameFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState(name)
  const [refusal, setRefusal] = useState<{ readonly name: string; readonly reason: string }>()
  const latest = useRef({ typed, name, onRename, refused: '', isShown: true })
  latest.current = { ...latest.current, name, onRename }
  const type = (text: string) => {
    latest.current.typed = text
    setTyped(text)
  }
  const done = () => {
    const now = latest.current
    const next = now.typed.trim()
    if (next === '' || next === now.name) return type(now.name)
    // It stays to be corrected, and is not asked for again.
    if (next === now.refused) return
    now.typed = now.name
    void now.onRename(next).then((reason) => {
      if (reason === undefined) return
      if (!now.isShown) return toast(reason, 'faulted')
      // Something else may have been typed meanwhile.
      if (now.typed === now.name) now.typed = next
      now.refused = next
      setRefusal({ name: next, reason })
    })
  }
  // A name that is changed elsewhere, such as by an undo, replaces what was typed before, and not what is being typed.
  const known = useRef(name)
  useEffect(() => {
    if (latest.current.typed === known.current) type(name)
    known.current = name
  }, [name])
  const leave = useRef(done)
  leave.current = done
  const reason = refusal?.name === typed.trim() && typed.trim() !== name ? refusal.reason : undefined
  const isTyped = typed.trim() !== '' && typed.trim() !== name && reason === undefined
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
  useEffect(() => {
    const now = latest.current
    now.isShown = true
    return () => {
      now.isShown = false
      leave.current()
    }
  }, [])
  return (
    <span className="name-of-step">
      <input
        className={reason === undefined ? 'input code name-field' : 'input code name-field bad'}
        aria-invalid={reason === undefined ? undefined : true}
        aria-describedby={reason === undefined ? undefined : `${id}-reason`}
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
      {reason !== undefined && (
        <p className="t12 c-bad" role="alert" id={`${id}-reason`}>
          {reason}
        </p>
      )}
    </span>
  )
}
