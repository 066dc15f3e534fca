import { Fault } from '@millrace/contract'
import { randomUUID } from 'node:crypto'
import type { Sealing as SecretSealing } from '#platform/sealing/sealing.ts'
import type { Printer } from '#modules/printing/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { checkPayee } from './check-payee.ts'
import type { EinvoiceSummary } from './einvoice-summary.ts'
import {
  appendEinvoice,
  type EinvoicePage,
  findEinvoice,
  findEinvoiceOfCall,
  findSigningKey,
  hasNumber,
  insertSigningKey,
  listEinvoices,
  lockChain,
  type SigningKeyRow,
  type StoredEinvoice,
} from './einvoice-store.ts'
import type { InvoiceSource } from './model.ts'
import { profiles } from './profiles.ts'
import { type QrCode, qrCodeOf, tlvOf } from './qr-code.ts'
import type { Finding } from './rules/rule.ts'
import { type DevelopmentKey, makeDevelopmentKey, privateKeyOf, publicKeyOf } from './signing/development-certificate.ts'
import type { EinvoiceWork } from './work/einvoice-work.ts'

export interface EinvoicesDeps {
  readonly sealing: SecretSealing
  readonly work: EinvoiceWork
  readonly printer: Pick<Printer, 'print'>
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

/** A document of the chain with its summary. */
export interface KeptEinvoice extends StoredEinvoice {
  readonly summary: EinvoiceSummary
}

export interface Signed {
  readonly id: string
  readonly xml: string
  readonly certificate: Buffer
  readonly qr: QrCode
  readonly signedAt: Date
}

export type Einvoices = ReturnType<typeof createEinvoices>

/** Generates and signs e-invoices. */
export function createEinvoices({ sealing, work, printer, now, newId, randomBytes }: EinvoicesDeps) {
  async function keyOf(tx: Tx, accountId: string): Promise<DevelopmentKey> {
    const found = await findSigningKey(tx, accountId)
    if (found !== undefined) return openKey(tx, accountId, found)
    const made = makeDevelopmentKey(now(), randomBytes(15))
    const sealed = await sealing.seal(tx, accountId, placeOf(accountId), made.privateKey)
    await insertSigningKey(tx, accountId, { sealed, certificate: made.certificate }, now())
    // Read again: a concurrent request may have made it first.
    const stored = await findSigningKey(tx, accountId)
    if (stored === undefined) throw new Error('the key of e-invoices was deleted while it was made')
    return openKey(tx, accountId, stored)
  }

  async function openKey(tx: Tx, accountId: string, { sealed, certificate }: SigningKeyRow): Promise<DevelopmentKey> {
    const privateKey = await sealing.open(tx, accountId, placeOf(accountId), sealed)
    if (privateKey === undefined) throw new Error('the key of e-invoices cannot be opened')
    return { privateKey, certificate }
  }

  async function existing(tx: Tx, accountId: string, id: string): Promise<StoredEinvoice> {
    const einvoice = await findEinvoice(tx, accountId, id)
    if (einvoice === undefined) throw new Fault('not_found', { detail: 'There is no such e-invoice. Generate it first.' })
    return einvoice
  }

  async function kept(accountId: string, einvoice: StoredEinvoice): Promise<KeptEinvoice> {
    return { ...einvoice, summary: einvoice.summary ?? (await work.run(accountId, 'describe', { xml: einvoice.xml })) }
  }

  return {
    /**
     * Makes the next document of the account's chain. Fault `einvoice_invalid` if it violates a rule; nothing is stored then.
     *
     * @param call of a workflow, whose repetition returns what it made.
     */
    async generate(tx: Tx, accountId: string, given: InvoiceSource, call?: string): Promise<KeptEinvoice> {
      const source = withPlainVatIds(given)
      refuseProblems(source)
      // Judged before the chain is locked, so that invalid invoices do not make others wait. Its place changes nothing that a rule reads.
      const issuedAt = now()
      const { findings, qrFields } = await work.run(accountId, 'judge', { source, issuedAt })
      refuseFatal(findings)
      const { counter: latest, hash: previousHash } = await lockChain(tx, accountId)
      const repeated = call === undefined ? undefined : await findEinvoiceOfCall(tx, accountId, call)
      if (repeated !== undefined) return kept(accountId, repeated)
      const [uuid, counter] = [randomUUID(), latest + 1]
      const { number } = source
      const warnings = (await hasNumber(tx, accountId, number)) ? [...findings, numberUsed] : findings
      const place = { uuid, counter, previousHash, issuedAt }
      const { xml, hash, summary } = await work.run(accountId, 'write', { source, place, findings: warnings })
      const stored = { id: newId(), counter, number, previousHash, xml, hash, qrFields, summary, createdAt: issuedAt }
      await appendEinvoice(tx, accountId, stored, call)
      return stored
    },

    /** Judges a document without making it: its warnings. Fault `einvoice_invalid` as `generate`. */
    async validate(accountId: string, given: InvoiceSource): Promise<readonly Finding[]> {
      const source = withPlainVatIds(given)
      refuseProblems(source)
      const { findings } = await work.run(accountId, 'judge', { source, issuedAt: now() })
      refuseFatal(findings)
      return findings
    },

    get: async (tx: Tx, accountId: string, id: string) => kept(accountId, await existing(tx, accountId, id)),

    list: async (tx: Tx, accountId: string, page: EinvoicePage) =>
      Promise.all((await listEinvoices(tx, accountId, page)).map((einvoice) => kept(accountId, einvoice))),

    /** A generated document as PDF with the XML inside. */
    async print(tx: Tx, accountId: string, id: string): Promise<{ readonly number: string; readonly pdf: Buffer }> {
      const { xml, createdAt, number, qrFields } = await existing(tx, accountId, id)
      const qrCode = Buffer.from(qrCodeOf(tlvOf(qrFields)).png, 'base64')
      return { number, pdf: await printer.print(accountId, await work.run(accountId, 'view', { xml, createdAt, qrCode })) }
    },

    /** Signs a generated document with the development key of the account. */
    async sign(tx: Tx, accountId: string, id: string): Promise<Signed> {
      const einvoice = await existing(tx, accountId, id)
      const key = await keyOf(tx, accountId)
      const signedAt = now()
      const { xml, signature } = await work.run(accountId, 'sign', { xml: einvoice.xml, key, at: signedAt })
      const qr = qrCodeOf(
        tlvOf([...einvoice.qrFields, einvoice.hash, Buffer.from(signature).toString('base64'), publicKeyOf(privateKeyOf(key.privateKey))]),
      )
      return { id, xml, certificate: key.certificate, qr, signedAt }
    },
  }
}

/** No error, since a document may be made again before it is used. */
const numberUsed: Finding = {
  rule: 'number-used',
  severity: 'warning',
  path: '/*/cbc:ID',
  meaning: 'A number names one invoice. This account has another e-invoice with this number.',
}

/** People write identifiers of VAT in groups of digits; in a document they have no blanks. */
function withPlainVatIds(source: InvoiceSource): InvoiceSource {
  const plain = <P extends InvoiceSource['seller']>(party: P): P =>
    party.vatId === undefined ? party : { ...party, vatId: party.vatId.replaceAll(/\s/g, '') }
  return { ...source, seller: plain(source.seller), ...(source.buyer === undefined ? {} : { buyer: plain(source.buyer) }) }
}

const placeOf = (accountId: string) => ({ table: 'einvoice_keys', column: 'sealed', row: accountId })

/** Fault `einvoice_invalid` for what the profile misses, and for an account that cannot be paid to. */
function refuseProblems(source: InvoiceSource): void {
  const problems = [...profiles[source.profile].check(source), ...checkPayee(source)]
  if (problems.length > 0) throw new Fault('einvoice_invalid', { errors: problems, extensions: { findings: [] } })
}

/** Fault `einvoice_invalid` for violations of rules. */
function refuseFatal(findings: readonly Finding[]): void {
  const fatal = findings.filter(({ severity }) => severity === 'fatal')
  if (fatal.length === 0) return
  throw new Fault('einvoice_invalid', {
    errors: fatal.slice(0, 50).map(({ rule, meaning, path }) => ({ pointer: pointerOf(path), detail: `${rule}: ${meaning}` })),
    extensions: { findings: fatal.slice(0, 50).map((finding) => ({ ...finding })) },
  })
}

const members: readonly (readonly [RegExp, string])[] = [
  [/AccountingSupplierParty/, '/seller'],
  [/AccountingCustomerParty/, '/buyer'],
  [/PaymentMeans/, '/payment'],
  [/InvoicePeriod/, '/period'],
  [/CurrencyCode/, '/currency'],
]

/** The member of the request that a place of the document was made from. */
function pointerOf(path: string): string {
  const line = /(?:InvoiceLine|CreditNoteLine)(?:\[(\d+)\])?/.exec(path)
  if (line !== null) return `/lines/${Number(line[1] ?? '1') - 1}`
  return members.find(([pattern]) => pattern.test(path))?.[1] ?? ''
}
