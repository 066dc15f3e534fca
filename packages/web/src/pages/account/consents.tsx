import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ConsentForm } from '#src/pages/account/consent-form.tsx'
import { PreferencesForm } from '#src/pages/account/preferences-form.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { JsonView } from '#src/values/json-view.tsx'

type Given = Reply<(typeof groups)['account']['consents']>

/** Transfers outside of the region, what happens to personal data on its way out, and the receipts of both. */
export function Consents({ isAdmin }: { readonly isAdmin: boolean }) {
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['consents'], queryFn: () => api.account.consents() })
  const changed = () => queries.invalidateQueries({ queryKey: ['consents'] })
  return (
    <Loaded query={query}>
      {(given) => (
        <div className="cards3">
          <Transfers given={given} isAdmin={isAdmin} changed={changed} />
          <Preferences given={given} isAdmin={isAdmin} changed={changed} />
          <History given={given} />
        </div>
      )}
    </Loaded>
  )
}

interface PartProps {
  readonly given: Given
  readonly isAdmin: boolean
  readonly changed: () => Promise<unknown>
}

function Transfers({ given: { crossBorder }, isAdmin, changed }: PartProps) {
  const d = m.data
  const { open, confirm, sheet } = useSheet()
  return (
    <section className="panel acard">
      <div className="row">
        <h2 className="t14 bb grow">{d.transfers}</h2>
        <Badge tone={crossBorder.isGiven ? 'ok' : 'off'}>{crossBorder.isGiven ? d.given : d.notGiven}</Badge>
      </div>
      <p className="t13 i2">{d.transfersText}</p>
      {isAdmin && (
        <div className="row wrap">
          <Button onClick={() => open(d.give, (close) => <ConsentForm done={() => changed().then(close)} />)}>{d.give}</Button>
          {crossBorder.isGiven && (
            <Button
              look="danger"
              onClick={() => confirm(d.withdraw, d.withdrawText, () => api.account.withdrawCrossBorder().then(changed))}
            >
              {d.withdraw}
            </Button>
          )}
        </div>
      )}
      {sheet}
    </section>
  )
}

function Preferences({ given: { preferences }, isAdmin, changed }: PartProps) {
  const d = m.data
  const { open, sheet } = useSheet()
  const rows = (['models', 'connectors', 'webhooks', 'mail'] as const).map(
    (where) => [d.where[where], d.choices[preferences[where]]] as const,
  )
  return (
    <section className="panel acard">
      <h2 className="t14 bb">{d.leaving}</h2>
      <dl className="facts">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isAdmin && (
        <div className="row">
          <Button
            onClick={() => open(d.leaving, (close) => <PreferencesForm preferences={preferences} done={() => changed().then(close)} />)}
          >
            {m.common.edit}
          </Button>
        </div>
      )}
      {sheet}
    </section>
  )
}

function History({ given: { history } }: { readonly given: Given }) {
  const d = m.data
  const { open, sheet } = useSheet()
  return (
    <section className="panel acard">
      <h2 className="t14 bb">{d.receipts}</h2>
      {history.length === 0 && <p className="t13 i2">{d.noReceipts}</p>}
      <ul className="mini-l">
        {history.slice(0, 8).map(({ id, kind, state, receipt }) => (
          <li key={id}>
            <span className="trunc">
              <button type="button" className="link" onClick={() => open(d.receipt, () => <JsonView value={receipt} />)}>
                {d.consentKinds[kind]}
              </button>
            </span>
            <Badge tone={state === 'given' ? 'ok' : 'off'}>{d.consentStates[state]}</Badge>
            {receipt.events[0] !== undefined && (
              <span className="t12 i3">
                <Time at={receipt.events[0].at} kind="ago" />
              </span>
            )}
          </li>
        ))}
      </ul>
      {sheet}
    </section>
  )
}
