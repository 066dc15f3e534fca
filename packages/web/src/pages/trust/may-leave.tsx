import { type groups, personalDataKinds, type Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'

type Decision = Reply<(typeof groups)['privacy']['egress']>
type Destination = 'model' | 'connector' | 'webhook' | 'mail'

const destinations: readonly Destination[] = ['model', 'connector', 'webhook', 'mail']
const tones = { allow: 'ok', redact: 'wait', refuse: 'bad' } as const

/** Asks whether personal data may leave for a destination, as workflows are asked. */
export function MayLeave() {
  const l = m.leaving
  const [decision, setDecision] = useState<Decision>()
  const first: { readonly kind: Destination; readonly host: string; readonly region: string; readonly categories: readonly string[] } = {
    kind: 'connector',
    host: '',
    region: '',
    categories: [],
  }
  return (
    <div className="bench">
      <section className="panel acard">
        <DataForm
          initial={first}
          fields={[
            { name: 'kind', label: l.destination, kind: 'select', options: destinations.map((one) => [one, l.destinations[one]] as const) },
            { name: 'host', label: l.host, required: true, placeholder: 'api.example.com' },
            { name: 'region', label: l.region, placeholder: 'DE', hint: l.regionHint },
            {
              name: 'categories',
              label: m.privacy.kinds,
              kind: 'checks',
              options: personalDataKinds.map((kind) => [kind, m.privacy.kindOf(kind)] as const),
            },
          ]}
          send={async ({ kind, host, region, categories }) => {
            const destination = { kind, host, ...(region === '' ? {} : { region }) }
            const chosen = personalDataKinds.filter((one) => categories.includes(one))
            setDecision(await api.privacy.egress({ body: { destination, categories: chosen } }))
          }}
          label={l.ask}
        />
      </section>
      <section className="panel acard" aria-live="polite">
        {decision === undefined ? (
          <p className="i2">{l.notAsked}</p>
        ) : (
          <>
            <p>
              <Badge tone={tones[decision.action]}>{l.decisions[decision.action]}</Badge>
            </p>
            <p>{decision.reason}</p>
          </>
        )}
      </section>
    </div>
  )
}
