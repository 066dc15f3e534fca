import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ExportFile } from '#src/pages/account/export-file.tsx'
import { type Me, signInMethods } from '#src/session/session.ts'
import { signOut } from '#src/session/sign-out.ts'
import { proveIdentity } from '#src/session/step-up.ts'

/** Deletes the own user: what that means, an export of the data for an owner, and the button. */
export function RemoveMe({ me }: { readonly me: Me }) {
  const p = m.profile
  const methods = useQuery({ queryKey: ['session.methods'], queryFn: signInMethods, staleTime: Number.POSITIVE_INFINITY })
  return (
    <>
      <p className="i2">{p.removeText}</p>
      {methods.data !== undefined && <p className="i2">{p.removeGrace(methods.data.deletionGraceDays)}</p>}
      {me.role === 'owner' && (
        <section className="section">
          <h3>{p.removeExport}</h3>
          <ExportFile />
        </section>
      )}
      <DataForm danger initial={{}} fields={[]} label={p.remove} send={removeMe} />
    </>
  )
}

/** A proof of identity first: a page that stands open is not the person. */
async function removeMe(): Promise<void> {
  if (!(await proveIdentity())) return
  const { restorableUntil } = await api.auth.deleteMe()
  await signOut(restorableUntil === null ? '/sign-in' : '/mail/restore')
}
