import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { InvoiceForm } from '#src/pages/einvoice/invoice-form.tsx'
import { Made } from '#src/pages/einvoice/made.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Button } from '#src/ui/button.tsx'

type Einvoice = Reply<(typeof groups)['einvoice']['generate']>

/** Makes an e-invoice, judges it, signs it for development, and offers the files. */
export function Page() {
  const e = m.einvoice
  const [made, setMade] = useState<Einvoice>()
  return (
    <Shell
      title={e.title}
      lede={e.lede}
      wide
      actions={made === undefined ? undefined : <Button onClick={() => setMade(undefined)}>{e.another}</Button>}
    >
      {made === undefined ? <InvoiceForm done={setMade} /> : <Made invoice={made} />}
    </Shell>
  )
}
