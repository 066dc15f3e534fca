import { type ReactNode, useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

interface Sheets {
  /** Shows a sheet; its content closes it by the function that it gets. */
  open(title: string, content: (close: () => void) => ReactNode): void
  /** Asks before something is lost. @param more what else is to be known. */
  confirm(title: string, text: string, act: () => Promise<unknown>, more?: ReactNode): void
  /** To be placed in the page. */
  readonly sheet: ReactNode
}

interface Shown {
  readonly title: string
  readonly content: ReactNode
  readonly kind: 'sheet' | 'dialog'
}

/** The sheets and questions of a page. */
export function useSheet(): Sheets {
  const [shown, setShown] = useState<Shown>()
  const show = (title: string, kind: Shown['kind'], content: (close: () => void) => ReactNode) => {
    // A sheet whose answer is late does not close another one that was opened meanwhile.
    const one: Shown = { title, kind, content: content(() => setShown((now) => (now === one ? undefined : now))) }
    setShown(one)
  }
  return {
    open: (title, content) => show(title, 'sheet', content),
    confirm: (title, text, act, more) =>
      show(title, 'dialog', (close) => (
        <>
          <p className="i2">{text}</p>
          {more}
          <DataForm danger initial={{}} fields={[]} label={title} send={() => act().then(close)} />
        </>
      )),
    sheet:
      shown === undefined ? null : (
        <Dialog title={shown.title} kind={shown.kind} onClose={() => setShown(undefined)}>
          {shown.content}
        </Dialog>
      ),
  }
}
