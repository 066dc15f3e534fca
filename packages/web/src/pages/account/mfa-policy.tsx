import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'

interface MfaPolicyProps {
  readonly required: boolean
  readonly changed: () => Promise<unknown>
}

/** Whether everyone in the account needs a second factor. */
export function MfaPolicy({ required, changed }: MfaPolicyProps) {
  const a = m.account
  const { confirm, sheet } = useSheet()
  const change = () =>
    confirm(required ? a.mfaDrop : a.mfaDemand, required ? a.mfaDropText : a.mfaDemandText, () =>
      api.auth.mfaPolicy({ body: { required: !required } }).then(changed),
    )
  return (
    <section className="section">
      <div className="row">
        <h2>{a.mfa}</h2>
        <Badge tone={required ? 'ok' : 'off'}>{required ? m.security.on : m.security.off}</Badge>
      </div>
      <p className="i2">{a.mfaText}</p>
      <Button onClick={change}>{required ? a.mfaDrop : a.mfaDemand}</Button>
      {sheet}
    </section>
  )
}
