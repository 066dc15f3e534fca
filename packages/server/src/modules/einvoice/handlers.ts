import type { einvoice, Reply } from '@millrace/contract'
import { type HandlersFor, type RequestContext, respondFile, type Tx } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decimalsOf } from './calculate.ts'
import { type Decimal, toText } from './decimal.ts'
import type { Einvoices, Generated } from './einvoice-service.ts'
import { type InvoiceSource, legalStatus } from './model.ts'
import { fingerprintOf, pemOf } from './signing/development-certificate.ts'

/** Reads an invoice of the account as the content of an e-invoice. */
export type ReadInvoice = (tx: Tx, accountId: string, invoiceId: string) => Promise<InvoiceSource>

/** Handlers of the group `einvoice`. */
export function einvoiceHandlers(service: Einvoices, readInvoice: ReadInvoice): HandlersFor<typeof einvoice> {
  async function generate(ctx: RequestContext, source: InvoiceSource) {
    const view = generatedView(await service.generate(ctx.tx, ctx.accountId, source))
    ctx.audit({ target: view.id, details: { number: view.number, counter: view.counter, hash: view.hash } })
    return view
  }
  return {
    generate: (ctx, { body }) => generate(ctx, body),
    generateFromInvoice: async (ctx, { body }) => generate(ctx, await readInvoice(ctx.tx, ctx.accountId, idOf('inv', body.invoiceId))),
    async pdf(ctx, { params }) {
      const { number, pdf } = await service.print(ctx.tx, ctx.accountId, idOf('einv', params.id))
      return respondFile(pdf, { media: 'application/pdf', name: `e-invoice-${number}.pdf` })
    },
    async sign(ctx, { body }) {
      const { xml, certificate, qr, signedAt } = await service.sign(ctx.tx, ctx.accountId, idOf('einv', body.id))
      const fingerprint = fingerprintOf(certificate)
      ctx.audit({ target: body.id, details: { fingerprint } })
      const algorithm = 'ECDSA-SHA256' as const
      return {
        id: body.id,
        xml,
        algorithm,
        certificate: pemOf(certificate),
        fingerprint,
        qr,
        signedAt: signedAt.toISOString(),
        legalStatus,
      }
    },
  }
}

function generatedView({ source, sums, ...made }: Generated): Reply<typeof einvoice.generate> {
  const decimals = decimalsOf(source.currency)
  const minor = (value: Decimal) => Number(toText(value, decimals).replace('.', ''))
  return {
    id: toTypeId('einv', made.id),
    uuid: made.uuid,
    number: made.number,
    kind: source.kind,
    profile: source.profile,
    counter: made.counter,
    hash: made.hash,
    previousHash: made.previousHash,
    xml: made.xml,
    qr: made.qr,
    totals: {
      currency: source.currency,
      lines: minor(sums.lines),
      allowances: minor(sums.allowances),
      charges: minor(sums.charges),
      taxExclusive: minor(sums.taxExclusive),
      tax: minor(sums.tax),
      taxInclusive: minor(sums.taxInclusive),
      prepaid: minor(sums.prepaid),
      payable: minor(sums.payable),
    },
    validation: { rules: made.rules, findings: [...made.warnings] },
    legalStatus,
    createdAt: made.createdAt.toISOString(),
  }
}
