import type { Json } from '@millrace/dsl'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api } from '#src/api/client.ts'
import { connectionFits } from '#src/editor/functions/connection-fits.ts'
import { argumentFields, calledName } from '#src/editor/functions/argument-fields.ts'
import type { ListedFunction } from '#src/editor/functions/function-steps.ts'
import type { FieldModel } from '#src/editor/inspector/field-model.ts'
import { useMay } from '#src/session/use-may.ts'

const limit = 100
const staleMs = 60_000

/** The functions that definitions can call; of more than one page also those that fit a search. */
export function useFunctions(search: string): readonly ListedFunction[] {
  const may = useMay('connectors:read')
  const q = useDeferredValue(search.trim())
  const first = useQuery({
    queryKey: ['functions'],
    enabled: may,
    staleTime: staleMs,
    queryFn: () => api.functions.list({ query: { limit } }),
  })
  const isMore = (first.data?.nextCursor ?? null) !== null
  const found = useQuery({
    queryKey: ['functions', 'search', q],
    enabled: isMore && q.length > 1,
    staleTime: staleMs,
    placeholderData: keepPreviousData,
    queryFn: () => api.functions.list({ query: { limit, q } }),
  })
  const all = [...(first.data?.data ?? []), ...(found.data?.data ?? [])]
  return [...new Map(all.map((one) => [one.name, one])).values()]
}

/** What a function takes and gives; undefined until it is read. */
export function useManifest(name: string | undefined) {
  const may = useMay('connectors:read')
  return useQuery({
    queryKey: ['functions', 'one', name],
    enabled: may && name !== undefined,
    staleTime: staleMs,
    queryFn: () => api.functions.get({ params: { name: name ?? '' } }),
  }).data
}

/** The names of the connections that a function can use, for those who may read them; undefined until they are read. */
export function useConnectionNames(called: string | undefined): readonly string[] | undefined {
  const may = useMay('connections:read')
  const { data } = useQuery({
    queryKey: ['connections', 'names'],
    enabled: may && called !== undefined,
    queryFn: () => api.connections.list({ query: { limit } }),
  })
  if (!may) return []
  return data?.data.filter(({ kind }) => connectionFits(called ?? '', kind)).map(({ name }) => name)
}

/** The arguments of the connector function that a task calls, as fields; undefined for every other task. */
export function useArgumentFields(document: Json, task: string): readonly FieldModel[] | undefined {
  const called = calledName(document, task)
  const manifest = useManifest(called)
  const connections = useConnectionNames(manifest === undefined ? undefined : called) ?? []
  const mayTables = useMay('tables:read')
  const tables = useQuery({
    queryKey: ['tables', 'names'],
    enabled: mayTables && called?.startsWith('tables.') === true,
    queryFn: () => api.tables.list({ query: { limit } }),
  })
  return manifest === undefined ? undefined : argumentFields(document, task, manifest.input, { connections, tables: namesOf(tables.data) })
}

function namesOf(page: { readonly data: readonly { readonly name: string }[] } | undefined): readonly string[] {
  return page?.data.map(({ name }) => name) ?? []
}
