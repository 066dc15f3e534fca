import { create } from 'zustand'
import { StateIcon } from '#src/ui/icon.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly state: 'completed' | 'faulted' | 'running'
}

const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }))
const shownMs = 6000
let count = 0

/** Shows a sentence about something that happened, for a few seconds, and reads it to screen readers. */
export function toast(text: string, state: Toast['state'] = 'completed'): void {
  const id = ++count
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), { id, text, state }] }))
  setTimeout(() => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) })), shownMs)
}

export function Toasts() {
  const { toasts } = useToasts()
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, state }) => (
        <div key={id} className="toast">
          <StateIcon state={state} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  )
}
