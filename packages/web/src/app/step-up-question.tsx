import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { PasskeyButton } from '#src/session/passkey-button.tsx'
import { passkeyAssertion } from '#src/session/rare-entrances.ts'
import { replaceTokens } from '#src/session/session.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** Asks for the password, or for a code of the authenticator. */
export function StepUpQuestion({ answer }: { readonly answer: (proved: boolean) => void }) {
  const status = useQuery({ queryKey: ['mfa'], queryFn: () => api.auth.mfaStatus() })
  const byCode = status.data?.totp !== null
  const s = m.security
  return (
    <Dialog title={s.stepUp} onClose={() => answer(false)}>
      <p className="i2">{s.stepUpText}</p>
      {status.isPending ? (
        <Skeleton rows={1} />
      ) : (
        <>
          {(status.data?.passkeys ?? 0) > 0 && (
            <PasskeyButton
              use={async () => {
                const passkey = await passkeyAssertion()
                await replaceTokens(() => api.auth.stepUp({ body: { passkey, session: 'cookie' } }))
                answer(true)
              }}
            />
          )}
          <DataForm
            initial={{ password: '', code: '' }}
            fields={[
              byCode
                ? { name: 'code', label: s.code, required: true, autoFocus: true, autoComplete: 'one-time-code' }
                : {
                    name: 'password',
                    label: m.session.password,
                    kind: 'password',
                    required: true,
                    autoFocus: true,
                    autoComplete: 'current-password',
                  },
            ]}
            send={async ({ password, code }) => {
              const proof = byCode ? { code } : { password }
              await replaceTokens(() => api.auth.stepUp({ body: { ...proof, session: 'cookie' } }))
              answer(true)
            }}
            label={m.session.continue}
          />
        </>
      )}
    </Dialog>
  )
}
