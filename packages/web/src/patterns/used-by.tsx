import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AffectedWorkflows } from '#src/patterns/affected-workflows.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface UsedByProps {
  readonly kind: 'variable' | 'secret' | 'connection' | 'table' | 'approver'
  readonly name: string
  /** The only workflow that can use it. */
  readonly within?: string | undefined
  /** In place of those for a thing that is used. */
  readonly words?: { readonly title: (count: number) => string; readonly none?: string }
}

/** The workflows that fail when a variable, a secret, a connection or a table is deleted, or that ask a person who is removed. */
export function UsedBy({ kind, name, within, words = m.uses }: UsedByProps) {
  const u = m.uses
  const uses = useQuery({
    queryKey: ['workflow-uses', kind, name],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => api.workflows.using({ query: { [kind]: name } }),
  })
  if (uses.isError) return <ProblemPanel error={uses.error} retry={() => void uses.refetch()} />
  if (uses.data === undefined) return <Skeleton rows={1} />
  const { data, total } = uses.data
  const shown = within === undefined ? data : data.filter(({ id }) => id === within)
  if (shown.length === 0) return words.none === undefined ? null : <p className="i2">{words.none}</p>
  const hidden = within === undefined ? total - data.length : 0
  return (
    <AffectedWorkflows
      title={words.title(shown.length + hidden)}
      workflows={shown.map(({ draft, published, ...one }) => ({
        ...one,
        note: draft && published ? undefined : draft ? u.draft : u.published,
      }))}
      more={hidden > 0 && <p className="i2">{u.more(hidden)}</p>}
    />
  )
}
