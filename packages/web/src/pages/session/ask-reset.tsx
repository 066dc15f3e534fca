import { m } from '#src/messages/messages.ts'
import { AskForMail } from '#src/pages/session/ask-for-mail.tsx'
import { askForReset } from '#src/session/rare-entrances.ts'

/** Asks for a mail with a link that sets a new password. */
export function Page() {
  const { forgotTitle, forgotLede, sendReset } = m.links
  return <AskForMail title={forgotTitle} lede={forgotLede} label={sendReset} ask={askForReset} />
}
