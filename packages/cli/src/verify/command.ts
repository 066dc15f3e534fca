import { defineCommand } from '#command/command.ts'
import { usageFailure } from '#command/failure.ts'

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Replay executions and compare them with their records',
  description: [
    'Replays executions from their journals, with every effect replaced by its journalled outcome, and reports the first difference: another path, or another result than the stored one. It performs no effects and changes nothing.',
    '"millrace verify audit FILE --key KEY" verifies exported days of an audit log instead, without a database (docs/audit.md).',
    '"millrace verify pack PACK --key KEY" verifies an evidence pack, as ZIP or as a folder, without a database: the bag, the signature and the proof of each receipt, its journal and definition, and the days of the audit log (docs/evidence.md).',
    '"millrace verify einvoice FILE..." verifies e-invoices (XML, or PDF with the XML inside) by their files alone: structure, rules of EN 16931, signature, chain of hashes, and QR code (docs/einvoice.md).',
    'Reads the database of DATABASE_URL, otherwise the built-in one under MILLRACE_HOME, which it starts; no server may be using it. Executions that read secrets need the secret key, as a server does.',
  ],
  operands: { text: '[ID... | audit|pack|einvoice FILE...]', min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    all: { type: 'boolean', summary: 'Verify every execution that has ended.' },
    key: {
      type: 'string',
      value: 'KEY',
      summary: 'Public key of checkpoints for "verify audit" and "verify pack": the "verifierKey" of GET /api/v1/audit/keys.',
    },
    witness: {
      type: 'string',
      value: 'KEY,...',
      summary: 'For "verify audit" and "verify pack": keys of witnesses that must have co-signed, separated by commas.',
    },
    tsa: {
      type: 'string',
      value: 'FILE',
      summary: 'For "verify audit" and "verify pack": certificates (PEM) of the time stamp authority that must have stamped.',
    },
    'receipt-key': {
      type: 'string',
      value: 'KEY,...',
      summary:
        'For "verify pack": the keys that may have signed receipts, each as the "keyId" or "publicKey" of GET /api/v1/audit/keys; those of the pack unless given.',
    },
    qr: { type: 'string', value: 'TEXT', summary: 'For "verify einvoice" of one file: the text of its QR code, to compare with it.' },
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    json: {
      type: 'boolean',
      summary:
        'Print one line of JSON for each execution: { id, entries, difference }, where difference is null when nothing differs, or { id, missing: true }.',
    },
  },
  examples: [
    { line: 'millrace verify exec_01kb2p…', what: 'Verify one execution.' },
    { line: 'millrace verify --all', what: 'Verify all of them.' },
    { line: 'millrace verify audit day.jsonl --key millrace+…', what: 'Verify an exported day of an audit log.' },
    { line: 'millrace verify pack pack.zip --key millrace+…', what: 'Verify an evidence pack.' },
    { line: 'millrace verify einvoice invoice.pdf', what: 'Verify an e-invoice.' },
  ],
  exits: { 1: 'an execution differs from its record, or does not exist', 2: 'wrong usage or configuration' },
  async run({ values, operands }, terminal) {
    const [subject, ...files] = operands
    if (subject === 'audit') {
      const { verifyAudit } = await import('./verify-audit.ts')
      const witnesses = values.witness?.split(',') ?? []
      return verifyAudit({ files, key: values.key, witnesses, tsa: values.tsa, json: values.json }, terminal)
    }
    if (subject === 'pack') {
      const { verifyPacks } = await import('./verify-pack.ts')
      const witnesses = values.witness?.split(',') ?? []
      const { receiptKeyId } = await import('./receipt-key-id.ts')
      const { key, tsa, json } = values
      const receiptKeys = values['receipt-key']?.split(',').map(receiptKeyId)
      return verifyPacks({ files, key, receiptKeys, witnesses, tsa, json }, terminal)
    }
    if (subject === 'einvoice') {
      const { verifyEinvoiceFiles } = await import('./verify-einvoice.ts')
      return verifyEinvoiceFiles({ files, qr: values.qr, json: values.json }, terminal)
    }
    if (values.qr !== undefined) throw usageFailure('--qr is for "millrace verify einvoice FILE".')
    if ([values.key, values.witness, values.tsa, values['receipt-key']].some((value) => value !== undefined))
      throw usageFailure('--key, --witness, --tsa and --receipt-key are for "millrace verify audit FILE" and "millrace verify pack PACK".')
    const { verify } = await import('./verify.ts')
    return verify({ ids: operands, all: values.all, home: values.home, json: values.json }, terminal)
  },
})
