import { m } from '#src/messages/messages.ts'

/** Where an installation without a mail server keeps its mails. A page of the server, in a tab of its own: the mail leads back here. */
export function OutboxLink({ className }: { readonly className?: string | undefined }) {
  return (
    <a href="/dev/outbox" target="_blank" rel="noreferrer" className={className}>
      {m.links.outbox}
    </a>
  )
}
