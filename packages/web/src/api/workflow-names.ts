import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'

const perRequestMax = 100
const staleMs = 60_000

type Found = (name: string | null) => void

/** Ids that a name is being asked for. Those of one turn, such as of the rows of a list, are asked for together. */
const asked = new Map<string, { readonly found: Found; readonly failed: (error: unknown) => void }[]>()

function nameOf(id: string): Promise<string | null> {
  return new Promise((found, failed) => {
    if (asked.size === 0) setTimeout(askAll)
    asked.set(id, [...(asked.get(id) ?? []), { found, failed }])
  })
}

function askAll(): void {
  const waiting = [...asked]
  asked.clear()
  for (let from = 0; from < waiting.length; from += perRequestMax) {
    const some = waiting.slice(from, from + perRequestMax)
    const ids = some.map(([id]) => id).join(',')
    api.workflows.list({ query: { ids, limit: perRequestMax } }).then(
      ({ data }) => {
        const names = new Map(data.map(({ id, name }) => [id, name]))
        for (const [id, waiters] of some) for (const { found } of waiters) found(names.get(id) ?? null)
      },
      (error: unknown) => {
        for (const [, waiters] of some) for (const { failed } of waiters) failed(error)
      },
    )
  }
}

const keyOf = (id: string) => ['workflow-name', id] as const

/** The name of a workflow; undefined while it is not known, and of one that was deleted. */
export function useWorkflowName(id: string): string | undefined {
  const name = useQuery({ queryKey: keyOf(id), enabled: id !== '', staleTime: staleMs, queryFn: () => nameOf(id) })
  return name.data ?? undefined
}

/** Workflows by name, at most 20: the first ones, or those that a text finds. */
export function workflowsFound(queries: QueryClient, text: string) {
  const q = text.trim()
  return {
    queryKey: ['workflows', 'found', q],
    staleTime: staleMs / 2,
    queryFn: async () => {
      const { data } = await api.workflows.list({ query: { limit: 20, sort: 'name', ...(q === '' ? {} : { q }) } })
      for (const { id, name } of data) queries.setQueryData(keyOf(id), name)
      return data.map(({ id, name }) => ({ id, name }))
    },
  }
}
