import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { FileProgress } from '#src/ui/file-progress.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

const pollMs = 1500

interface Selection {
  readonly from?: string
  readonly to?: string
  readonly executions?: string
}

/** Asks for an evidence pack, shows how far it is, and offers the file. */
export function PackForm() {
  const e = m.evidence
  const [selection, setSelection] = useState<Selection>()
  const pack = useQuery({
    queryKey: ['pack', selection],
    enabled: selection !== undefined,
    refetchOnWindowFocus: false,
    queryFn: () => api.archivist.pack({ query: selection ?? {} }),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? pollMs : false),
  })
  if (selection !== undefined && pack.data !== undefined) return <FileProgress file={pack.data} again={() => void pack.refetch()} />
  return (
    <DataForm
      initial={{ from: '', to: '', executions: '' }}
      before={<p className="i2">{e.packText}</p>}
      fields={[
        { name: 'from', label: e.from, kind: 'date', hint: e.fromHint },
        { name: 'to', label: e.to, kind: 'date', hint: e.toHint },
        { name: 'executions', label: e.only, kind: 'textarea', rows: 3, hint: e.onlyHint },
      ]}
      send={({ from, to, executions }) => {
        const ids = executions.split(/[\s,]+/).filter((id) => id !== '')
        setSelection(
          ids.length > 0
            ? { executions: ids.join(',') }
            : { ...(from === '' ? {} : { from: new Date(from).toISOString() }), ...(to === '' ? {} : { to: new Date(to).toISOString() }) },
        )
        return Promise.resolve()
      }}
      label={e.makePack}
      beside={pack.isError ? <ProblemPanel error={pack.error} /> : undefined}
    />
  )
}
