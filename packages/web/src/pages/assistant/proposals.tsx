import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ProposalCard } from '#src/pages/assistant/proposal-card.tsx'
import { readAgain } from '#src/pages/assistant/read-again.ts'
import { InboxPage } from '#src/patterns/inbox-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

const marks = {
  pending: 'waiting',
  confirmed: 'running',
  done: 'completed',
  failed: 'faulted',
  rejected: 'cancelled',
  expired: 'skipped',
} as const

/** What the assistant proposed, to be confirmed or rejected, and a goal to prepare more. */
export function Page() {
  const { reach: r, assistant: a } = m
  const { open, sheet } = useSheet()
  const prepare = () => open(r.prepare, (close) => <Goal done={close} />)
  return (
    <>
      <InboxPage
        title={r.proposals}
        lede={r.proposalsLede}
        name="assistant.proposals"
        load={(query) => api.assistant.proposals({ query: { limit: 100, ...query } })}
        id={({ id }) => id}
        actions={() => (
          <>
            <ButtonLink to="/assistant">{a.title}</ButtonLink>
            <Button look="primary" icon="plus" onClick={prepare}>
              {r.prepare}
            </Button>
          </>
        )}
        row={({ kind, summary, state, createdAt }) => (
          <>
            <StateIcon state={marks[state]} label={a.states[state]} />
            <span className="grow">
              <span className="b blk trunc">
                <bdi>{summary}</bdi>
              </span>
              <span className="t12 i3 blk trunc">
                {a.kinds[kind]} · <Time at={createdAt} kind="ago" />
              </span>
            </span>
          </>
        )}
        detail={(proposal) => <ProposalCard key={proposal.id} proposal={proposal} />}
        empty={{
          title: r.noProposals,
          text: r.noProposalsText,
          action: (
            <Button look="primary" onClick={prepare}>
              {r.prepare}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

function Goal({ done }: { readonly done: () => void }) {
  const r = m.reach
  const queries = useQueryClient()
  return (
    <DataForm
      initial={{ goal: '' }}
      fields={[{ name: 'goal', label: r.goal, kind: 'textarea', rows: 4, required: true, hint: r.goalHint, autoFocus: true }]}
      send={async ({ goal }) => {
        const { proposals } = await api.assistant.run({ body: { goal } })
        await readAgain(queries)
        toast(r.prepared(proposals.length))
        done()
      }}
      label={r.prepare}
    />
  )
}
