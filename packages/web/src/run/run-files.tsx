import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useMay } from '#src/session/use-may.ts'
import { ShownFiles } from '#src/shown-files/shown-files.tsx'

/** The files that a value of a run names. */
export function RunFiles({ run, value }: { readonly run: string; readonly value: unknown }) {
  const found = useQuery({
    queryKey: ['run.files', run],
    enabled: useMay('files:read'),
    queryFn: () => api.files.ofExecution({ params: { executionId: run } }),
  })
  const text = JSON.stringify(value) ?? ''
  const files = (found.data?.files ?? []).filter(({ name }) => text.includes(JSON.stringify(name)))
  if (files.length === 0) return null
  return (
    <ShownFiles label={m.approvals.files} files={files} placeOf={({ id }) => ({ address: `/api/v1/files/${id}/content`, isOpen: false })} />
  )
}
