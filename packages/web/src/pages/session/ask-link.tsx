import { m } from '#src/messages/messages.ts'
import { AskForMail } from '#src/pages/session/ask-for-mail.tsx'
import { askForLink } from '#src/session/rare-entrances.ts'

/** Asks for a mail with a link that signs in. */
export function Page() {
  const { linkTitle, linkLede, sendLink, sameBrowser } = m.links
  return <AskForMail title={linkTitle} lede={linkLede} label={sendLink} ask={askForLink} note={sameBrowser} />
}
