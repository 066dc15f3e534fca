import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { DraftCard } from '#src/pages/assistant/draft-card.tsx'
import { InboxPage } from '#src/patterns/inbox-page.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'

const states = ['draft', 'sent', 'rejected'] as const
const marks = { draft: 'waiting', sent: 'completed', rejected: 'cancelled' } as const

/** E-mails that the assistant drafted. */
export function Page() {
  const a = m.assistant
  return (
    <InboxPage
      title={a.drafts}
      lede={a.draftsLede}
      name="assistant.drafts"
      load={(query) => api.assistant.drafts({ query: { limit: 100, ...query } })}
      id={({ id }) => id}
      filters={[{ name: 'state', label: m.runs.state, options: states.map((state) => [state, a.draftStates[state]]) }]}
      actions={() => <ButtonLink to="/assistant">{a.title}</ButtonLink>}
      row={({ subject, to, state, createdAt }) => (
        <>
          <StateIcon state={marks[state]} label={a.draftStates[state]} />
          <span className="grow">
            <span className="b blk trunc">
              <bdi>{subject}</bdi>
            </span>
            <span className="t12 i3 blk trunc">
              <bdi>{to.join(', ')}</bdi> · <Time at={createdAt} kind="ago" />
            </span>
          </span>
        </>
      )}
      detail={(draft) => <DraftCard key={draft.id} draft={draft} />}
      empty={{
        title: a.noDrafts,
        text: a.noDraftsText,
        action: (
          <ButtonLink to="/assistant" look="primary">
            {a.title}
          </ButtonLink>
        ),
      }}
    />
  )
}
