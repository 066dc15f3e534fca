import { useMutation } from '@tanstack/react-query'
import { fetchFile } from '#src/api/fetch-file.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { saveFile } from '#src/values/save-file.ts'

/** A button that downloads the PDF file at a path of the API. */
export function SavePdf({ operation, path, name }: { readonly operation: string; readonly path: string; readonly name: string }) {
  const download = useMutation({
    mutationFn: async () => {
      saveFile(name, await fetchFile(operation, path, 'application/pdf'), 'application/pdf')
    },
    onError: (error) => toast(wordsOf(error).detail, 'faulted'),
  })
  return (
    <Button icon="download" busy={download.isPending} onClick={() => download.mutate()}>
      {m.billing.savePdf}
    </Button>
  )
}
