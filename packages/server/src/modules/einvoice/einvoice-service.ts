import { Fault } from '@millrace/contract'
import { randomUUID } from 'node:crypto'
import type { Sealing as SecretSealing } from '#platform/sealing/sealing.ts'
import type { Tx } from '#platform/http/index.ts'
import { calculate } from './calculate.ts'
import { hashOf } from './document-hash.ts'
import {
  appendEinvoice,
  findEinvoice,
  findSigningKey,
  insertSigningKey,
  lockChain,
  type SigningKeyRow,
  type StoredEinvoice,
} from './einvoice-store.ts'
import type { Calculated, InvoiceSource, Sealing } from './model.ts'
import { printEinvoice } from './print-einvoice.ts'
import { type Profile, profiles } from './profiles.ts'
import { type QrCode, qrCodeOf, qrFields, tlvOf } from './qr-code.ts'
import { en16931, judgeInvoice } from './rules/en16931.ts'
import type { Finding } from './rules/rule.ts'
import { type DevelopmentKey, makeDevelopmentKey, privateKeyOf, publicKeyOf } from './signing/development-certificate.ts'
import { signXml } from './signing/sign-xml.ts'
import { buildUbl } from './ubl/build-ubl.ts'
import { documentOf, type XmlElement } from './ubl/element.ts'
import { writeXml, xmlDeclaration } from './ubl/write-xml.ts'

export interface EinvoicesDeps {
  readonly sealing: SecretSealing
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface Generated extends StoredEinvoice {
  readonly uuid: string
  readonly calculated: Calculated
  readonly qr: QrCode
  readonly rules: number
  readonly warnings: readonly Finding[]
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
export function createEinvoices({ sealing, now, newId, randomBytes }: EinvoicesDeps) {
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

  return {
    /** Makes the next document of the account's chain. Fault `einvoice_invalid` if it violates a rule; nothing is stored then. */
    async generate(tx: Tx, accountId: string, source: InvoiceSource): Promise<Generated> {
      const profile = profiles[source.profile]
      const problems = profile.check(source)
      if (problems.length > 0) throw new Fault('einvoice_invalid', { errors: [...problems], extensions: { findings: [] } })
      const calculated = calculate(source)
      // Judged before the chain is locked, so that invalid invoices do not make others wait.
      const issuedAt = now()
      const uuid = randomUUID()
      judged(buildUbl(calculated, { uuid, counter: 1, previousHash: '', issuedAt }, profile), profile)
      const { counter: latest, hash: previousHash } = await lockChain(tx, accountId)
      const place: Sealing = { uuid, counter: latest + 1, previousHash, issuedAt }
      const root = buildUbl(calculated, place, profile)
      const warnings = judged(root, profile)
      const fields = qrFields(calculated, issuedAt)
      const stored: StoredEinvoice = {
        id: newId(),
        counter: place.counter,
        number: source.number,
        hash: hashOf(root),
        previousHash,
        xml: `${xmlDeclaration}${writeXml(root)}`,
        qrFields: fields,
        createdAt: issuedAt,
      }
      await appendEinvoice(tx, accountId, stored)
      return { ...stored, uuid, calculated, qr: qrCodeOf(tlvOf(fields)), rules: en16931.length - profile.exceptions.size, warnings }
    },

    /** A generated document as PDF with the XML inside. */
    async print(tx: Tx, accountId: string, id: string): Promise<{ readonly number: string; readonly pdf: Buffer }> {
      const found = await findEinvoice(tx, accountId, id)
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such e-invoice. Generate it first.' })
      const { xml, createdAt, number } = found
      return { number, pdf: await printEinvoice({ xml, createdAt, qrCode: Buffer.from(qrCodeOf(tlvOf(found.qrFields)).png, 'base64') }) }
    },

    /** Signs a generated document with the development key of the account. */
    async sign(tx: Tx, accountId: string, id: string): Promise<Signed> {
      const found = await findEinvoice(tx, accountId, id)
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such e-invoice. Generate it first.' })
      const key = await keyOf(tx, accountId)
      const signedAt = now()
      const { xml, signature } = await signXml(found.xml, key, signedAt)
      const qr = qrCodeOf(tlvOf([...found.qrFields, found.hash, signature.toString('base64'), publicKeyOf(privateKeyOf(key.privateKey))]))
      return { id, xml, certificate: key.certificate, qr, signedAt }
    },
  }
}

const placeOf = (accountId: string) => ({ table: 'einvoice_keys', column: 'sealed', row: accountId })

/** The warnings about a document; Fault `einvoice_invalid` if it violates a rule that its profile does not contradict. */
function judged(root: XmlElement, { exceptions }: Profile): readonly Finding[] {
  const findings = judgeInvoice(documentOf(root)).filter(({ rule }) => !exceptions.has(rule))
  const fatal = findings.filter(({ severity }) => severity === 'fatal')
  if (fatal.length === 0) return findings
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
