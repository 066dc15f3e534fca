import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Qr } from '#src/ui/qr.tsx'

interface AuthenticatorFormProps {
  /** The key in Base32, for people who type it. */
  readonly secret: string
  /** The key as `otpauth:`, for the QR code. */
  readonly uri: string
  readonly send: (code: string) => Promise<unknown>
  readonly label: string
  readonly large?: boolean
}

/** Shows the key of a new authenticator, and asks for the first code that it makes. */
export function AuthenticatorForm({ secret, uri, send, label, large = false }: AuthenticatorFormProps) {
  return (
    <DataForm
      large={large}
      initial={{ code: '' }}
      before={
        <>
          <p>{m.security.scan}</p>
          <Qr text={uri} />
          <p className="t13 i2">
            {m.security.orType} <bdi className="mono">{secret}</bdi>
          </p>
        </>
      }
      fields={[{ name: 'code', label: m.security.code, required: true, autoComplete: 'one-time-code', hint: m.security.codeHint }]}
      send={({ code }) => send(code.trim())}
      label={label}
    />
  )
}
