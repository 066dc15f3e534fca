import type { groups, Reply } from '@millrace/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { SavePdf } from '#src/api/save-pdf.tsx'
import { m } from '#src/messages/messages.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { money } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

type Einvoice = Reply<(typeof groups)['einvoice']['generate']>

const xmlType = 'application/xml'

/** What the validation found, with what names the document. */
function reportOf({ id, uuid, number, kind, profile, counter, hash, totals, validation, createdAt }: Einvoice): string {
  return JSON.stringify({ id, uuid, number, kind, profile, counter, hash, totals, validation, createdAt }, undefined, 2)
}

/** A generated e-invoice: totals, QR code, findings, files, and the signature for development. */
export function Made({ invoice }: { readonly invoice: Einvoice }) {
  const e = m.einvoice
  const isAdmin = useIsAdmin()
  const sign = useMutation({ mutationFn: () => api.einvoice.sign({ body: { id: invoice.id } }) })
  const { totals, validation, legalStatus, number, counter } = invoice
  const rows = [
    [m.plan.net, totals.taxExclusive],
    [m.plan.tax, totals.tax],
    [m.plan.total, totals.taxInclusive],
    [e.payable, totals.payable],
  ] as const
  return (
    <div className="cards2">
      <section className="panel acard">
        <div className="row">
          <h2 className="t16 grow">
            {m.billing.kinds[invoice.kind]} {number}
          </h2>
          <Badge tone="ok">{e.rules(validation.rules)}</Badge>
        </div>
        <table className="sums">
          <caption className="vh">{number}</caption>
          <tbody>
            {rows.map(([label, amount]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="num end-a">{money(amount, totals.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {validation.findings.map(({ rule, meaning }) => (
          <p key={rule} className="t13 c-wait">
            {rule}: {meaning}
          </p>
        ))}
        <p className="t12 i3">{e.chain(counter, invoice.hash.slice(0, 12))}</p>
        <div className="row wrap">
          <SavePdf operation="einvoice.pdf" path={`/api/v1/einvoice/${invoice.id}/pdf`} name={`${number}.pdf`} />
          <Button icon="download" onClick={() => saveFile(`${number}.xml`, invoice.xml, xmlType)}>
            {e.xml}
          </Button>
          <Button icon="download" onClick={() => saveFile(`${number}.report.json`, reportOf(invoice), 'application/json')}>
            {e.report}
          </Button>
          {sign.data !== undefined && (
            <Button icon="download" onClick={() => saveFile(`${number}.signed.xml`, sign.data.xml, xmlType)}>
              {e.signedXml}
            </Button>
          )}
          {isAdmin && sign.data === undefined && (
            <Button look="primary" icon="seal" busy={sign.isPending} onClick={() => sign.mutate()}>
              {e.sign}
            </Button>
          )}
        </div>
        {sign.isError && <ProblemPanel error={sign.error} />}
      </section>
      <section className="panel acard">
        <h2 className="t14 bb">{e.qr}</h2>
        <img className="qr" alt={e.qrAlt(number)} src={`data:image/png;base64,${(sign.data?.qr ?? invoice.qr).png}`} />
        {sign.data !== undefined && (
          <p className="t12 i3 wrap-any">
            {e.fingerprint} <bdi className="mono">{sign.data.fingerprint}</bdi>
          </p>
        )}
        <p className="t13 i2">{legalStatus.notice}</p>
      </section>
    </div>
  )
}
