import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import type { Policy } from '#src/pages/trust/policy.ts'
import { PolicyForm } from '#src/pages/trust/policy-form.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'

const tones = { detect: 'line', redact: 'race', block: 'bad' } as const

interface PoliciesProps {
  /** Only those that apply to this workflow. */
  readonly workflow?: string
}

/** What happens to personal data in executions. */
export function Policies({ workflow }: PoliciesProps) {
  const p = m.privacy
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const policies = useQuery({ queryKey: ['privacy.policies'], queryFn: () => api.privacy.policies({ query: { limit: 100 } }) })
  const changed = (close: () => void) => () => queries.invalidateQueries({ queryKey: ['privacy.policies'] }).then(close)
  const edit = (policy?: Policy) => open(p.setPolicy, (close) => <PolicyForm policy={policy} workflow={workflow} done={changed(close)} />)
  const mayChange = useMay('privacy:write')
  const create = mayChange && (
    <Button look="primary" icon="plus" onClick={() => edit()}>
      {p.setPolicy}
    </Button>
  )
  return (
    <Loaded query={policies}>
      {({ data: all }) => {
        const data = workflow === undefined ? all : applying(all, workflow)
        return data.length === 0 ? (
          <>
            <Empty title={p.noPolicies} text={p.noPoliciesText} action={create} />
            {sheet}
          </>
        ) : (
          <>
            {mayChange && <div className="row band-head">{create}</div>}
            <Rows
              rows={data}
              spec={{
                title: p.policies,
                id: ({ id }) => id,
                columns: [
                  {
                    head: p.appliesTo,
                    phone: 'main',
                    cell: (policy) =>
                      mayChange ? (
                        <button type="button" className="link b" onClick={() => edit(policy)}>
                          <AppliesTo policy={policy} />
                        </button>
                      ) : (
                        <b className="b">
                          <AppliesTo policy={policy} />
                        </b>
                      ),
                  },
                  { head: p.point, phone: 'below', cell: ({ point }) => p.points[point] },
                  { head: p.action, phone: 'side', cell: ({ action }) => <Badge tone={tones[action]}>{p.actions[action]}</Badge> },
                  {
                    head: p.kinds,
                    cell: ({ kinds }) => <span className="i2">{kinds.length === 0 ? p.allKinds : kinds.map(p.kindOf).join(', ')}</span>,
                  },
                  { head: p.purpose, cell: ({ purpose }) => <span className="i2">{purpose}</span> },
                  { head: p.legalBasis, cell: ({ legalBasis }) => <span className="i2">{p.bases[legalBasis]}</span> },
                  { head: p.retention, cell: ({ retention }) => <span className="num i2">{retention ?? '–'}</span> },
                  { head: p.state, phone: 'below-side', cell: ({ enabled }) => (enabled ? m.security.on : m.security.off) },
                ],
              }}
            />
            {sheet}
          </>
        )
      }}
    </Loaded>
  )
}

function AppliesTo({ policy: { workflowId } }: { readonly policy: Policy }) {
  return workflowId === null ? m.privacy.everyWorkflow : <WorkflowName id={workflowId} />
}

/** For each point the policy of the workflow, or else that of the account. */
function applying(policies: readonly Policy[], workflow: string): readonly Policy[] {
  const own = policies.filter(({ workflowId }) => workflowId === workflow)
  return [
    ...own,
    ...policies.filter(({ workflowId, point }) => workflowId === null && !own.some((other) => other.point === point && other.enabled)),
  ]
}
