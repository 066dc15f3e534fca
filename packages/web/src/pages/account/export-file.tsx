import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { FileProgress } from '#src/ui/file-progress.tsx'

const pollMs = 1500

/** Asks for an export of the account, shows how far it is, and offers the file. */
export function ExportFile() {
  const d = m.data
  const [begun, setBegun] = useState(false)
  const file = useQuery({
    queryKey: ['account.export'],
    enabled: begun,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => api.account.export({ body: {} }),
    refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? pollMs : false),
  })
  if (begun) return <Loaded query={file}>{(data) => <FileProgress file={data} again={() => void file.refetch()} />}</Loaded>
  return (
    <DataForm
      initial={{}}
      fields={[]}
      before={<p className="i2">{d.exportText}</p>}
      send={() => Promise.resolve(setBegun(true))}
      label={d.export}
    />
  )
}
