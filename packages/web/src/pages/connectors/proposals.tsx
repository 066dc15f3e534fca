import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ProposeConnector } from '#src/pages/connectors/propose-connector.tsx'
import { InboxPage } from '#src/patterns/inbox-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { useMay } from '#src/session/use-may.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Time } from '#src/ui/time.tsx'

type Submission = Reply<(typeof groups)['connectorSubmissions']['list']>['data'][number]
const states = ['pending', 'approved', 'rejected', 'withdrawn'] as const
const tones: Readonly<Record<Submission['state'], Tone>> = { pending: 'wait', approved: 'ok', rejected: 'bad', withdrawn: 'off' }

/** Proposed connectors: those of the account, and for operators those of every account. */
export function Page() {
  const k = m.connectors
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const mayPropose = useMay('connectors:write')
  const changed = () => queries.invalidateQueries({ queryKey: ['connector-proposals'] })
  return (
    <>
      <InboxPage
        title={k.proposals}
        lede={k.proposalsLede}
        name="connector-proposals"
        load={(query) => api.connectorSubmissions.list({ query: { limit: 100, ...query } })}
        id={({ id }) => id}
        filters={[{ name: 'state', label: m.runs.state, options: states.map((state) => [state, k.states[state]]) }]}
        actions={() => (
          <>
            <ButtonLink to="/connectors" look="quiet">
              {k.title}
            </ButtonLink>
            {mayPropose && (
              <Button
                look="primary"
                icon="plus"
                onClick={() => open(k.propose, (close) => <ProposeConnector done={() => changed().then(close)} />)}
              >
                {k.propose}
              </Button>
            )}
          </>
        )}
        row={({ title, version, state, createdAt }) => (
          <span className="grow">
            <span className="row">
              <b className="b trunc">{title}</b>
              <span className="sp" />
              <Badge tone={tones[state]}>{k.states[state]}</Badge>
            </span>
            <span className="t12 i3">
              {version} · <Time at={createdAt} kind="ago" />
            </span>
          </span>
        )}
        detail={(submission) => <Case key={submission.id} submission={submission} changed={changed} />}
        empty={{ title: k.noProposals, text: k.noProposalsText }}
      />
      {sheet}
    </>
  )
}

function Case({ submission, changed }: { readonly submission: Submission; readonly changed: () => Promise<unknown> }) {
  const k = m.connectors
  const mayPropose = useMay('connectors:write')
  const isOperator = useSession(({ me }) => me?.isOperator ?? false)
  const { id, title, summary, hosts, operations, checks, state, reason, licence, own, revision } = submission
  const decide = (next: 'approved' | 'rejected' | 'withdrawn', why: string) =>
    api.connectorSubmissions
      .decide({ params: { id }, body: { state: next, ...(why.trim() === '' ? {} : { reason: why }) } }, { ifMatch: revision })
      .then(changed)
  return (
    <article className="panel acard">
      <h2 className="t16 bb">{title}</h2>
      <p className="i2">{summary}</p>
      <p className="t13">
        <bdi className="mono">{hosts.join(', ')}</bdi> <span className="i3">{licence}</span>
      </p>
      {reason !== null && <p className="t13 c-bad">{reason}</p>}
      <ul className="needs-list">
        {operations.map((operation) => (
          <li key={`${operation.method}.${operation.path}.${operation.name}`}>
            <bdi className="mono">{`${operation.method.toUpperCase()} ${operation.path}`}</bdi>{' '}
            <span className="i2">{operation.summary}</span>
          </li>
        ))}
      </ul>
      {checks.length > 0 && (
        <>
          <h3 className="t13 b">{k.checks}</h3>
          <ul className="needs-list">
            {checks.map((check) => (
              <li key={`${check.pointer}.${check.detail}`}>
                <Badge tone={check.severity === 'warning' ? 'wait' : 'line'}>{check.name}</Badge> {check.detail}
              </li>
            ))}
          </ul>
        </>
      )}
      {state === 'pending' && own && mayPropose && (
        <DataForm initial={{}} fields={[]} send={() => decide('withdrawn', '')} label={k.withdraw} danger />
      )}
      {state === 'pending' && isOperator && (
        <DataForm
          initial={{ decision: 'approved', reason: '' }}
          fields={[
            {
              name: 'decision',
              label: k.decision,
              kind: 'select',
              options: [
                ['approved', k.approve],
                ['rejected', k.reject],
              ],
            },
            { name: 'reason', label: k.reason },
          ]}
          send={({ decision, reason: why }) => decide(decision === 'approved' ? 'approved' : 'rejected', why)}
          label={k.decide}
        />
      )}
    </article>
  )
}
