import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { copy } from '#src/ui/id.tsx'

/** A secret that the server shows once. */
export function SecretOnce({
  secret,
  text,
  note,
  onDone,
}: {
  readonly secret: string
  readonly text: string
  /** What else is to be known of it. */
  readonly note?: ReactNode
  readonly onDone: () => void
}) {
  return (
    <div className="form">
      <p>{text}</p>
      <pre className="secret" dir="ltr" tabIndex={0}>
        {secret}
      </pre>
      {note}
      <div className="row">
        <Button look="primary" icon="copy" onClick={() => copy(secret)}>
          {m.common.copy}
        </Button>
        <Button onClick={onDone}>{m.common.done}</Button>
      </div>
    </div>
  )
}
