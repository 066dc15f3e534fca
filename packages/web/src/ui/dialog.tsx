import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '#src/ui/button.tsx'
import { m } from '#src/messages/messages.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** `sheet`: at the inline end, over the whole height. */
  readonly kind?: 'dialog' | 'sheet'
  /** A dialog that cannot be closed without a decision. */
  readonly modalOnly?: boolean
}

const firstField = 'input:not([type="hidden"], [disabled]), textarea:not([disabled]), select:not([disabled])'
const firstEmptyField = ':is(input, textarea, select):invalid'

/** A modal dialog of the browser: it keeps the focus, closes by Escape, and gives the focus back. */
export function Dialog({ title, onClose, children, kind = 'dialog', modalOnly = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the browser handles the next key, which belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog !== null && !dialog.open) {
      dialog.showModal()
      // The browser would focus the button that closes it, and ignores `autoFocus` of what was rendered before it opened.
      const field = dialog.querySelector<HTMLElement>(firstEmptyField) ?? dialog.querySelector<HTMLElement>(firstField)
      field?.focus()
    }
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={kind === 'sheet' ? 'dialog side' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!modalOnly) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && !modalOnly) onClose()
      }}
    >
      <div className="dialog-in">
        <header className="row">
          <h2 id={id} className="t20">
            {title}
          </h2>
          <span className="sp" />
          {!modalOnly && <IconButton icon="x" label={m.common.close} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}
