import { useMutation } from '@tanstack/react-query'
import { m } from '#src/messages/messages.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'
import { accessToken } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { saveFile } from '#src/values/save-file.ts'

/** A button that downloads the PDF file at a path of the API. */
export function SavePdf({ path, name }: { readonly path: string; readonly name: string }) {
  const download = useMutation({
    mutationFn: async () => {
      const headers = { accept: 'application/pdf', authorization: `Bearer ${(await accessToken()) ?? ''}` }
      const response = await sessionFetch(path, { headers })
      if (!response.ok) throw new Error(String(Object(await response.json()).detail))
      saveFile(name, await response.blob(), 'application/pdf')
    },
    onError: (error) => toast(wordsOf(error).detail, 'faulted'),
  })
  return (
    <Button icon="download" busy={download.isPending} onClick={() => download.mutate()}>
      {m.billing.savePdf}
    </Button>
  )
}
