import { parseDecimal, compare } from './decimal.ts'
import { firstHash, hashOf } from './document-hash.ts'
import { findingsOf } from './findings-of.ts'
import { profileOf } from './profile-of.ts'
import { type SignatureReport, verifySignature } from './signing/verify-signature.ts'
import { at, documentOf, type XmlElement } from './ubl/element.ts'
import { readUbl, XmlProblem } from './ubl/read-xml.ts'

export interface EinvoiceFile {
  readonly name: string
  readonly xml: string
  /** The text of its QR code. */
  readonly qr: string | undefined
}

export interface EinvoiceProblem {
  readonly kind: 'structure' | 'rule' | 'signature' | 'chain' | 'qr'
  readonly detail: string
  /** XPath; of rules only. */
  readonly path?: string
}

export interface EinvoiceReport {
  readonly file: string
  readonly number: string | undefined
  readonly counter: number | undefined
  readonly hash: string | undefined
  readonly signature: SignatureReport | undefined
  readonly problems: readonly EinvoiceProblem[]
}

interface Read {
  readonly file: EinvoiceFile
  readonly root: XmlElement
  readonly hash: string
  readonly counter: number | undefined
  readonly previousHash: string | undefined
}

/** Verifies e-invoices by their files alone: structure, rules, signature, chain of hashes, QR code. The chain is that of all given files. */
export async function verifyEinvoices(files: readonly EinvoiceFile[]): Promise<readonly EinvoiceReport[]> {
  const read = await Promise.all(files.map(readFile))
  const chained = read
    .flatMap((each) => ('problem' in each ? [] : [each]))
    .toSorted((one, other) => (one.counter ?? 0) - (other.counter ?? 0))
  return Promise.all(
    read.map(async (each): Promise<EinvoiceReport> => {
      if ('problem' in each) {
        const nothing = { number: undefined, counter: undefined, hash: undefined, signature: undefined }
        return { file: each.file.name, ...nothing, problems: [{ kind: 'structure', detail: each.problem }] }
      }
      const signature = await verifySignature(each.file.xml)
      const problems = [...ruleProblems(each.root), ...signatureProblems(signature), ...chainProblems(each, chained), ...qrProblems(each)]
      const { counter, hash } = each
      return { file: each.file.name, number: textAt(each.root, 'cbc:ID'), counter, hash, signature, problems }
    }),
  )
}

async function readFile(file: EinvoiceFile): Promise<Read | { readonly file: EinvoiceFile; readonly problem: string }> {
  try {
    const root = await readUbl(file.xml)
    const counter = referenceOf(root, 'ICV')
    return {
      file,
      root,
      hash: hashOf(root),
      counter: counter === undefined ? undefined : Number(counter),
      previousHash: referenceOf(root, 'PIH'),
    }
  } catch (error) {
    if (error instanceof XmlProblem) return { file, problem: error.message }
    throw error
  }
}

const textAt = (from: XmlElement, path: string) => at(from, path)[0]?.text

/** The value of a reference to an additional document, in any of the forms of the profiles. */
function referenceOf(root: XmlElement, id: string): string | undefined {
  const found = at(root, 'cac:AdditionalDocumentReference').find((reference) => textAt(reference, 'cbc:ID') === id)
  if (found === undefined) return undefined
  return (
    textAt(found, 'cbc:DocumentDescription') ??
    textAt(found, 'cbc:UUID') ??
    textAt(found, 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject')
  )
}

function ruleProblems(root: XmlElement): readonly EinvoiceProblem[] {
  return findingsOf(documentOf(root), profileOf(root))
    .filter(({ severity }) => severity === 'fatal')
    .map(({ rule, meaning, path }) => ({ kind: 'rule', detail: `${rule}: ${meaning}`, path }))
}

function signatureProblems(signature: SignatureReport | undefined): readonly EinvoiceProblem[] {
  return signature === undefined || signature.isValid
    ? []
    : [{ kind: 'signature', detail: 'The signature does not match: the document was changed after it was signed.' }]
}

function chainProblems({ file, counter, previousHash }: Read, chained: readonly Read[]): readonly EinvoiceProblem[] {
  if (counter === undefined || previousHash === undefined) return []
  const problem = (detail: string): readonly EinvoiceProblem[] => [{ kind: 'chain', detail }]
  if (!Number.isSafeInteger(counter) || counter < 1) return problem('The counter is no number from 1.')
  if (counter === 1) return previousHash === firstHash ? [] : problem('It is the first of its chain, and names another document before it.')
  if (chained.some((other) => other.counter === counter && other.file !== file))
    return problem(`Another file has the counter ${counter}, too.`)
  const before = chained.find((other) => other.counter === counter - 1)
  if (before !== undefined)
    return before.hash === previousHash ? [] : problem(`The hash of the document before it differs from ${before.file.name}.`)
  return chained[0]?.file === file ? [] : problem(`The document with the counter ${counter - 1} is missing.`)
}

const tagNames = ['seller', 'identifier of VAT', 'time', 'total with tax', 'tax'] as const

/** Compares the QR code, given or inside of the document, with the document. */
function qrProblems({ file, root, hash }: Read): readonly EinvoiceProblem[] {
  const text = file.qr ?? referenceOf(root, 'QR')
  if (text === undefined) return []
  const values = readTlv(text)
  if (values === undefined) return [{ kind: 'qr', detail: 'The QR code is no sequence of tag, length and value in base64.' }]
  const supplier = 'cac:AccountingSupplierParty/cac:Party'
  const expected = [
    textAt(root, `${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`) ?? '',
    textAt(root, `${supplier}/cac:PartyTaxScheme/cbc:CompanyID`) ?? '',
    undefined,
    textAt(root, 'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount') ?? '',
    textAt(root, 'cac:TaxTotal/cbc:TaxAmount') ?? '',
  ]
  const wrong = expected.flatMap((wanted, index): readonly EinvoiceProblem[] => {
    const value = values[index]?.toString() ?? ''
    if (wanted === undefined || isSame(wanted, value)) return []
    return [{ kind: 'qr', detail: `The QR code has another ${tagNames[index] ?? 'value'}: "${value}" instead of "${wanted}".` }]
  })
  const hashInCode = values[5]?.toString()
  return hashInCode === undefined || hashInCode === hash
    ? wrong
    : [...wrong, { kind: 'qr', detail: 'The QR code has the hash of another document.' }]
}

function isSame(wanted: string, value: string): boolean {
  const [one, other] = [parseDecimal(wanted), parseDecimal(value)]
  if (one !== undefined && other !== undefined) return compare(one, other) === 0
  // A value has at most 255 bytes; a longer name is cut.
  return wanted === value || (Buffer.byteLength(value) > 250 && wanted.startsWith(value))
}

function readTlv(text: string): readonly Buffer[] | undefined {
  if (!/^[A-Za-z\d+/]+=*$/.test(text.trim())) return undefined
  const bytes = Buffer.from(text, 'base64')
  const values: Buffer[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const [tag, length] = [bytes[offset], bytes[offset + 1]]
    if (tag !== values.length + 1 || length === undefined || offset + 2 + length > bytes.length) return undefined
    values.push(bytes.subarray(offset + 2, offset + 2 + length))
    offset += 2 + length
  }
  return values
}
