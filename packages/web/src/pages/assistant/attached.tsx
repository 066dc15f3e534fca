import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DraftCard } from '#src/pages/assistant/draft-card.tsx'
import { ProposalCard } from '#src/pages/assistant/proposal-card.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface AttachedProps {
  readonly conversation: string
  readonly proposals: readonly string[]
  readonly drafts: readonly string[]
}

/** The proposals and e-mail drafts of a message, to be decided in place. */
export function Attached({ conversation, proposals, drafts }: AttachedProps) {
  const found = useQuery({
    queryKey: ['assistant.proposals', conversation],
    enabled: proposals.length > 0,
    queryFn: () => api.assistant.proposals({ query: { conversationId: conversation, limit: 100 } }),
  })
  const written = useQuery({
    queryKey: ['assistant.drafts', 'attached'],
    enabled: drafts.length > 0,
    queryFn: () => api.assistant.drafts({ query: { limit: 100 } }),
  })
  const error = found.error ?? written.error
  return (
    <>
      {error !== null && <ProblemPanel error={error} />}
      {found.data?.data
        .filter(({ id }) => proposals.includes(id))
        .map((one) => (
          <ProposalCard key={one.id} proposal={one} />
        ))}
      {written.data?.data
        .filter(({ id }) => drafts.includes(id))
        .map((one) => (
          <DraftCard key={one.id} draft={one} />
        ))}
    </>
  )
}
