import type { einvoice, Reply } from '@millrace/contract'
import { type HandlersFor, type RequestContext, respondFile, type Tx } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import * as z from 'zod'
import type { Einvoices, KeptEinvoice } from './einvoice-service.ts'
import { type InvoiceSource, legalStatus } from './model.ts'
import { qrCodeOf, tlvOf } from './qr-code.ts'
import { fingerprintOf, pemOf } from './signing/development-certificate.ts'

/** Reads an invoice of the account as the content of an e-invoice. */
export type ReadInvoice = (tx: Tx, accountId: string, invoiceId: string) => Promise<InvoiceSource>

/** Handlers of the group `einvoice`. */
export function einvoiceHandlers(service: Einvoices, readInvoice: ReadInvoice): HandlersFor<typeof einvoice> {
  async function generate(ctx: RequestContext, source: InvoiceSource) {
    const view = einvoiceView(await service.generate(ctx.tx, ctx.accountId, source))
    ctx.audit({ target: view.id, details: { number: view.number, counter: view.counter, hash: view.hash } })
    return view
  }
  return {
    generate: (ctx, { body }) => generate(ctx, body),
    generateFromInvoice: async (ctx, { body }) => generate(ctx, await readInvoice(ctx.tx, ctx.accountId, idOf('inv', body.invoiceId))),
    get: async (ctx, { params }) => einvoiceView(await service.get(ctx.tx, ctx.accountId, idOf('einv', params.id))),
    async list(ctx, { query: { limit, cursor, search, number } }) {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, counterShape)[0]
      const found = await service.list(ctx.tx, ctx.accountId, { limit: limit + 1, before, search, number })
      const { data, nextCursor } = pageOf(found, limit, ({ counter }) => encodeCursor([counter]))
      return { data: data.map(entryView), nextCursor }
    },
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

const counterShape = z.tuple([z.int().min(1).max(2_147_483_647)])

function entryView({ id, number, counter, summary, createdAt }: KeptEinvoice): Reply<typeof einvoice.list>['data'][number] {
  const { kind, profile, issueDate, seller, buyer, currency, totals, findings } = summary
  const about = { kind, profile, issueDate, seller, buyer, currency, total: totals.taxInclusive, findings: [...findings] }
  return { id: toTypeId('einv', id), number, counter, ...about, createdAt: createdAt.toISOString() }
}

function einvoiceView({
  id,
  number,
  counter,
  hash,
  previousHash,
  xml,
  qrFields,
  summary,
  createdAt,
}: KeptEinvoice): Reply<typeof einvoice.get> {
  const { uuid, kind, profile, currency, totals, rules, findings } = summary
  return {
    id: toTypeId('einv', id),
    uuid,
    number,
    kind,
    profile,
    counter,
    hash,
    previousHash,
    xml,
    qr: qrCodeOf(tlvOf(qrFields)),
    totals: { currency, ...totals },
    validation: { rules, findings: [...findings] },
    legalStatus,
    createdAt: createdAt.toISOString(),
  }
}
