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

/** The sheets and questions of a page. */
export function useSheet(): Sheets {
  const [shown, setShown] = useState<{ readonly title: string; readonly content: ReactNode; readonly kind: 'sheet' | 'dialog' }>()
  const close = () => setShown(undefined)
  return {
    open: (title, content) => setShown({ title, content: content(close), kind: 'sheet' }),
    confirm: (title, text, act, more) =>
      setShown({
        title,
        kind: 'dialog',
        content: (
          <>
            <p className="i2">{text}</p>
            {more}
            <DataForm danger initial={{}} fields={[]} label={title} send={() => act().then(close)} />
          </>
        ),
      }),
    sheet:
      shown === undefined ? null : (
        <Dialog title={shown.title} kind={shown.kind} onClose={close}>
          {shown.content}
        </Dialog>
      ),
  }
}
