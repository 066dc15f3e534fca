import { m } from '#src/messages/messages.ts'

/** Beside a flow of which no step is selected. */
export function NoStep() {
  return (
    <aside className="step">
      <p className="i2 t13 step-none">{m.flowEditor.nothing}</p>
      <p className="i3 t12 step-none">{m.flowEditor.keys}</p>
    </aside>
  )
}
