import { type groups, personalDataKinds, type Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'

type Preferences = Reply<(typeof groups)['account']['consents']>['preferences']

const places = ['models', 'connectors', 'webhooks', 'mail'] as const
const choices = ['allow', 'redact', 'refuse'] as const

interface PreferencesFormProps {
  readonly preferences: Preferences
  readonly done: () => Promise<unknown>
}

/** Decides what happens to personal data on its way out of the installation. */
export function PreferencesForm({ preferences: { revision, ...initial }, done }: PreferencesFormProps) {
  const d = m.data
  return (
    <DataForm
      initial={{ ...initial, decisionLogDays: String(initial.decisionLogDays) }}
      fields={[
        ...places.map(
          (place) =>
            ({
              name: place,
              label: d.where[place],
              kind: 'select',
              options: choices.map((one) => [one, d.choices[one]] as const),
            }) as const,
        ),
        {
          name: 'refusedKinds',
          label: d.refusedKinds,
          kind: 'checks',
          options: personalDataKinds.map((kind) => [kind, m.privacy.kindOf(kind)] as const),
        },
        { name: 'decisionLogDays', label: d.logDays, kind: 'number', required: true },
      ]}
      send={async ({ refusedKinds, decisionLogDays, ...rest }) => {
        const body = { ...rest, refusedKinds: [...refusedKinds], decisionLogDays: Number(decisionLogDays) }
        await api.account.putPrivacyPreferences({ body }, { ifMatch: revision })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
