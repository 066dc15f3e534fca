import { useState } from 'react'
import { m } from '#src/messages/messages.ts'

/** The name of a step; what refers to it follows a change. */
export function NameField({ name, onRename }: { readonly name: string; readonly onRename: (name: string) => void }) {
  const [typed, setTyped] = useState(name)
  const done = () => {
    const next = typed.trim()
    if (next === '' || next === name) setTyped(name)
    else onRename(next)
  }
  return (
    <input
      className="input code name-field"
      aria-label={m.flowEditor.name}
      dir="auto"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(name)
      }}
    />
  )
}
