import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, IconButton } from '#src/ui/button.tsx'
import { typedDialogs } from '#src/ui/typed-dialogs.ts'
import { useTouchedFields } from '#src/ui/use-touched-fields.ts'
import { m } from '#src/messages/messages.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** `sheet`: at the inline end, over the whole height. */
  readonly kind?: 'dialog' | 'sheet'
  /** A dialog that cannot be closed without a decision. */
  readonly modalOnly?: boolean
  /** A dialog that has taken over what is typed already: closing it loses nothing. */
  readonly keepsTyped?: boolean
}

const firstField = 'input:not([type="hidden"], [disabled]), textarea:not([disabled]), select:not([disabled])'
const firstEmptyField = ':is(input, textarea, select):invalid'

/** A modal dialog of the browser: it keeps the focus, closes by Escape, and gives the focus back. It asks before something typed is lost. */
export function Dialog({ title, onClose, children, kind = 'dialog', modalOnly = false, keepsTyped = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { watch, isTyped } = useTouchedFields()
  const [asking, setAsking] = useState(false)
  const leave = () => {
    if (modalOnly) return
    if (!keepsTyped && isTyped()) setAsking(true)
    else onClose()
  }
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
  useEffect(() => {
    if (modalOnly || keepsTyped) return
    typedDialogs.add(isTyped)
    return () => void typedDialogs.delete(isTyped)
  })
  // Out of any form around it: browsers handle what is sent by a form in a form themselves, and load another page.
  return createPortal(
    <dialog
      ref={ref}
      className={kind === 'sheet' ? 'dialog side' : 'dialog'}
      aria-labelledby={id}
      {...watch}
      // The browser closes a dialog by a second Escape whatever its event `cancel` is answered with, but not one that the page has taken.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
        event.preventDefault()
        leave()
      }}
      onCancel={(event) => {
        // A field for files fires it as well.
        if (event.target !== ref.current) return
        event.preventDefault()
        leave()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) leave()
      }}
    >
      <div className="dialog-in">
        <header className="row">
          <h2 id={id} className="t20">
            {title}
          </h2>
          <span className="sp" />
          {!modalOnly && <IconButton icon="x" label={m.common.close} onClick={leave} />}
        </header>
        {children}
      </div>
      {asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </dialog>,
    document.body,
  )
}

/** Asks whether what was typed may be lost. */
export function DiscardQuestion({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  return (
    <Dialog title={m.common.discardTyped} onClose={onKeep}>
      <div className="row">
        <Button onClick={onKeep}>{m.common.keepTyping}</Button>
        <Button look="danger" onClick={onDiscard}>
          {m.common.discardIt}
        </Button>
      </div>
    </Dialog>
  )
}
