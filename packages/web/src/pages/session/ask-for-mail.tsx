import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { Outside } from '#src/pages/session/outside.tsx'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'
import { OutboxLink } from '#src/ui/outbox-link.tsx'

/** Asks for a mail with a link, and says where the mail is: on its way, or in the outbox of development. */
export function AskForMail({
  title,
  lede,
  label,
  ask,
  note,
}: {
  readonly title: string
  readonly lede: string
  readonly label: string
  readonly ask: (email: string) => Promise<unknown>
  /** What to know about the link, once the mail was asked for. */
  readonly note?: string
}) {
  const keepsMails = useSignInMethods()?.keepsMails === true
  const [askedFor, setAskedFor] = useState<string>()
  const where = keepsMails ? m.links.kept : m.links.sent
  return (
    <Outside title={title} lede={askedFor === undefined ? lede : where(askedFor)}>
      {askedFor === undefined && (
        <DataForm
          large
          initial={{ email: '' }}
          fields={[{ name: 'email', label: m.session.email, kind: 'email', required: true, autoFocus: true, autoComplete: 'username' }]}
          send={async ({ email }) => {
            await ask(email)
            setAskedFor(email)
          }}
          label={label}
        />
      )}
      {askedFor !== undefined && note !== undefined && <p className="t13 i2">{note}</p>}
      {askedFor !== undefined && keepsMails && (
        <p>
          <OutboxLink className="btn lg primary" />
        </p>
      )}
      <p className="t13 i2">
        <FirstLink to="/sign-in">{m.links.backToSignIn}</FirstLink>
      </p>
    </Outside>
  )
}
