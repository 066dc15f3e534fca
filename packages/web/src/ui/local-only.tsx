import { m } from '#src/messages/messages.ts'

/** Says beside an address of this installation that no other computer can open it, and what changes that. */
export function LocalOnly({ url }: { readonly url: string }) {
  if (!isLoopback(url)) return null
  const [before, after] = m.startForms.localOnly
  return (
    <p className="t13 c-wait" role="note">
      {before} <code>MILLRACE_PUBLIC_URL</code> {after}
    </p>
  )
}

function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
