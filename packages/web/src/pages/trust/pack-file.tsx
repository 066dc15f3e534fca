import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { packWords as arabic } from '#src/messages/ar/pack.ts'
import { packWords as english } from '#src/messages/en/pack.ts'
import { FileProgress } from '#src/ui/file-progress.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

const pollMs = 1500
const words = boot.locale === 'ar' ? arabic : english

/** What a pack is of: a period, or ids of executions, separated by commas. */
export interface Selection {
  readonly from?: string
  readonly to?: string
  readonly executions?: string
}

/** Has the pack of a selection made, shows how far it is, and offers the file. */
export function PackFile({ selection, missing }: { readonly selection: Selection; readonly missing: readonly string[] }) {
  const queries = useQueryClient()
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['pack', selection],
    refetchOnWindowFocus: false,
    queryFn: () => api.archivist.pack({ query: selection }),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? pollMs : false),
  })
  const state = data?.state
  // The list has the pack, and how far it is, when this is closed.
  useEffect(() => {
    if (state !== undefined) void queries.invalidateQueries({ queryKey: ['packs'] })
  }, [queries, state])
  if (isError) return <ProblemPanel error={error} />
  if (data === undefined) return null
  return (
    <>
      {state === 'ready' && data.progress.total === 0 && <p className="b">{words.isEmpty}</p>}
      {missing.length > 0 && <p className="t13 i2">{words.some(missing)}</p>}
      {state === 'preparing' && <p className="t13 i2">{words.listed}</p>}
      <FileProgress file={data} again={() => void refetch()} />
    </>
  )
}
