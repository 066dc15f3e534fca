import { ClientError } from '@millrace/client'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import type { Side } from '#src/pages/einvoice/invoice-values.ts'

interface Finding {
  readonly rule: string
  readonly path: string
  readonly meaning: string
}

/** The refusal of an e-invoice as problems of the fields of the form; what belongs to none has the name ''. */
export function invoiceProblems(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error
  const { errors = [], findings } = error.problem
  const known = Array.isArray(findings) ? findings.filter(isFinding) : []
  const problems: Record<string, string> = {}
  for (const { pointer, detail } of errors) {
    const finding = known.find(({ rule, meaning }) => detail === `${rule}: ${meaning}`)
    const { field, text } = (finding === undefined ? undefined : ofRule(finding)) ?? { field: fieldAt(pointer), text: detail }
    if (field === '') problems[''] = [problems[''], text].filter((part) => part !== undefined).join(' ')
    else problems[field] ??= text
  }
  return Object.keys(problems).some((name) => name !== '') ? new FieldProblems(problems) : error
}

function isFinding(found: unknown): found is Finding {
  return typeof found === 'object' && found !== null && 'rule' in found && 'path' in found && 'meaning' in found
}

/** Rules that a person meets by what the form asks for, in words of its fields. */
function ofRule({ rule, path, meaning }: Finding): { readonly field: string; readonly text: string } | undefined {
  const side: Side = path.includes('AccountingCustomerParty') ? 'buyer' : 'seller'
  if (rule === 'BR-CO-26' || /^BR-[A-Z]{1,2}-0[234]$/.test(rule)) return { field: 'sellerVatId', text: m.einvoice.needsVatId }
  if (rule === 'BR-CO-09') return { field: `${side}VatId`, text: m.einvoice.vatIdCountry }
  if (rule === 'BR-CO-25') return { field: 'dueDate', text: meaning }
  if (rule === 'BR-CL-14') return { field: `${side}Country`, text: meaning }
  return undefined
}

const members: readonly (readonly [RegExp, string])[] = [
  [/^\/lines\/(\d+)\/vat/, 'lines.$1.rate'],
  [/^\/lines\/(\d+)\/(quantity|unitPrice)/, 'lines.$1.$2'],
  [/^\/lines\/(\d+)/, 'lines.$1.name'],
  [/^\/(seller|buyer)\/address\/([a-z])(\w*)/, '$1:$2$3'],
  [/^\/(seller|buyer)\/(vatId)/, '$1:$2'],
  [/^\/(seller|buyer)(?:\/|$)/, '$1:name'],
  [/^\/payment/, 'account'],
  [/^\/precedingInvoice/, 'precedes'],
  [/^\/(number|currency|issueDate|dueDate|note|buyerReference|orderReference)\b/, '$1'],
]

/** The field of the form for a member of the request; '' for none. */
function fieldAt(pointer: string): string {
  for (const [pattern, name] of members) {
    const found = pattern.exec(pointer)
    if (found === null) continue
    const field = found[0].replace(pattern, name)
    const [side, part = ''] = field.split(':')
    return part === '' ? field : `${side}${part.charAt(0).toUpperCase()}${part.slice(1)}`
  }
  return ''
}
