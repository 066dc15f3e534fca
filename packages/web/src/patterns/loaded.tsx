import { ClientError } from '@millrace/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NotThere } from '#src/app/not-there.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** What a query has loaded, or its skeleton, or its problem. */
export function Loaded<T>({ query, children }: { readonly query: UseQueryResult<T>; readonly children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  // Another attempt would not find it either.
  if (query.error instanceof ClientError && query.error.code === 'not_found') return <NotThere />
  return (
    <div className="page">{query.isError ? <ProblemPanel error={query.error} retry={() => void query.refetch()} /> : <Skeleton />}</div>
  )
}
