import { defineCommand } from '#command/command.ts'
import { usageFailure } from '#command/failure.ts'

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Replay executions and compare them with their records',
  description: [
    'Replays executions from their journals, with every effect replaced by its journalled outcome, and reports the first difference: another path, or another result than the stored one. It performs no effects and changes nothing.',
    '"millrace verify audit FILE --key KEY" verifies exported days of an audit log instead, without a database (docs/audit.md).',
    '"millrace verify einvoice FILE..." verifies e-invoices (XML, or PDF with the XML inside) by their files alone: structure, rules of EN 16931, signature, chain of hashes, and QR code (docs/einvoice.md).',
    'Reads the database of DATABASE_URL, otherwise the built-in one under MILLRACE_HOME, which it starts; no server may be using it.',
  ],
  operands: { text: '[ID... | audit FILE... | einvoice FILE...]', min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    all: { type: 'boolean', summary: 'Verify every execution that has ended.' },
    key: {
      type: 'string',
      value: 'KEY',
      summary: 'Public key of checkpoints for "verify audit": the "verifierKey" of GET /api/v1/audit/keys.',
    },
    witness: {
      type: 'string',
      value: 'KEY,...',
      summary: 'For "verify audit": keys of witnesses that must have co-signed, separated by commas.',
    },
    tsa: {
      type: 'string',
      value: 'FILE',
      summary: 'For "verify audit": certificates (PEM) of the time stamp authority that must have stamped.',
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
    if (subject === 'einvoice') {
      const { verifyEinvoiceFiles } = await import('./verify-einvoice.ts')
      return verifyEinvoiceFiles({ files, qr: values.qr, json: values.json }, terminal)
    }
    if (values.qr !== undefined) throw usageFailure('--qr is for "millrace verify einvoice FILE".')
    if (values.key !== undefined || values.witness !== undefined || values.tsa !== undefined)
      throw usageFailure('--key, --witness and --tsa are for "millrace verify audit FILE".')
    const { verify } = await import('./verify.ts')
    return verify({ ids: operands, all: values.all, home: values.home, json: values.json }, terminal)
  },
})
