import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { Outside } from '#src/pages/session/outside.tsx'
import { askForReset } from '#src/session/session.ts'

/** Asks for a mail with a link that sets a new password. */
export function Page() {
  const [sentTo, setSentTo] = useState<string>()
  return (
    <Outside title={m.links.forgotTitle} lede={sentTo === undefined ? m.links.forgotLede : m.links.sent(sentTo)}>
      {sentTo === undefined && (
        <DataForm
          large
          initial={{ email: '' }}
          fields={[{ name: 'email', label: m.session.email, kind: 'email', required: true, autoFocus: true, autoComplete: 'username' }]}
          send={async ({ email }) => {
            await askForReset(email)
            setSentTo(email)
          }}
          label={m.links.sendReset}
        />
      )}
      <p className="t13 i2">
        <FirstLink to="/sign-in">{m.links.backToSignIn}</FirstLink>
      </p>
    </Outside>
  )
}
