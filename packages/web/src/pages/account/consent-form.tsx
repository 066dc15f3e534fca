import { personalDataKinds, type PersonalDataKind } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { timeOfLocal } from '#src/values/local-time.ts'

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Consents to transfers of personal data outside of the region of the installation. */
export function ConsentForm({ done }: { readonly done: () => Promise<unknown> }) {
  const d = m.data
  const none: readonly PersonalDataKind[] = []
  return (
    <DataForm
      initial={{ purposes: '', categories: none, recipients: '', regions: '', expiresAt: '' }}
      fields={[
        { name: 'purposes', label: d.purposes, kind: 'textarea', rows: 3, required: true, hint: d.onePerLine },
        {
          name: 'categories',
          label: m.privacy.kinds,
          kind: 'checks',
          hint: m.privacy.kindsHint,
          options: personalDataKinds.map((kind) => [kind, m.privacy.kindOf(kind)] as const),
        },
        { name: 'recipients', label: d.recipients, kind: 'textarea', rows: 2, hint: d.recipientsHint },
        { name: 'regions', label: d.regions, placeholder: 'US, EU', hint: d.regionsHint },
        { name: 'expiresAt', label: d.expires, kind: 'date', hint: d.expiresHint },
      ]}
      send={async ({ purposes, categories, recipients, regions, expiresAt }) => {
        const body = {
          purposes: lines(purposes),
          categories: [...categories],
          recipients: lines(recipients),
          regions: regions.split(/[\s,]+/).filter((region) => region !== ''),
          ...(expiresAt === '' ? {} : { expiresAt: timeOfLocal(expiresAt) }),
        }
        await api.account.giveCrossBorder({ body })
        await done()
      }}
      label={d.give}
    />
  )
}
